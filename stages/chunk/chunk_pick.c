/* SPDX-License-Identifier: MIT */
/*
 * chunk_pick.c - signatures by what their definitions are worth.
 */
#include "stages/chunk/chunk_pick.h"

#include <string.h>

#include "base/heap.h"
#include "lang/text.h"
#include "rank/heat.h"

#define WORTH_MAX (UINT64_C(1) << 40)
#define INDENT_MAX 63u

size_t
chunk_signature_at(const struct chunk_outline *outline, uint32_t n)
{
	const struct lang_signatures *signatures = outline->signatures;

	if (n == 0)
		return 0;
	return n > signatures->nr
		       ? outline->bytes
		       : signatures->before + signatures->list[n - 1].off;
}

bool
chunk_signature_in_full(const struct chunk_outline *outline, uint32_t n)
{
	uint64_t line = n == 0 ? 0 : outline->signatures->list[n - 1].line;

	for (uint32_t i = 0; i < outline->chunk_nr; i++)
		if (line >= outline->chunks[i].line_first &&
		    line - outline->chunks[i].line_first <
			    outline->chunks[i].line_nr)
			return true;
	return false;
}

static size_t
bytes_of(const struct chunk_outline *outline, uint32_t n)
{
	return chunk_signature_at(outline, n + 1) -
	       chunk_signature_at(outline, n);
}

/* Where a line begins that is there at `at`, less its number. */
static size_t
behind_number(const struct chunk_outline *outline, size_t at)
{
	return outline->numbers
		       ? lang_skip_number(outline->text, at, outline->bytes)
		       : at;
}

static uint32_t
indent_of(const struct chunk_outline *outline, uint32_t n)
{
	size_t at = behind_number(outline, chunk_signature_at(outline, n));
	uint32_t indent = 0;

	while (at + indent < outline->bytes && indent < INDENT_MAX &&
	       lang_is_blank(outline->text[at + indent]))
		indent++;
	return indent;
}

/* The line that the next one begins in. */
static uint64_t
line_end(const struct chunk_outline *outline, uint32_t n)
{
	const struct lang_signatures *signatures = outline->signatures;

	return n < signatures->nr ? signatures->list[n].line
				  : outline->line_end;
}

/* The line behind its own, of what has no body. */
static uint64_t
own_end(const struct chunk_outline *outline, uint32_t n)
{
	const uint8_t *text = outline->text + chunk_signature_at(outline, n);
	uint64_t nr = lang_newlines(text, bytes_of(outline, n));

	ASSERT(n > 0);
	return min_u64(line_end(outline, n),
		       outline->signatures->list[n - 1].line + nr);
}

/* The heat of its lines. What follows a signature without a body, up to the
 * next one, is of the last that has a body. */
static uint64_t
heat_of(const struct chunk_outline *outline, uint32_t n)
{
	const struct lang_signatures *signatures = outline->signatures;
	const struct history_lines *hot = outline->hot;
	uint64_t from = signatures->list[n - 1].line;
	uint64_t heat;

	if (!signatures->list[n - 1].has_body)
		return history_heat_between(hot, outline->hot_nr, from,
					    own_end(outline, n));
	heat = history_heat_between(hot, outline->hot_nr, from,
				    line_end(outline, n));
	while (n < signatures->nr && !signatures->list[n].has_body) {
		n++;
		heat += history_heat_between(hot, outline->hot_nr,
					     own_end(outline, n),
					     line_end(outline, n));
	}
	return heat;
}

/* The hotter for its size, the better. */
static uint64_t
worth_of(const struct chunk_outline *outline, uint32_t n)
{
	return min_u64(heat_of(outline, n) * 16 /
			       max_u64(heat_root(bytes_of(outline, n)), 1),
		       WORTH_MAX - 1);
}

static bool
comes_before(const void *context, const void *a, const void *b)
{
	(void)context;
	return ((const struct chunk_pick *)a)->key >
	       ((const struct chunk_pick *)b)->key;
}

/* All of them, the best first; no two have the same key. */
static void
sort(const struct chunk_outline *outline, struct chunk_picks *picks)
{
	const struct lang_signatures *signatures = outline->signatures;
	struct heap heap = { picks->list, sizeof(picks->list[0]),
			     sizeof(picks->list[0]), comes_before, NULL };

	static_assert(OUTLINE_SIGNATURES <= 1 << 14, "a place in 14 bits");
	for (uint32_t n = 1; n <= signatures->nr; n++) {
		uint64_t key = worth_of(outline, n);

		key = key << 1 | signatures->list[n - 1].is_public;
		key = key << 6 | (INDENT_MAX - indent_of(outline, n));
		key = key << 14 | (OUTLINE_SIGNATURES - n);
		picks->list[n - 1] = (struct chunk_pick){ .key = key, .nr = n };
	}
	heap_make(&heap, signatures->nr);
	heap_unmake(&heap, signatures->nr);
}

/* What a signature is a member of, if that is not there; 0: nothing. */
static uint32_t
outer_of(const struct chunk_outline *outline, const struct chunk_picks *picks,
	 uint32_t n)
{
	uint32_t indent = indent_of(outline, n);

	if (indent == 0)
		return 0;
	while (--n > 0)
		if (indent_of(outline, n) < indent)
			return picks->taken[n] > 0 || chunk_signature_in_full(
							      outline, n)
				       ? 0
				       : n;
	return 0;
}

/* "@property", "#[inline]", "[Test]" */
static bool
is_attribute(const uint8_t *line, size_t bytes)
{
	while (bytes > 0 && lang_is_blank(*line)) {
		line++;
		bytes--;
	}
	return bytes > 1 && (*line == '@' || *line == '[' ||
			     (*line == '#' && line[1] == '['));
}

/* With the attributes before it. */
static uint32_t
first_line_of(const struct chunk_outline *outline, uint32_t n)
{
	size_t begin = chunk_signature_at(outline, n);
	size_t end = begin + bytes_of(outline, n);
	size_t at = begin;
	size_t from;

	do {
		from = behind_number(outline, at);
		at += lang_lines_bytes(outline->text + at, end - at, 1);
	} while (at < end && is_attribute(outline->text + from, at - from));
	return (uint32_t)(at - begin);
}

/* Of what there is no room for, the first line; of what a member is one of, no
 * more than that. */
static void
take(const struct chunk_outline *outline, struct chunk_picks *picks,
     size_t room)
{
	for (uint32_t i = 0; i < outline->signatures->nr; i++) {
		uint32_t n = picks->list[i].nr;
		uint32_t outer = outer_of(outline, picks, n);
		uint32_t before = outer > 0 ? first_line_of(outline, outer) : 0;
		size_t bytes = bytes_of(outline, n);

		if (chunk_signature_in_full(outline, n))
			continue;
		if (before + bytes > room)
			bytes = first_line_of(outline, n);
		if (before + bytes > room || bytes <= picks->taken[n])
			continue;
		room -= before + bytes - picks->taken[n];
		picks->taken[n] = (uint32_t)bytes;
		if (outer > 0)
			picks->taken[outer] = before;
	}
}

size_t
chunk_pick(const struct chunk_outline *outline, size_t room,
	   struct chunk_picks *picks,
	   struct lang_outline_span spans[static OUTLINE_SPANS])
{
	const struct lang_signatures *signatures = outline->signatures;
	size_t nr = 0;

	if (chunk_signature_nr(outline) == 0)
		return 0;
	memset(picks->taken, 0, sizeof(picks->taken));
	sort(outline, picks);
	take(outline, picks, room);
	for (uint32_t n = 0; n <= signatures->nr; n++) {
		size_t bytes = bytes_of(outline, n);
		size_t taken = picks->taken[n];

		if (!lang_outline_add_span(spans, &nr, taken, bytes - taken))
			return 0;
	}
	return nr;
}
