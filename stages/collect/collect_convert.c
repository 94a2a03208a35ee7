/* SPDX-License-Identifier: MIT */
/*
 * collect_convert.c - text of other character sets, made UTF-8.
 *
 * Does: UTF-16 of either order, Windows-1252 (of which Latin-1 is a part in
 *       all that is text), UTF-8 with mistakes.
 * Does not: find out which it is (collect_text.c).
 * Invariants:
 * 1. However the bytes are cut into calls, the same bytes come out.
 */
#include "stages/collect/collect.h"

#include <string.h>

#include "base/utf8.h"
#include "base/windows1252.h"
#include "tokenizer/tokenizer.h"

#define REPLACEMENT 0xfffd

void
collect_convert_init(struct collect_convert *convert, enum collect_text from)
{
	*convert = (struct collect_convert){ .from = from };
}

size_t
collect_convert_room(enum collect_text from, size_t bytes)
{
	size_t held = sizeof(((struct collect_convert *)0)->held);

	if (from == COLLECT_TEXT_UTF8)
		return bytes + held;
	/* Two bytes, or one that is malformed, become three at most. */
	return 3 * (bytes + held);
}

static size_t
put_replacement(struct collect_convert *convert, char *to)
{
	convert->repaired = true;
	return utf8_put(to, REPLACEMENT);
}

/* One unit of UTF-16; a high surrogate waits for the next one. */
static size_t
put_unit(struct collect_convert *convert, uint32_t unit, char *to)
{
	uint32_t before = (uint32_t)(convert->held[2] << 8 | convert->held[3]);
	size_t put = 0;

	if (before != 0) {
		convert->held[2] = 0;
		convert->held[3] = 0;
		if (unit >= 0xdc00 && unit <= 0xdfff)
			return utf8_put(to, 0x10000 +
						    ((before - 0xd800) << 10) +
						    (unit - 0xdc00));
		put = put_replacement(convert, to);
	}
	if (unit >= 0xd800 && unit <= 0xdbff) {
		convert->held[2] = (uint8_t)(unit >> 8);
		convert->held[3] = (uint8_t)unit;
		return put;
	}
	if (unit >= 0xdc00 && unit <= 0xdfff)
		put += put_replacement(convert, to + put);
	else if (unit != 0xfeff || convert->begun)
		put += utf8_put(to + put, unit);
	convert->begun = true;
	return put;
}

static size_t
run_utf16(struct collect_convert *convert, const uint8_t *from, size_t bytes,
	  bool is_last, char *to)
{
	int shift = convert->from == COLLECT_TEXT_UTF16_BE ? 8 : 0;
	size_t put = 0;

	for (size_t i = 0; i < bytes; i++) {
		uint32_t unit;

		if (convert->held_nr == 0) {
			convert->held[0] = from[i];
			convert->held_nr = 1;
			continue;
		}
		unit = (uint32_t)(convert->held[0] << shift |
				  from[i] << (8 - shift));
		convert->held_nr = 0;
		put += put_unit(convert, unit, to + put);
	}
	if (is_last) {
		if (convert->held[2] != 0)
			put += put_replacement(convert, to + put);
		if (convert->held_nr != 0)
			put += put_replacement(convert, to + put);
	}
	return put;
}

static size_t
run_windows1252(const uint8_t *from, size_t bytes, char *to)
{
	size_t put = 0;

	for (size_t i = 0; i < bytes; i++) {
		uint32_t c = from[i];

		if (c >= 0x80 && c < 0xa0 && western_high[c - 0x80] != 0)
			c = western_high[c - 0x80];
		put += utf8_put(to + put, c);
	}
	return put;
}

/* What is not UTF-8, as tokens are counted of it; bytes taken. */
static size_t
repair(struct collect_convert *convert, const uint8_t *from, size_t bytes,
       bool is_last, char **to)
{
	size_t good = tokenizer_valid_len(from, bytes);
	size_t more = 0;
	size_t taken = 0;

	memcpy(*to, from, good);
	*to += good;
	if (good < bytes)
		taken = tokenizer_repair(from + good, bytes - good, is_last,
					 (uint8_t *)*to, &more);
	convert->repaired |= taken > 0;
	*to += more;
	return good + taken;
}

/*
 * What was held, completed by the first bytes of what comes; taken of it. It
 * is the right start of a sequence, so what it becomes takes all of it.
 */
static size_t
repair_held(struct collect_convert *convert, const uint8_t *from, size_t bytes,
	    bool is_last, char **to)
{
	size_t taken = 0;
	size_t used;

	if (convert->held_nr == 0)
		return 0;
	while (convert->held_nr < sizeof(convert->held) && taken < bytes)
		convert->held[convert->held_nr++] = from[taken++];
	used = repair(convert, convert->held, convert->held_nr,
		      is_last && taken == bytes, to);
	if (used == 0)
		return taken;
	taken -= convert->held_nr - used;
	convert->held_nr = 0;
	return taken;
}

static size_t
run_repair(struct collect_convert *convert, const uint8_t *from, size_t bytes,
	   bool is_last, char *to)
{
	char *end = to;
	size_t at = repair_held(convert, from, bytes, is_last, &end);

	at += repair(convert, from + at, bytes - at, is_last, &end);
	while (at < bytes)
		convert->held[convert->held_nr++] = from[at++];
	return (size_t)(end - to);
}

size_t
collect_convert_run(struct collect_convert *convert, const void *from,
		    size_t bytes, bool is_last, char *to)
{
	switch (convert->from) {
	case COLLECT_TEXT_UTF16_LE:
	case COLLECT_TEXT_UTF16_BE:
		return run_utf16(convert, from, bytes, is_last, to);
	case COLLECT_TEXT_WESTERN:
		return run_windows1252(from, bytes, to);
	case COLLECT_TEXT_UTF8_BAD:
		return run_repair(convert, from, bytes, is_last, to);
	default:
		memcpy(to, from, bytes);
		return bytes;
	}
}
