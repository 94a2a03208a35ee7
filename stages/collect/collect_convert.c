/* SPDX-License-Identifier: MIT */
/*
 * collect_convert.c - text of other character sets, made UTF-8.
 *
 * Does: UTF-16 of either order, Windows-1252 (of which Latin-1 is a part in
 *       all that is text), Windows-1251, GB18030, Shift-JIS, EUC-KR, UTF-8 with
 *       mistakes.
 * Does not: find out which it is (collect_text.c).
 * Invariants:
 * 1. However the bytes are cut into calls, the same bytes come out.
 */
#include "stages/collect/collect.h"

#include <string.h>

#include "base/charset.h"
#include "base/utf8.h"
#include "base/windows1252.h"

#define REPLACEMENT 0xfffd

void
collect_convert_init(struct collect_convert *convert, uint8_t from)
{
	*convert = (struct collect_convert){ .from = from };
}

static void
put(struct collect_convert *convert, uint32_t c)
{
	convert->put += utf8_put(convert->to + convert->put, c);
}

static void
put_replacement(struct collect_convert *convert)
{
	convert->repaired = true;
	put(convert, REPLACEMENT);
}

/* One unit of UTF-16; a high surrogate waits for the next one. */
static void
put_unit(struct collect_convert *convert, uint32_t unit)
{
	uint32_t before = (uint32_t)(convert->held[2] << 8 | convert->held[3]);

	if (before != 0) {
		convert->held[2] = 0;
		convert->held[3] = 0;
		if (unit >= 0xdc00 && unit <= 0xdfff) {
			put(convert, 0x10000 + ((before - 0xd800) << 10) +
					     (unit - 0xdc00));
			return;
		}
		put_replacement(convert);
	}
	if (unit >= 0xd800 && unit <= 0xdbff) {
		convert->held[2] = (uint8_t)(unit >> 8);
		convert->held[3] = (uint8_t)unit;
		return;
	}
	if (unit >= 0xdc00 && unit <= 0xdfff)
		put_replacement(convert);
	else if (unit != 0xfeff || convert->begun)
		put(convert, unit);
	convert->begun = true;
}

static void
run_utf16(struct collect_convert *convert, const uint8_t *from, size_t bytes,
	  bool is_last)
{
	int shift = convert->from == CHARSET_UTF16_BE ||
				    convert->from == CHARSET_UNMARKED_BE
			    ? 8
			    : 0;

	for (size_t i = 0; i < bytes; i++) {
		if (convert->held_nr == 0) {
			convert->held[0] = from[i];
			convert->held_nr = 1;
			continue;
		}
		convert->held_nr = 0;
		put_unit(convert, (uint32_t)(convert->held[0] << shift |
					     from[i] << (8 - shift)));
	}
	if (is_last && convert->held[2] != 0)
		put_replacement(convert);
	if (is_last && convert->held_nr != 0)
		put_replacement(convert);
}

static void
run_windows1252(struct collect_convert *convert, const uint8_t *from,
		size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		uint32_t c = from[i];

		if (c >= 0x80 && c < 0xa0 && western_high[c - 0x80] != 0)
			c = western_high[c - 0x80];
		put(convert, c);
	}
}

static void
run_cyrillic(struct collect_convert *convert, const uint8_t *from, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		uint32_t c = charset_cyrillic(from[i]);

		if (c == 0 && from[i] != 0)
			put_replacement(convert);
		else
			put(convert, c);
	}
}

/* A pair. The way back has to lead to the same two bytes. */
static void
put_pair(struct collect_convert *convert, enum charset_pairs set, uint8_t trail)
{
	uint8_t lead = convert->held[0];
	uint32_t c = charset_pair(set, lead, trail);
	uint8_t same[2];

	convert->held_nr = 0;
	if (c == 0) {
		put_replacement(convert);
		/* a line does not end in half a character */
		if (trail < 0x80)
			put(convert, trail);
		return;
	}
	put(convert, c);
	convert->repaired |= charset_bytes(set, c, same) != 2 ||
			     same[0] != lead || same[1] != trail;
}

static void
run_pairs(struct collect_convert *convert, const uint8_t *from, size_t bytes,
	  bool is_last)
{
	enum charset_pairs set =
		(enum charset_pairs)(convert->from - CHARSET_GB18030);

	for (size_t i = 0; i < bytes; i++) {
		uint32_t c = charset_single(set, from[i]);

		if (convert->held_nr > 0) {
			put_pair(convert, set, from[i]);
		} else if (c != 0 || from[i] == 0) {
			put(convert, c);
		} else {
			convert->held[0] = from[i];
			convert->held_nr = 1;
		}
	}
	if (is_last && convert->held_nr > 0)
		put_replacement(convert);
}

size_t
collect_convert_run(struct collect_convert *convert, const void *from,
		    size_t bytes, bool is_last, char *to)
{
	const uint8_t *text = from;

	convert->to = to;
	convert->put = 0;
	if (convert->from == CHARSET_NOTEBOOK) {
		collect_notebook_run(convert, text, bytes, is_last);
	} else if (charset_elides(convert->from)) {
		collect_elide_run(convert, text, bytes, is_last);
	} else if (convert->from == CHARSET_CYRILLIC) {
		run_cyrillic(convert, text, bytes);
	} else if (convert->from >= CHARSET_GB18030 &&
		   convert->from <= CHARSET_EUC_KR) {
		run_pairs(convert, text, bytes, is_last);
	} else if (convert->from == CHARSET_WESTERN) {
		run_windows1252(convert, text, bytes);
	} else if (convert->from != CHARSET_UTF8) {
		run_utf16(convert, text, bytes, is_last);
	} else {
		collect_convert_repair(convert, text, bytes, is_last);
	}
	return convert->put;
}
