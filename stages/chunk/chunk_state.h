/* SPDX-License-Identifier: MIT */
/*
 * chunk_state.h - what chunk remembers from step to step: plain data.
 */
#ifndef CHUNK_CHUNK_STATE_H
#define CHUNK_CHUNK_STATE_H

#include "catalogue/desc.h"
#include "catalogue/names.h"
#include "lang/outline.h"
#include "stages/chunk/chunk.h"
#include "stages/chunk/chunk_fit.h"
#include "stages/chunk/chunk_signature_lines.h"
#include "stages/chunk/chunk_struct.h"

/* Neighbours are joined to about 700 tokens: smaller chunks would rank a
 * little better, but there would be many more of them to store and to rank. */
#define JOIN_BYTES 2048

/* With a query, candidates are pieces of some thirty lines: docs/ranking.md
 * has the effect of other sizes. */
#define PIECE_MAX_BYTES 1100
#define PIECE_MIN_BYTES 360
#define PIECE_JOIN_BYTES 540

/*
 * What a step gives when it stops cutting; a chunk may be followed by the
 * terms that it has and by signature lines, and an entry by its signatures,
 * names, facts and slabs.
 */
#define CUT_EMITS 480
#define EMITS_NEEDED (CUT_EMITS + 8 + SIGNATURE_LINES_OPEN)

static_assert(CHUNK_CARRY_BYTES + 1024 < SLAB_HEAD_BYTES,
	      "what a chunk may need can be carried");

/* The names of the current file. */
struct chunk_names {
	uint64_t next;       /* where they begin, in the lane's region */
	uint32_t code_first; /* of the blocks of code told of, the next that */
	uint32_t code_next;  /* is to be given; the next to be told of */
	uint32_t branch_nr;  /* for which there was no room */
	uint32_t all_nr;     /* names of Python's __all__ */
	uint32_t is_header;  /* 1: its declarations are exported */
	uint32_t pad;
	struct names head;
};

#define DEFINED_MAX 32 /* in a chunk; further ones count as other words */

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
	uint32_t dead_file;       /* index + 1 of a file that is skipped */
	uint32_t dead_reason;     /* why */
	uint32_t carry_slab;      /* index + 1 */
	uint32_t carry_off;
	uint32_t carry_bytes;
	uint32_t in_chain; /* 1: the current chunk has given runs */
	uint32_t goes_on;  /* 1: the entry at the head has been cut in part: */
	uint32_t cut_from; /* its text begins there in its slab */
	uint32_t cut_at;   /* and its next chunk here */
	uint32_t made_bytes[2];
	uint32_t made_short;  /* number of signatures that did not fit */
	uint32_t is_stripped; /* 1: comments of the file have been left out */
	struct lang_outline_room
		outline_room; /* of those not all of which fit */
	struct chunk_line marked;
	/* from here on: between two parts of a file, two steps of an entry */
	struct chunk_signature_lines signature_lines;
	struct chunk_defined defined; /* only with a query */
	struct lang_outliner outliner;
	struct chunk_cutter cutter;
	struct lang_comments comments; /* last: kept only to be left out */
};

#endif
