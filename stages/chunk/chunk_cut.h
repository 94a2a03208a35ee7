/* SPDX-License-Identifier: MIT */
/*
 * chunk_cut.h - one entry in work, between chunk_cut.c, which cuts it, and
 *               chunk_derive.c, which makes texts of it.
 */
#ifndef CHUNK_CHUNK_CUT_H
#define CHUNK_CHUNK_CUT_H

#include "stages/chunk/chunk_work.h"

/* A text in the making, in a slab. */
struct made {
	uint8_t *slab;
	uint32_t off;
	uint32_t room;
	uint32_t
		*bytes; /* written; in the state, as a step may end before it */
};

/* One entry in work, for one step. */
struct cut {
	struct chunk_work *work;
	const struct desc *in;
	const struct source_file
		*requested; /* lines wanted of it; NULL: none */
	struct lang_text text;
	struct chunk_fit fit;
	struct made signatures;
	struct made stripped;
	struct lang_maker maker;
	struct lang_sink sink;
	struct lang_code code; /* the words of its language that branch */
	const struct lang_sink *reported; /* the sink, if anybody listens */
	bool keeps_names;
	bool keeps_signature_lines; /* of functions that chunks cut through */
	bool keeps_defined;         /* names of definitions count more */
	bool collects; /* stripped chunks become one text, no runs */
};

/* Where made texts lie, and who is told of what the scanner finds. */
void
chunk_derive_begin(struct cut *cut);

/*
 * shape:  the chunk less its comments; one that is more than a slab could
 *         carry, and so may have come in runs, stays as it is
 */
void
chunk_derive_strip(struct cut *cut, struct desc *run);

/*
 * shape:  of a chunk less its comments only what is left of its first lines is
 *         to be written: run->rest_bytes; none, if it has no more lines
 * units:  whole: the chunk as it was read
 * calls:  after chunk_derive_strip(), before its comments are forgotten
 */
void
chunk_derive_part(struct cut *cut, const struct desc *whole, struct desc *run,
		  uint32_t lines);

/* What is left to be said of signatures when the entry has been cut. */
void
chunk_derive_end(struct cut *cut);

/*
 * shape:  a run of signatures. All of a file are one chain; where it is
 *         written, the last run ends it, whether anything is in it or not
 */
void
chunk_derive_emit(struct cut *cut);

/* The text that has been made of a whole file, into its facts. */
void
chunk_derive_tell(struct cut *cut, struct desc_file *file);

#endif
