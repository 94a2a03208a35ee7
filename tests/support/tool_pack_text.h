/* SPDX-License-Identifier: MIT */
/*
 * tool_pack_text.h - what is text beyond doubt, for tool_pack.c.
 */
#ifndef TESTS_SUPPORT_TOOL_PACK_TEXT_H
#define TESTS_SUPPORT_TOOL_PACK_TEXT_H

#include <stdbool.h>
#include <string.h>

#include "tests/support/tool_pack_names.h"

/* Bytes of the well-formed UTF-8 sequence here; 0: it is none. */
static inline size_t
sequence_length(struct bytes text)
{
	const unsigned char *p = (const unsigned char *)text.at;
	size_t nr = p[0] < 0x80   ? 1
		    : p[0] < 0xc2 ? 0
		    : p[0] < 0xe0 ? 2
		    : p[0] < 0xf0 ? 3
		    : p[0] < 0xf5 ? 4
				  : 0;

	if (nr > text.nr)
		return 0;
	for (size_t i = 1; i < nr; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return nr;
}

/* UTF-8 without a mark and without what text has no use for. */
static inline bool
is_plain_text(struct bytes text)
{
	if (begins(text, "\xef\xbb\xbf", 3))
		return false;
	while (text.nr > 0) {
		size_t nr = sequence_length(text);

		if (nr == 0 || (text.at[0] >= 0 && text.at[0] < ' ' &&
				strchr("\n\t\r\f\b\x1b", text.at[0]) == NULL))
			return false;
		if (text.at[0] == '\0')
			return false;
		text.at += nr;
		text.nr -= nr;
	}
	return true;
}

#endif
