/* SPDX-License-Identifier: MIT */
/*
 * chunk_pick.h - which signatures of a file are written, where not all are.
 *
 * Does: takes those first of whose definitions the last commits changed most,
 *       for their bytes; then public ones, then those that stand outside of
 *       others. With a member comes what it is a member of. None is taken whose
 *       definition is written in full.
 * Does not: write them.
 */
#ifndef CHUNK_CHUNK_PICK_H
#define CHUNK_CHUNK_PICK_H

#include "catalogue/desc.h"
#include "catalogue/history.h"
#include "lang/outline.h"

struct chunk_picks {
	struct chunk_pick {
		uint64_t key;
		uint32_t nr;
		uint32_t pad;
	} list[OUTLINE_SIGNATURES];
	uint32_t taken[OUTLINE_SIGNATURES + 1]; /* bytes; 0: what is before */
};

/* The signatures to choose from. */
struct chunk_outline {
	const struct lang_signatures *signatures;
	const uint8_t *text; /* what is before them, and they */
	size_t bytes;
	uint64_t line_end;               /* of the text that they are of */
	const struct history_lines *hot; /* NULL: unknown */
	uint32_t hot_nr;
	bool numbers; /* lines of the text begin with theirs */
	uint32_t chunk_nr;
	const struct desc *chunks; /* that are written in full, in order */
};

/* How many signatures there are; 0: they are not known. */
static inline uint32_t
chunk_signature_nr(const struct chunk_outline *outline)
{
	uint32_t nr = outline->signatures->nr;

	return nr > OUTLINE_SIGNATURES ? 0 : nr;
}

/* Where the n-th begins in the text; of what is before them, n is 0. */
size_t
chunk_signature_at(const struct chunk_outline *outline, uint32_t n);

/* Whether the definition of the n-th is in a chunk that is written. */
bool
chunk_signature_in_full(const struct chunk_outline *outline, uint32_t n);

/*
 * shape:  spans of the text, of which no more than `room` bytes are taken: of a
 *         signature that has no room its first line; how many spans; 0: unknown
 * owner:  picks: memory for the call
 */
size_t
chunk_pick(const struct chunk_outline *outline, size_t room,
	   struct chunk_picks *picks,
	   struct lang_outline_span spans[static OUTLINE_SPANS]);

#endif
