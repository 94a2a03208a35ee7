// SPDX-License-Identifier: MIT
/*
 * fuzz_collect_ignore.c - rules of strangers against paths of strangers.
 *
 * Input: a path up to the first NUL, then a file of rules. What is matched by
 * an index over the rules must be what looking at each of them gives.
 */
#include <stdlib.h>
#include <string.h>

#include "stages/collect/collect.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

/* The last rule that matches, one file of one line after the other. */
static enum ignore_verdict
match_slowly(const char *text, size_t bytes, const char *path,
	     size_t path_bytes, size_t name_off, bool is_dir, bool fold)
{
	enum ignore_verdict last = IGNORE_NO_RULE;

	if (bytes >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		bytes -= 3;
	}
	while (bytes > 0) {
		const char *newline = memchr(text, '\n', bytes);
		size_t line =
			newline == NULL ? bytes : (size_t)(newline - text) + 1;
		struct ignore_rule room[2];
		struct ignore_rules rules;
		enum ignore_verdict now;
		/* A mark is one at the start of the file alone. */
		bool mark = line >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0;

		ignore_rules_parse(&rules, room, text, line, fold);
		now = ignore_rules_match(&rules, path, path_bytes, name_off,
					 is_dir);
		if (mark)
			return IGNORE_NO_RULE;
		if (now != IGNORE_NO_RULE)
			last = now;
		text += line;
		bytes -= line;
	}
	return last;
}

static bool
has_mark_inside(const char *text, size_t bytes)
{
	return memmem(text, bytes, "\n\xef\xbb\xbf", 4) != NULL ||
	       (bytes > 6 && memcmp(text, "\xef\xbb\xbf\xef\xbb\xbf", 6) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	const uint8_t *nul = bytes_nr > 0 ? memchr(bytes, 0, bytes_nr) : NULL;
	const char *path = (const char *)bytes;
	size_t path_bytes;
	const char *text;
	size_t text_bytes;
	const char *slash;
	size_t name_off;
	size_t room_nr;
	struct ignore_rule *room;
	struct ignore_rules rules;

	if (nul == NULL || nul == bytes || nul[-1] == '/')
		return 0;
	path_bytes = (size_t)(nul - bytes);
	text = (const char *)nul + 1;
	text_bytes = bytes_nr - path_bytes - 1;
	slash = memrchr(path, '/', path_bytes);
	name_off = slash == NULL ? 0 : (size_t)(slash - path) + 1;
	room_nr = ignore_rules_room(text, text_bytes);
	room = malloc(room_nr * sizeof(*room));
	if (room == NULL)
		return 0;
	for (int i = 0; i < 4; i++) {
		bool is_dir = (i & 1) != 0;
		bool fold = (i & 2) != 0;
		enum ignore_verdict got;

		ignore_rules_parse(&rules, room, text, text_bytes, fold);
		ASSERT(rules.rule_nr <= room_nr);
		got = ignore_rules_match(&rules, path, path_bytes, name_off,
					 is_dir);
		if (!has_mark_inside(text, text_bytes))
			ASSERT(got == match_slowly(text, text_bytes, path,
						   path_bytes, name_off, is_dir,
						   fold));
	}
	free(room);
	return 0;
}
