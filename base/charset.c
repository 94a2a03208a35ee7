/* SPDX-License-Identifier: MIT */
/*
 * charset.c - characters of sets that are not Unicode.
 *
 * The tables are written by tools/charset_tables.c. iconv(3) itself loads a
 * module for each set, which no confined process can.
 */
#include "base/charset.h"

#include <assert.h>
#include <string.h>

#ifndef CHARSET_TABLES
#define CHARSET_TABLES "build/data/charset_tables.inc"
#endif
#include CHARSET_TABLES

#define HALF_WIDTH_FIRST 0xff61 /* of the katakana that Shift-JIS has in one */

uint32_t
charset_pair(enum charset_pairs set, uint8_t lead, uint8_t trail)
{
	if (lead < CHARSET_LEAD_MIN || lead == 0xff ||
	    trail < CHARSET_TRAIL_MIN || trail == 0xff)
		return 0;
	return pairs[set][lead - CHARSET_LEAD_MIN][trail - CHARSET_TRAIL_MIN];
}

uint32_t
charset_single(enum charset_pairs set, uint8_t byte)
{
	if (byte < 0x80)
		return byte;
	if (set == CHARSET_PAIRS_SHIFT_JIS && byte >= 0xa1 && byte <= 0xdf)
		return HALF_WIDTH_FIRST + (byte - 0xa1u);
	return 0;
}

/* Where each character of the first plane is among the pairs of the set that
 * was asked for last: its index + 1. */
static struct {
	uint16_t index[0x10000];
	enum charset_pairs set;
	bool is_made;
} back;

static_assert(CHARSET_LEAD_NR * CHARSET_TRAIL_NR < UINT16_MAX, "an index");

static void
make_back(enum charset_pairs set)
{
	const uint16_t *codes = pairs[set][0];

	memset(&back, 0, sizeof(back));
	/* of several pairs the first stays */
	for (size_t i = CHARSET_LEAD_NR * CHARSET_TRAIL_NR; i-- > 0;)
		back.index[codes[i]] = (uint16_t)(i + 1);
	back.index[0] = 0;
	back.set = set;
	back.is_made = true;
}

size_t
charset_bytes(enum charset_pairs set, uint32_t c, uint8_t out[static 2])
{
	uint32_t at;

	if (c < 0x80) {
		out[0] = (uint8_t)c;
		return 1;
	}
	if (set == CHARSET_PAIRS_SHIFT_JIS && c >= HALF_WIDTH_FIRST &&
	    c <= HALF_WIDTH_FIRST + 0xdf - 0xa1) {
		out[0] = (uint8_t)(c - HALF_WIDTH_FIRST + 0xa1);
		return 1;
	}
	if (!back.is_made || back.set != set)
		make_back(set);
	at = c < ARRAY_LEN(back.index) ? back.index[c] : 0;
	if (at == 0)
		return 0;
	out[0] = (uint8_t)(CHARSET_LEAD_MIN + (at - 1) / CHARSET_TRAIL_NR);
	out[1] = (uint8_t)(CHARSET_TRAIL_MIN + (at - 1) % CHARSET_TRAIL_NR);
	return 2;
}

uint32_t
charset_cyrillic(uint8_t byte)
{
	return byte < 0x80 ? byte : cyrillic[byte - 0x80];
}

uint8_t
charset_cyrillic_byte(uint32_t c)
{
	if (c < 0x80)
		return (uint8_t)c;
	for (unsigned i = 0; i < ARRAY_LEN(cyrillic); i++)
		if (cyrillic[i] == c)
			return (uint8_t)(0x80 + i);
	return 0;
}
