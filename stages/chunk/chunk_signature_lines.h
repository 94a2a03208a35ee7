/* SPDX-License-Identifier: MIT */
/*
 * chunk_signature_lines.h - definitions that chunks cut through, and where they
 *                           begin.
 *
 * Does: keeps the functions that are open; says of a chunk which of them it
 *       begins within, and of a border which of them it cuts for the first
 *       time.
 * Does not: know runs or slabs (chunk_cut.c).
 * Invariants:
 * 1. What is said of a chunk hangs on what the scanner has told of the text
 *    before its end.
 * Limits: SIGNATURE_LINES_OPEN functions one within the other or in one chunk;
 *         a name that lies farther than SIGNATURE_BYTES_MAX within its line has
 *         no signature line.
 */
#ifndef CHUNK_CHUNK_SIGNATURE_LINES_H
#define CHUNK_CHUNK_SIGNATURE_LINES_H

#include "stages/chunk/chunk_struct.h"

#define SIGNATURE_LINES_OPEN 12
#define SIGNATURE_BYTES_MAX 400
#define SIGNATURE_LEAST_BYTES 100 /* of the function in a chunk that wants it */

/* A function: its signature line is the one that its name is in. */
struct chunk_open {
	uint64_t off;
	uint64_t end;   /* UINT64_MAX: not known yet */
	uint32_t line;  /* 1 + the number of its signature line; 0: not given */
	uint16_t bytes; /* of the line */
	uint16_t name;  /* where in it */
};

struct chunk_signature_lines {
	struct chunk_open open[SIGNATURE_LINES_OPEN];
	uint32_t nr;
	uint32_t given; /* lines of the file, so far */
};

/* calls: as the scanner tells of a definition, and of its end */
void
chunk_signature_lines_open(struct chunk_signature_lines *lines,
			   const struct lang_text *text,
			   const struct lang_def *def);
void
chunk_signature_lines_close(struct chunk_signature_lines *lines,
			    const struct lang_def *def);

/*
 * shape:  the signature line to be packed before a chunk [off, end), 1 + its
 *         number; 0: none
 */
uint32_t
chunk_signature_lines_of(const struct chunk_signature_lines *lines,
			 uint64_t off, uint64_t end);

/*
 * shape:  the next function that begins in a chunk [off, end) and continues
 *         after it, whose line is now given; NULL: no more, and those that end
 *         in it are dropped
 */
const struct chunk_open *
chunk_signature_lines_cut(struct chunk_signature_lines *lines, uint64_t off,
			  uint64_t end);

#endif
