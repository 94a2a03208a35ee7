/* SPDX-License-Identifier: MIT */
/*
 * chunk_weave.h - the signatures of a part of a file, and those of its chunks
 *                 that are written in full, in the order of the file.
 *
 * Does: puts each chunk in its place among the signatures; leaves those out
 *       that a chunk has in full.
 * Does not: choose signatures (chunk_pick.c, outline_pick.c).
 * Invariants:
 * 1. The runs of signatures are all of their text, in order: what is not
 *    written of it is compared.
 * 2. More chunks than WEAVE_CHUNKS of a part stand before its signatures.
 */
#ifndef CHUNK_CHUNK_WEAVE_H
#define CHUNK_CHUNK_WEAVE_H

#include "stages/chunk/chunk_pick.h"

#define WEAVE_CHUNKS 64

/* What comes of a part at most: a chunk may divide a run of signatures, and so
 * may those that are left out for it. */
#define WEAVE_EMITS (OUTLINE_SPANS + 3 * WEAVE_CHUNKS)

/* Where the runs go. */
struct chunk_weave_sink {
	void (*emit)(void *context, const struct desc *run);
	void *context;
};

/*
 * shape:  emits all of the part; `whole`: the run of all its signatures, spans:
 *         which of them are taken
 * units:  a run of signatures says the line of the first one that is taken, and
 *         in line_nr how many there are to the last one's; 0: none is
 */
void
chunk_weave(const struct chunk_outline *outline, const struct desc *whole,
	    const struct lang_outline_span *spans,
	    const struct chunk_weave_sink *sink);

#endif
