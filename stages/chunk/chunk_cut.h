/* SPDX-License-Identifier: MIT */
/*
 * chunk_cut.h - the current entry, shared by chunk_cut.c, which cuts it, and
 *               chunk_derive.c, which derives texts from it.
 */
#ifndef CHUNK_CHUNK_CUT_H
#define CHUNK_CHUNK_CUT_H

#include "stages/chunk/chunk_work.h"

/* A text being derived, in a slab. */
struct made {
	uint8_t *slab;
	uint32_t off;
	uint32_t room;
	uint32_t
		*bytes; /* written; in the state, as a step may end before it */
	bool is_text;   /* it is the text that it would be made of */
};

/* The current entry during one step. */
struct cut {
	struct chunk_work *work;
	const struct desc *in;
	const struct source_file
		*requested; /* its requested lines; NULL: none */
	struct lang_text text;
	struct chunk_fit fit;
	struct made signatures;
	struct made stripped;
	struct lang_maker maker;
	struct lang_sink sink;
	struct lang_code code; /* the words of its language that branch */
	const struct lang_sink *reported; /* the sink, if anybody listens */
	bool keeps_signatures;     /* for who writes them, as they are taken: */
	struct delta_writer delta; /* down here */
	bool is_uncut; /* what is planned was given without a scan, */
	bool is_kept;  /* and its signatures are kept: */
	struct chunk_kept_found kept; /* here */
	bool keeps_names;
	bool keeps_signature_lines; /* of functions that chunks cut through */
	bool gives_chunks;          /* or else signatures alone */
	uint64_t plan_first; /* of the plan: these, where no survey asks */
	bool collects;       /* stripped chunks become one text, no runs */
};

/* Sets up the derived texts and the sinks of the scanner. */
void
chunk_derive_begin(struct cut *cut);

/*
 * shape:  removes the comments of the chunk; a chunk larger than a slab could
 *         carry, which may have come in runs, stays unchanged
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

/* Writes the rest of the signatures when the entry has been cut; a survey keeps
 * them. */
void
chunk_derive_end(struct cut *cut);

/* Whether the survey has kept the signatures of all parts of a file. */
bool
chunk_derive_knows(const struct cut *cut);

/* Finds those of the part in work: false: it is none of these parts, so that the file
 * is another. */
bool
chunk_derive_find(const struct cut *cut, struct chunk_kept_found *found);

/*
 * shape:  takes the signatures of a part over as they are kept; false: they have to be
 *         derived, which only those of a whole file can be
 * calls:  instead of a scan and chunk_derive_end()
 */
bool
chunk_derive_recall(struct cut *cut);

/*
 * shape:  emits a run of signatures. All of a file are one chain; in gather the
 *         last run ends it, even if it is empty
 */
void
chunk_derive_emit(struct cut *cut);

/* Records the text derived from a whole file in its facts. */
void
chunk_derive_tell(struct cut *cut, struct desc_file *file);

#endif
