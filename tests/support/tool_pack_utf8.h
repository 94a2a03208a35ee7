/* SPDX-License-Identifier: MIT */
/*
 * tool_pack_utf8.h - what a text that is not all UTF-8 should become, by the
 * table of well-formed byte sequences of the Unicode standard (3-7) and its
 * rule on U+FFFD: one for each maximal subpart of such a sequence.
 */
#ifndef TESTS_SUPPORT_TOOL_PACK_UTF8_H
#define TESTS_SUPPORT_TOOL_PACK_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Each byte of a sequence lies between two bounds. */
struct utf8_row {
	size_t nr;
	unsigned char bounds[4][2];
};

static const struct utf8_row utf8_rows[] = {
	{ 1, { { 0x00, 0x7f } } },
	{ 2, { { 0xc2, 0xdf }, { 0x80, 0xbf } } },
	{ 3, { { 0xe0, 0xe0 }, { 0xa0, 0xbf }, { 0x80, 0xbf } } },
	{ 3, { { 0xe1, 0xec }, { 0x80, 0xbf }, { 0x80, 0xbf } } },
	{ 3, { { 0xed, 0xed }, { 0x80, 0x9f }, { 0x80, 0xbf } } },
	{ 3, { { 0xee, 0xef }, { 0x80, 0xbf }, { 0x80, 0xbf } } },
	{ 4,
	  { { 0xf0, 0xf0 }, { 0x90, 0xbf }, { 0x80, 0xbf }, { 0x80, 0xbf } } },
	{ 4,
	  { { 0xf1, 0xf3 }, { 0x80, 0xbf }, { 0x80, 0xbf }, { 0x80, 0xbf } } },
	{ 4,
	  { { 0xf4, 0xf4 }, { 0x80, 0x8f }, { 0x80, 0xbf }, { 0x80, 0xbf } } },
};

/* Bytes that go together at the start of a text, and whether all are there. */
static size_t
utf8_subpart(const char *text, size_t nr, bool *is_whole)
{
	size_t most = 0;

	*is_whole = false;
	for (size_t i = 0; i < sizeof(utf8_rows) / sizeof(*utf8_rows); i++) {
		const struct utf8_row *row = &utf8_rows[i];
		size_t fit = 0;

		while (fit < row->nr && fit < nr &&
		       (unsigned char)text[fit] >= row->bounds[fit][0] &&
		       (unsigned char)text[fit] <= row->bounds[fit][1])
			fit++;
		if (fit > most)
			most = fit;
		*is_whole |= fit == row->nr;
	}
	return most;
}

/* Writes the text, repaired, to a place of 3 * nr bytes; how many it has. */
static size_t
utf8_repaired(const char *text, size_t nr, char *to)
{
	size_t put = 0;

	for (size_t at = 0; at < nr;) {
		bool is_whole;
		size_t part = utf8_subpart(text + at, nr - at, &is_whole);

		if (is_whole) {
			memcpy(to + put, text + at, part);
			put += part;
		} else {
			memcpy(to + put, "\xef\xbf\xbd", 3);
			put += 3;
		}
		at += part > 0 ? part : 1;
	}
	return put;
}

#endif
