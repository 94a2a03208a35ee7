/* SPDX-License-Identifier: MIT */
/*
 * tool_pack_words.h - words of an output that stand in a file in their order.
 */
#ifndef TESTS_SUPPORT_TOOL_PACK_WORDS_H
#define TESTS_SUPPORT_TOOL_PACK_WORDS_H

#include <stdbool.h>
#include <string.h>

#include "tests/support/tool_pack_names.h"

/* Bytes that are of no word: a blank, or the mark of what is left out. */
static inline size_t
gap_at(struct bytes line, size_t at)
{
	if (line.nr - at >= 3 && memcmp(line.at + at, "...", 3) == 0)
		return 3;
	return line.at[at] == ' ' || line.at[at] == '\t';
}

/* Whether the words of a line stand in *left in that order; goes behind them. */
static inline bool
words_are_there(struct bytes line, struct bytes *left)
{
	struct bytes rest = *left;

	for (size_t at = 0, nr; at < line.nr; at += nr) {
		const char *found;

		nr = gap_at(line, at);
		if (nr > 0)
			continue;
		while (at + nr < line.nr && gap_at(line, at + nr) == 0)
			nr++;
		found = memmem(rest.at, rest.nr, line.at + at, nr);
		if (found == NULL)
			return false;
		rest.nr -= (size_t)(found - rest.at) + nr;
		rest.at = found + nr;
	}
	*left = rest;
	return true;
}

#endif
