/* SPDX-License-Identifier: MIT */
/*
 * template_render.c - templates and values from stdin, what they make to stdout:
 * a JSON object {"template", "data"} a line, a JSON string or null a line.
 */
#include "tests/support/test_markup_json_view.h"

int
main(void)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t nr;

	while ((nr = getline(&line, &room, stdin)) > 0) {
		json_t *job =
			json_loadb(line, (size_t)nr, JSON_ALLOW_NUL, NULL);
		const json_t *source = json_object_get(job, "template");
		struct template_error error;
		char *made = json_view_render(
			json_string_value(source), json_string_length(source),
			json_object_get(job, "data"), &error);
		json_t *out = made == NULL ? json_null() : json_string(made);

		json_dumpf(out, stdout, JSON_ENCODE_ANY);
		printf("\n");
		json_decref(out);
		json_decref(job);
		free(made);
	}
	free(line);
	return 0;
}
