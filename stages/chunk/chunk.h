/* SPDX-License-Identifier: MIT */
/*
 * chunk.h - finds where a text can be cut.
 *
 * Does: finds the end of the next chunk, at a line's end, with a preference
 *       for blank lines; counts lines and what a format has to know of.
 * Does not: know files, slabs or descriptors.
 * Invariants:
 * 1. The chunks of a text, joined, are the text.
 * 2. A chunk ends after a newline or at the end of the text.
 */
#ifndef CHUNK_CHUNK_H
#define CHUNK_CHUNK_H

#include "markup/markup.h"
#include "base/base.h"
#include "lang/text.h"

/*
 * shape:  bytes of the chunk that begins at text[0]; 0: its end cannot be found
 *         without more text
 * units:  bytes: present now; at_end: nothing follows them; aim: the wanted
 *         size, exceeded only by a longer line, and by a short rest of up to a
 *         quarter
 * errors: none; never 0 when at_end and bytes > 0
 * calls:  chunk_cutter_find(), where no structure is known
 */
size_t
chunk_next(const uint8_t *text, size_t bytes, bool at_end, size_t aim);

/*
 * shape:  the end of a chunk at a line: after a blank one in the second half of
 *         `max` bytes, or the last one in them, or the next one; 0: unknown
 * calls:  where the scanner has no mark
 */
size_t
chunk_line_end(const uint8_t *text, size_t bytes, bool at_end, size_t max);

#define CHUNK_TAIL_BYTES 72 /* a special token is no longer */

/* The counts of a text that arrives in parts. */
struct chunk_tally {
	uint64_t bytes;
	uint64_t newlines;
	uint32_t mark_run;  /* the longest yet */
	uint32_t mark_tail; /* of the run that the last part ended in */
	uint32_t dot_run;   /* the longest behind "// " */
	uint32_t dot_tail;  /* likewise; 0: the last part did not end in one */
	uint8_t mark;       /* whose runs are counted; 0: the backtick's */
	uint8_t traits;     /* enum markup_trait */
	uint8_t last_byte;
	uint8_t tail_nr;
	uint8_t tail[CHUNK_TAIL_BYTES]; /* the end of the last part */
	uint8_t strips; /* 1: invisible characters are left out */
	uint8_t pad[3];
	struct markup_flow flow; /* of what is left */
};

/*
 * shape:  continues a tally with the next bytes
 * owner:  the caller's, zeroed at the start of a file
 */
void
chunk_tally_add(struct chunk_tally *tally, const uint8_t *text, size_t bytes);

/*
 * shape:  the properties (enum markup_trait) of a text
 * units:  characters and tokens that its end cuts are not recognised
 */
uint8_t
chunk_traits(const uint8_t *text, size_t bytes);

#endif
