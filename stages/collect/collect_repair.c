/* SPDX-License-Identifier: MIT */
/*
 * collect_repair.c - text that is UTF-8 with mistakes, made UTF-8.
 *
 * Invariants:
 * 1. However the bytes are cut into calls, the same bytes come out.
 */
#include "stages/collect/collect.h"

#include <string.h>

#include "tokenizer/tokenizer.h"

/* What is not UTF-8, as tokens are counted of it; bytes taken. */
static size_t
repair(struct collect_convert *convert, const uint8_t *from, size_t bytes,
       bool is_last)
{
	size_t good = tokenizer_valid_len(from, bytes);
	uint8_t *to = (uint8_t *)convert->to + convert->put;
	size_t more = 0;
	size_t taken = 0;

	memcpy(to, from, good);
	if (good < bytes)
		taken = tokenizer_repair(from + good, bytes - good, is_last,
					 to + good, &more);
	convert->repaired |= taken > 0;
	convert->put += good + more;
	return good + taken;
}

/*
 * What was held, completed by the first bytes of what comes; taken of it. It
 * is the right start of a sequence, so what it becomes takes all of it.
 */
static size_t
repair_held(struct collect_convert *convert, const uint8_t *from, size_t bytes,
	    bool is_last)
{
	size_t taken = 0;
	size_t used;

	if (convert->held_nr == 0)
		return 0;
	while (convert->held_nr < sizeof(convert->held) && taken < bytes)
		convert->held[convert->held_nr++] = from[taken++];
	used = repair(convert, convert->held, convert->held_nr,
		      is_last && taken == bytes);
	if (used == 0)
		return taken;
	taken -= convert->held_nr - used;
	convert->held_nr = 0;
	return taken;
}

void
collect_convert_repair(struct collect_convert *convert, const uint8_t *text,
		       size_t bytes, bool is_last)
{
	size_t at = repair_held(convert, text, bytes, is_last);

	at += repair(convert, text + at, bytes - at, is_last);
	while (at < bytes)
		convert->held[convert->held_nr++] = text[at++];
}
