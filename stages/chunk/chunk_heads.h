/* SPDX-License-Identifier: MIT */
/*
 * chunk_heads.h - definitions that chunks cut through, and where they begin.
 *
 * Does: keeps the functions that are open; says of a chunk which of them it
 *       begins within, and of a border which of them it cuts for the first
 *       time.
 * Does not: know runs or slabs (chunk_cut_worker.c).
 * Invariants:
 * 1. What is said of a chunk hangs on what the scanner has told of the text
 *    before its end.
 * Limits: HEADS_OPEN functions one within the other or in one chunk; a name
 *         that lies farther than HEAD_BYTES_MAX within its line has no head.
 */
#ifndef CHUNK_CHUNK_HEADS_H
#define CHUNK_CHUNK_HEADS_H

#include "stages/chunk/chunk_struct.h"

#define HEADS_OPEN 12
#define HEAD_BYTES_MAX 400
#define HEAD_LEAST_BYTES 100 /* of the function in a chunk that wants it */

/* A function: its head is the line that its name is in. */
struct chunk_open {
	uint64_t off;
	uint64_t end;   /* UINT64_MAX: not known yet */
	uint32_t head;  /* 1 + the number of its head; 0: not given */
	uint16_t bytes; /* of the line */
	uint16_t name;  /* where in it */
};

struct chunk_heads {
	struct chunk_open open[HEADS_OPEN];
	uint32_t nr;
	uint32_t given; /* heads of the file, so far */
};

/* calls: as the scanner tells of a definition's head, and of its end */
void
chunk_heads_open(struct chunk_heads *heads, const struct lang_text *text,
		 const struct lang_def *def);
void
chunk_heads_close(struct chunk_heads *heads, const struct lang_def *def);

/*
 * shape:  the head that a chunk [off, end) is to have before it, 1 + its
 *         number; 0: none
 */
uint32_t
chunk_heads_of(const struct chunk_heads *heads, uint64_t off, uint64_t end);

/*
 * shape:  the next function that begins in a chunk [off, end) and goes on
 *         behind it, which now has a head; NULL: no more, and those that end
 *         in it are forgotten
 */
const struct chunk_open *
chunk_heads_cut(struct chunk_heads *heads, uint64_t off, uint64_t end);

#endif
