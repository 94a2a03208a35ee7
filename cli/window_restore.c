/* SPDX-License-Identifier: MIT */
/*
 * window_restore.c - `bale window FILE restore`: a snapshot, without its secrets.
 */
#include "cli/window_run.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_code.h"
#include "window/json_text.h"
#include "base/json_values.h"

#define VALUES_MAX 1000000 /* more are refused by who reads it */
#define HOW (JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL)

/*
 * The items of `after` that had a secret in `before` have no tokens that were
 * counted with it; with is_excluded they go. How many there are.
 */
static size_t
adjust_items(const json_t *before, json_t *after, bool is_excluded)
{
	size_t nr = 0;

	for (size_t i = json_array_size(after); i-- > 0;) {
		json_t *item = json_array_get(after, i);

		if (json_equal(json_array_get(before, i), item))
			continue;
		nr++;
		if (is_excluded)
			json_array_remove(after, i);
		else
			json_object_del(item, "tokens");
	}
	return nr;
}

/*
 * shape:  takes the secrets out of a snapshot: an exit code; EXIT_DEGRADED:
 *         items with secrets were left out
 * owner:  *text is the caller's: free(); it may become another
 */
static int
clean(struct window_run *run, char **text, size_t *bytes)
{
	bool is_excluded = run->secrets.mode == SECRETS_EXCLUDE;
	json_t *before = json_values_within(*text, *bytes, VALUES_MAX)
				 ? json_loadb(*text, *bytes, HOW, NULL)
				 : NULL;
	json_t *after = NULL;
	size_t nr = 0;
	int code = conversation_clean(&run->secrets, true, text, bytes);

	if (code == EXIT_COMPLETE && before != NULL)
		after = json_loadb(*text, *bytes, HOW, NULL);
	/* what is no JSON is refused by who reads it */
	if (after != NULL)
		nr = adjust_items(json_object_get(before, "items"),
				  json_object_get(after, "items"), is_excluded);
	if (nr > 0) {
		free(*text);
		*text = json_text(after, JSON_COMPACT);
		*bytes = *text == NULL ? 0 : strlen(*text);
		if (*text == NULL)
			code = exit_out_of_memory();
		else if (is_excluded)
			code = exit_with(EXIT_DEGRADED,
					 "%zu item%s with secrets %s left out "
					 "(--secrets exclude)",
					 nr, nr == 1 ? "" : "s",
					 nr == 1 ? "is" : "are");
	}
	json_decref(before);
	json_decref(after);
	return code;
}

int
window_run_restore(struct window_run *run)
{
	struct window_error error;
	char *text = NULL;
	size_t bytes;
	int code = window_run_read(run, &text, &bytes);
	int result = 0;

	if (code == EXIT_COMPLETE)
		code = clean(run, &text, &bytes);
	if (code == EXIT_COMPLETE || code == EXIT_DEGRADED)
		result = window_restore(run->window, text, bytes, &error);
	free(text);
	run->is_changed = true;
	return result == 0 ? code : conversation_fail(result, &error);
}
