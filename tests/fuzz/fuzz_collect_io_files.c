/* SPDX-License-Identifier: MIT */
/*
 * fuzz_collect_files.c - a list of --files-from by anybody.
 *
 * Input: one byte (by NUL or by newline; where a replacement goes on), then
 * the list. It is refused for an entry of it, or becomes paths in canonical
 * order, once each, none of which leads out of the root; and seeking to each
 * of them goes on behind it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stages/collect/collect_io_files.h"
/* its split_names() takes a text from memory */
#include "supervisor/user_text.c"
#include "tests/fuzz/fuzz_expect.h"

/* Components that are there, and none of them a way around. */
static void
check_path(const struct files_path *path)
{
	const char *at = path->text;

	expect(path->bytes > 0 && strlen(at) == path->bytes,
	       "a path of its length");
	for (;;) {
		size_t nr = strcspn(at, "/");

		expect(nr > 0, "no component is empty");
		expect(!(nr == 1 && at[0] == '.') &&
			       !(nr == 2 && at[0] == '.' && at[1] == '.'),
		       "none is . or ..");
		if (at[nr] == '\0')
			return;
		at += nr + 1;
	}
}

static void
check_files(struct files *files)
{
	for (size_t i = 0; i < files->nr; i++) {
		check_path(&files->paths[i]);
		expect(i == 0 || strcmp(files->paths[i - 1].text,
					files->paths[i].text) < 0,
		       "in order, and once");
	}
	for (size_t i = 0; i < files->nr; i++) {
		files_seek(files, files->paths[i].text, files->paths[i].bytes);
		expect(files->pos == i + 1, "on behind it");
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	struct text_list list = { .nr = 0 };
	struct files files;
	uint32_t bad = UINT32_MAX;
	char *text;
	int error;

	if (bytes_nr < 1)
		return 0;
	text = malloc(bytes_nr);
	if (text == NULL)
		abort();
	memcpy(text, bytes + 1, bytes_nr - 1);
	text[bytes_nr - 1] = '\0'; /* as read_all() leaves it */
	expect(split_names(text, bytes_nr - 1, bytes[0] & 1 ? '\0' : '\n',
			   1u << 30, &list) == 0,
	       "memory");
	for (size_t i = 0; i < list.nr; i++)
		expect(list.items[i][0] != '\0', "empty lines are passed over");
	error = files_init(&files, ".", list.items, (uint32_t)list.nr, &bad);
	if (error == 0)
		check_files(&files);
	else
		expect(error == -EINVAL && bad < list.nr,
		       "which one is bad is said");
	files_free(&files, -1);
	free(list.items);
	free(text);
	return 0;
}
