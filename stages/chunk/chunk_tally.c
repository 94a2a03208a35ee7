/* SPDX-License-Identifier: MIT */
/*
 * chunk_tally.c - what a format has to know of a content before it writes it.
 */
#include "stages/chunk/chunk.h"
#include "lang/find.h"

#include <string.h>

#define STRIPPED_BYTES 2048
#define SHORT_BYTES 64 /* not worth a look at many together */

static void
add_marks(struct chunk_tally *tally, const uint8_t *text, size_t bytes)
{
	const uint8_t mark = tally->mark == 0 ? '`' : tally->mark;
	size_t at = 0;

	while (at < bytes) {
		uint64_t run;

		if (text[at] != mark) {
			const uint8_t *next =
				memchr(text + at, mark, bytes - at);

			tally->mark_tail = 0;
			if (next == NULL)
				return;
			at = (size_t)(next - text);
		}
		run = tally->mark_tail;
		while (at < bytes && text[at] == mark) {
			run++;
			at++;
		}
		tally->mark_tail = (uint32_t)min_u64(run, UINT32_MAX);
		if (tally->mark_tail > tally->mark_run)
			tally->mark_run = tally->mark_tail;
	}
}

/* Dots from `at` on, after so many; how the tally goes on. */
static void
add_dots(struct chunk_tally *tally, const uint8_t *at, const uint8_t *end,
	 uint64_t run)
{
	while (at < end && *at == '.') {
		at++;
		run++;
	}
	run = min_u64(run, UINT32_MAX);
	tally->dot_run = (uint32_t)max_u64(tally->dot_run, run);
	tally->dot_tail = at == end ? (uint32_t)run : 0;
}

static const char gap_word[] = "// ...";

/* Where a line could be taken for a gap mark: how many dots it has. */
static void
add_gaps(struct chunk_tally *tally, const uint8_t *text, size_t bytes)
{
	const size_t word = sizeof(gap_word) - 1;
	const uint8_t *end = text + bytes;
	const uint8_t *at = text;

	while (lang_has_avx2() && at < end) {
		size_t place = lang_gap_next_avx2(at, 0, (size_t)(end - at));

		at += place;
		if ((size_t)(end - at) < SHORT_BYTES)
			break;
		if (memcmp(at, gap_word, word) == 0)
			add_dots(tally, at + word, end, 3);
		at++;
	}
	while ((at = memmem(at, (size_t)(end - at), gap_word, word)) != NULL) {
		at += word;
		add_dots(tally, at, end, 3);
	}
}

/* What lies across the end of the last part and the start of this one. */
static void
add_seam(struct chunk_tally *tally, const uint8_t *text, size_t bytes)
{
	uint8_t seam[2 * CHUNK_TAIL_BYTES];
	size_t more = min_size(bytes, CHUNK_TAIL_BYTES);
	size_t nr = tally->tail_nr + more;
	size_t word = sizeof(gap_word) - 1;

	memcpy(seam, tally->tail, tally->tail_nr);
	memcpy(seam + tally->tail_nr, text, more);
	if (tally->tail_nr > 0)
		tally->traits |= chunk_traits(seam, nr);
	for (size_t i = min_size(tally->tail_nr, word - 1); i > 0; i--) {
		size_t from = tally->tail_nr - i;

		if (nr - from >= word &&
		    memcmp(seam + from, gap_word, word) == 0)
			add_dots(tally, text + (word - i), text + bytes, 3);
	}
	if (bytes >= CHUNK_TAIL_BYTES) {
		tally->tail_nr = CHUNK_TAIL_BYTES;
		memcpy(tally->tail, text + bytes - CHUNK_TAIL_BYTES,
		       CHUNK_TAIL_BYTES);
	} else {
		tally->tail_nr = (uint8_t)min_size(nr, CHUNK_TAIL_BYTES);
		memmove(tally->tail, seam + nr - tally->tail_nr,
			tally->tail_nr);
	}
}

/* Runs and marks of a text as it will stand in the output. */
static void
add_looks(struct chunk_tally *tally, const uint8_t *text, size_t bytes)
{
	uint32_t dot_tail = tally->dot_tail;

	if (bytes == 0)
		return;
	tally->dot_tail = 0;
	if (dot_tail > 0)
		add_dots(tally, text, text + bytes, dot_tail);
	add_marks(tally, text, bytes);
	add_seam(tally, text, bytes);
	add_gaps(tally, text, bytes);
}

/* The same where characters are left out: what was apart may then join. */
static void
add_stripped(struct chunk_tally *tally, const uint8_t *text, size_t bytes)
{
	const struct markup_options strips = {
		.kind = MARKUP_MARKDOWN,
		.unicode = MARKUP_UNICODE_STRIP,
	};
	struct markup_rest rest = { text, text + bytes };
	struct markup_rules rules;
	uint8_t part[STRIPPED_BYTES];

	markup_rules_init(&rules, &strips);
	while (rest.at < rest.end)
		add_looks(tally, part,
			  markup_escape_run(&rules, &tally->flow, &rest, part,
					    sizeof(part)));
}

void
chunk_tally_add(struct chunk_tally *tally, const uint8_t *text, size_t bytes)
{
	if (bytes == 0)
		return;
	tally->bytes += bytes;
	tally->newlines += lang_newlines(text, bytes);
	tally->traits |= chunk_traits(text, bytes);
	if (tally->strips)
		add_stripped(tally, text, bytes);
	else
		add_looks(tally, text, bytes);
	tally->last_byte = text[bytes - 1];
}
