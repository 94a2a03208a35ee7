/* SPDX-License-Identifier: MIT */
/*
 * outline_pick.c - which signatures of a part are taken if not all are.
 */
#include "lang/outline.h"

#include "lang/text.h"

bool
lang_outline_add_span(struct lang_outline_span *spans, size_t *nr, size_t taken,
		      size_t left)
{
	if (*nr == 0 || (taken > 0 && spans[*nr - 1].left_bytes > 0)) {
		if (*nr == OUTLINE_SPANS)
			return false;
		spans[(*nr)++] = (struct lang_outline_span){ 0 };
	}
	spans[*nr - 1].taken_bytes += (uint32_t)taken;
	spans[*nr - 1].left_bytes += (uint32_t)left;
	return true;
}

/* Where the n-th signature begins in the text; of what is before them, n is 0. */
static size_t
signature_at(const struct lang_signatures *signatures, uint32_t n, size_t bytes)
{
	if (n == 0)
		return 0;
	return n > signatures->nr
		       ? bytes
		       : signatures->before + signatures->list[n - 1].off;
}

size_t
lang_outline_pick(const struct lang_signatures *signatures, const uint8_t *text,
		  size_t bytes, struct lang_outline_room *room,
		  struct lang_outline_span spans[static OUTLINE_SPANS])
{
	struct lang_outline_room left = *room;
	size_t nr = 0;

	if (signatures->nr == 0 || signatures->nr > OUTLINE_SIGNATURES)
		return 0;
	for (uint32_t n = 0; n <= signatures->nr; n++) {
		bool first = n == 0 || signatures->list[n - 1].is_public;
		uint32_t *lines =
			first ? &left.public_lines : &left.other_lines;
		size_t from = signature_at(signatures, n, bytes);
		size_t all = signature_at(signatures, n + 1, bytes) - from;
		uint32_t of = (uint32_t)lang_newlines(text + from, all);
		uint32_t some = (uint32_t)min_u64(of, *lines);
		size_t taken;

		/* none that is cut stands before a public one */
		if (some < of && !first && left.public_lines > 0)
			some = 0;
		*lines = some == of ? *lines - of : 0;
		taken = lang_lines_bytes(text + from, all, some);
		if (!lang_outline_add_span(spans, &nr, taken, all - taken))
			return 0;
	}
	*room = left;
	return nr;
}
