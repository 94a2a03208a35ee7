/* SPDX-License-Identifier: MIT */
/*
 * collect_heat.c - lines of a text, known again in others.
 */
#include "stages/collect/collect_heat.h"

#include <string.h>

#include "lang/text.h"
#include "rank/heat.h"

static bool
is_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Eight bytes a step: a line is only compared with lines of this process. */
static uint64_t
hash_line(const uint8_t *at, size_t nr)
{
	uint64_t hash = nr;
	uint64_t eight = 0;

	for (; nr >= sizeof(eight); nr -= sizeof(eight), at += sizeof(eight)) {
		memcpy(&eight, at, sizeof(eight));
		hash = (hash ^ eight) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	eight = 0;
	memcpy(&eight, at, nr);
	hash = (hash ^ eight) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

/* The hash of the line at *at, less the blanks around it, never 0; *at goes to
 * the next one. */
static uint64_t
next_line(const uint8_t **at, const uint8_t *end)
{
	const uint8_t *newline = memchr(*at, '\n', (size_t)(end - *at));
	const uint8_t *from = *at;
	const uint8_t *to = newline == NULL ? end : newline;

	*at = newline == NULL ? end : newline + 1;
	while (from < to && is_blank(*from))
		from++;
	while (to > from && is_blank(to[-1]))
		to--;
	return hash_line(from, (size_t)(to - from)) | 1;
}

static uint64_t *
slot_of(struct collect_heat *heat, uint64_t hash)
{
	uint64_t at = hash >> 20;

	while (heat->slots[at & heat->slot_mask] != 0 &&
	       heat->slots[at & heat->slot_mask] != hash)
		at++;
	return &heat->slots[at & heat->slot_mask];
}

/* Empties as many slots as a text of so many lines has use for: twice as many
 * at least, a power of two. */
static void
clear_slots(struct collect_heat *heat, uint64_t line_nr)
{
	uint64_t nr = 2 * min_u64(line_nr + 1, COLLECT_HEAT_LINES);

	nr = UINT64_C(1) << (64 - __builtin_clzll(nr - 1));
	heat->slot_mask = nr - 1;
	memset(heat->slots, 0, nr * sizeof(heat->slots[0]));
}

/* How many bytes are the same from there on, or before it. */
static size_t
same_bytes(const uint8_t *a, const uint8_t *b, size_t nr, bool before)
{
	const size_t step = sizeof(uint64_t);
	size_t same = 0;

	for (; same + step <= nr; same += step) {
		ptrdiff_t off =
			before ? -(ptrdiff_t)(same + step) : (ptrdiff_t)same;

		if (memcmp(a + off, b + off, step) != 0)
			break;
	}
	for (; same < nr; same++) {
		ptrdiff_t off = before ? -(ptrdiff_t)same - 1 : (ptrdiff_t)same;

		if (a[off] != b[off])
			break;
	}
	return same;
}

/*
 * The lines with which a version begins and ends as the text does, whose hashes
 * are known; *at and *end: what is between them.
 */
static void
skip_same(const struct collect_heat *heat, const uint8_t **at,
	  const uint8_t **end, uint32_t *first_nr, uint32_t *last_nr)
{
	size_t bytes = (size_t)(*end - *at);
	size_t most = min_size(bytes, heat->bytes);
	size_t same = same_bytes(*at, heat->text, most, false);
	const uint8_t *newline = memrchr(*at, '\n', same);

	*first_nr = 0;
	*last_nr = 0;
	if (heat->line_nr == COLLECT_HEAT_LINES)
		return;
	same = newline == NULL ? 0 : (size_t)(newline + 1 - *at);
	*first_nr = (uint32_t)lang_newlines(*at, same);
	*at += same;
	same = same_bytes(*end, heat->text + heat->bytes, most - same, true);
	newline = memchr(*end - same, '\n', same);
	if (newline == NULL)
		return;
	same = (size_t)(*end - newline - 1);
	*last_nr = (uint32_t)lang_newlines(newline + 1, same);
	if (same > 0 && (*end)[-1] != '\n')
		++*last_nr;
	*end = newline + 1;
}

void
collect_heat_begin(struct collect_heat *heat, const uint8_t *text, size_t bytes)
{
	const uint8_t *end = text + bytes;

	heat->text = text;
	heat->bytes = bytes;
	heat->line_nr = 0;
	heat->version_nr = 0;
	while (text < end && heat->line_nr < COLLECT_HEAT_LINES)
		heat->lines[heat->line_nr++] = next_line(&text, end);
	memset(heat->since, 0, heat->line_nr);
}

/* Lines of the text are lines of the version in work. */
static void
add_lines(struct collect_heat *heat, uint32_t from, uint32_t to)
{
	for (; from < to; from++)
		*slot_of(heat, heat->lines[from]) = heat->lines[from];
}

void
collect_heat_version(struct collect_heat *heat, const uint8_t *text,
		     size_t bytes, const struct heat_span *commits)
{
	const uint8_t *end = text + bytes;
	struct heat_span *span = &heat->spans[heat->version_nr];
	uint32_t first_nr;
	uint32_t last_nr;

	if (heat->version_nr == COLLECT_HEAT_VERSIONS)
		return;
	heat->version_nr++;
	*span = *commits;
	span->line_nr = 0;
	clear_slots(heat, lang_newlines(text, bytes));
	skip_same(heat, &text, &end, &first_nr, &last_nr);
	add_lines(heat, 0, first_nr);
	add_lines(heat, heat->line_nr - last_nr, heat->line_nr);
	for (uint32_t i = first_nr + last_nr;
	     i < COLLECT_HEAT_LINES && text < end; i++) {
		uint64_t hash = next_line(&text, end);

		*slot_of(heat, hash) = hash;
	}
	for (uint32_t i = 0; i < heat->line_nr; i++) {
		if (heat->since[i] != 0 || *slot_of(heat, heat->lines[i]) != 0)
			continue;
		heat->since[i] = (uint8_t)heat->version_nr;
		span->line_nr++;
	}
}

/* Each commit divides its heat by the root of the lines that it brought. */
static uint32_t
heat_of(const struct heat_span *span)
{
	uint64_t nr = (uint64_t)span->line_nr * span->commit_nr;

	return (uint32_t)min_u64(span->heat / max_u64(heat_root(nr), 1),
				 UINT32_MAX);
}

/* What was put between two lines concerns both of these as well. */
static uint32_t
heat_beside(const struct collect_heat *heat, const uint32_t *heats, uint32_t i)
{
	uint32_t most = heats[heat->since[i]];

	if (i > 0 && heats[heat->since[i - 1]] > most)
		most = heats[heat->since[i - 1]];
	if (i + 1 < heat->line_nr && heats[heat->since[i + 1]] > most)
		most = heats[heat->since[i + 1]];
	return most;
}

uint32_t
collect_heat_lines(struct collect_heat *heat, struct history_lines *lines,
		   uint32_t room)
{
	uint32_t heats[1 + COLLECT_HEAT_VERSIONS] = { 0 }; /* by `since` */
	uint32_t nr = 0;
	uint32_t before = 0;

	for (uint32_t i = 0; i < heat->version_nr; i++)
		heats[1 + i] = heat_of(&heat->spans[i]);
	for (uint32_t i = 0; i < heat->line_nr; i++) {
		uint32_t most = heat_beside(heat, heats, i);

		if (most != 0 && most == before) {
			lines[nr - 1].nr++;
		} else if (most != 0) {
			if (nr == room)
				break;
			lines[nr++] = (struct history_lines){
				.first = i + 1,
				.nr = 1,
				.heat = most,
			};
		}
		before = most;
	}
	return nr;
}
