/* SPDX-License-Identifier: MIT */
/*
 * chunk_worker.h - the callbacks of chunk, for stage_table.c, and what its
 * files share.
 *
 *   chunk_worker.c      which entries there are, who is left out
 *   chunk_cut_worker.c  content into runs of chunks
 *   chunk_derive_worker.c  texts made of content
 *   chunk_names_worker.c  what is defined, imported and left to do
 */
#ifndef CHUNK_CHUNK_WORKER_H
#define CHUNK_CHUNK_WORKER_H

#include "stages/chunk/chunk.h"
#include "stages/chunk/chunk_fit.h"
#include "stages/chunk/chunk_heads.h"
#include "lang/outline.h"
#include "stages/chunk/chunk_struct.h"
#include "stages/worker.h"
#include "catalogue/names.h"

extern const struct stage_ops chunk_ops;

/* Neighbours are joined to about 700 tokens: smaller chunks would rank a little
 * better, but there would be many more of them to keep and to rank. */
#define JOIN_BYTES 2048

/* With a query, what competes are pieces of some thirty lines: docs/ranking.md
 * has what other sizes do. */
#define PIECE_MAX_BYTES 1100
#define PIECE_MIN_BYTES 360
#define PIECE_JOIN_BYTES 540

/*
 * What a step gives when it stops cutting; a chunk may be followed by the
 * terms that it has and by heads, and an entry by its signatures, names, facts and slabs.
 */
#define CUT_EMITS 480
#define EMITS_NEEDED (CUT_EMITS + 8 + HEADS_OPEN)

static_assert(EMITS_NEEDED <= EMITS_MAX, "a step's log holds them");
static_assert(CHUNK_CARRY_BYTES + 1024 < SLAB_HEAD_BYTES,
	      "what a chunk may need can be carried");

/* What is known of the file in work by names. */
struct chunk_names {
	uint64_t next;       /* where they begin, in the lane's region */
	uint32_t code_first; /* of the blocks of code told of, the next that */
	uint32_t code_next;  /* is to be given; the next to be told of */
	uint32_t branch_nr;  /* for which there was no room */
	uint32_t all_nr;     /* names of Python's __all__ */
	uint32_t is_header;  /* 1: what the file declares is for others */
	uint32_t pad;
	struct names head;
};

#define DEFINED_MAX 32 /* in a chunk; further ones are as other words */

/* Names of definitions, for the chunks that they will be in. */
struct chunk_defined {
	uint32_t offs[DEFINED_MAX]; /* in the file, less what passes 4 GiB */
	uint8_t bytes[DEFINED_MAX];
	uint32_t nr;
};

/* A place in the text in work, and its line. */
struct chunk_line {
	uint32_t at;
	uint32_t line;
};

struct chunk_state {
	struct chunk_names names;
	struct chunk_tally tally; /* of the large file in work */
	uint64_t file_off;        /* of the next byte to be cut */
	uint32_t line_next;       /* its line */
	uint32_t chunk_next;      /* how many chunks lie before it */
	uint32_t file_idx;        /* FILE_NONE + 1 = 0: none */
	uint32_t dead_file;       /* index + 1 of a file that is passed over */
	uint32_t dead_reason;     /* why */
	uint32_t carry_slab;      /* index + 1 */
	uint32_t carry_off;
	uint32_t carry_bytes;
	uint32_t in_chain; /* 1: the chunk in work has given runs */
	uint32_t goes_on;  /* 1: the entry at the head has been cut in part: */
	uint32_t cut_from; /* its text begins there in its slab */
	uint32_t cut_at;   /* and its next chunk here */
	uint32_t made_bytes[2];
	uint32_t made_short;  /* signatures that did not fit */
	uint32_t is_stripped; /* 1: comments of the file have been left out */
	struct lang_sign_room sign_room; /* of those not all of which fit */
	struct chunk_line marked;
	/* from here on: between two parts of a file, two steps of an entry */
	struct chunk_heads heads;
	struct chunk_defined defined; /* only with a query */
	struct lang_outliner outliner;
	struct chunk_cutter cutter;
	struct lang_comments comments; /* last: kept only to be left out */
};

static_assert(sizeof(struct chunk_state) <= STATE_BYTES_MAX, "fits a step");

/*
 * shape:  makes the state ready for a file
 * calls:  at its first entry
 */
void
chunk_begin_file(struct worker *worker, uint32_t file_idx);

/*
 * shape:  the entry's slab from `off` on, the next bytes of the file, as runs:
 *         of its chunks if it is looked at; of what is planned if it is to be
 *         written; of its signatures if the entry says so. All but the entry's
 *         own facts, and its slab. False: there are more than a step can
 *         give; to be called again for the entry in the next one
 * units:  *left is the offset of what is left for the next slab, or the end
 */
bool
chunk_cut(struct worker *worker, const struct desc *in, uint32_t off,
	  bool at_end, uint32_t *left);

/*
 * shape:  the same of a file that is written whole: nothing is given, `file`
 *         says where the text lies that has been made of it
 */
void
chunk_make_whole(struct worker *worker, const struct desc *in,
		 struct desc_file *file);

/*
 * shape:  keeps the name of a definition for query_count() of its chunk
 * calls:  as the scanner tells of it
 */
void
chunk_defined_add(struct chunk_defined *defined, const struct lang_def *def);

/* Nothing is reserved for names by this process, as yet. */
void
chunk_names_init(void);

/* What the path of the file in work says of its names. */
void
chunk_names_of(struct worker *worker);

/* Whether there is room for the names of the file in work. */
bool
chunk_names_begin(struct worker *worker);

/* As the scanner tells of them; the text is the one that it has. */
void
chunk_names_def(struct worker *worker, const struct lang_text *text,
		const struct lang_def *def);
void
chunk_names_import(struct worker *worker, const struct lang_text *text,
		   uint64_t off, uint32_t bytes);

/* What the file is of, from its beginning; calls: before all else. */
void
chunk_names_packages(struct worker *worker, const struct lang_text *text);

/* The markers in a comment. */
void
chunk_names_comment(struct worker *worker, const struct lang_text *text,
		    uint64_t off, uint64_t end_off);

/* The same of what is only declared, and so counts in a header. */
void
chunk_names_declare(struct worker *worker, const struct lang_def *def);

/* Names for others to use that are no definitions. */
void
chunk_names_export(struct worker *worker, enum lang_export what, uint32_t nr);

/* What has been found in code: kept until its chunk is given. */
void
chunk_names_code(struct worker *worker, uint64_t off,
		 const struct lang_code_block *block);

/*
 * shape:  a chunk of the text is given: its branches, and what it calls, if
 *         the report tells of them
 * units:  line is its first; off and end_off are of the file; returns how many
 *         branches it has
 */
uint32_t
chunk_names_chunk(struct worker *worker, const struct lang_text *text,
		  const struct lang_code *words, uint32_t line, uint64_t off,
		  uint64_t end_off);

/*
 * shape:  all of the file has been told: says where its names are, if it has
 *         any
 * calls:  once a file, before its facts are sent
 */
void
chunk_names_end(struct worker *worker, uint32_t file_idx);

/* A run of these bytes as they are; counts their lines. */
void
chunk_emit_run(struct worker *worker, const struct desc *in, uint32_t off,
	       uint32_t bytes, uint8_t more);

#endif
