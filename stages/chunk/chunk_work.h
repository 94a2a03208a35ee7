/* SPDX-License-Identifier: MIT */
/*
 * chunk_work.h - one step of chunk: its input, and where its output goes.
 *
 *   chunk_step.c    which entries there are, what is left out
 *   chunk_cut.c     content into runs of chunks
 *   chunk_derive.c  texts derived from content
 *   chunk_kept.c    signatures encoded, for who writes them
 *   chunk_weave.c   signatures and chunks of a file, in its order
 *   chunk_names.c   definitions, imports, open markers
 *   chunk_terms.c   words of the query
 *   chunk_words.c   words of any query
 *
 * Does not: know rings or processes; chunk_worker.c does.
 */
#ifndef CHUNK_CHUNK_WORK_H
#define CHUNK_CHUNK_WORK_H

#include "catalogue/plan.h"
#include "catalogue/desc.h"
#include "catalogue/names.h"
#include "catalogue/words.h"
#include "lang/outline.h"
#include "rank/query_filter.h"
#include "stages/chunk/chunk.h"
#include "stages/chunk/chunk_fit.h"
#include "stages/chunk/chunk_kept.h"
#include "stages/chunk/chunk_pick.h"
#include "stages/chunk/chunk_signature_lines.h"
#include "stages/chunk/chunk_struct.h"
#include "stages/chunk/chunk_weave.h"
#include "stages/job.h"

/* ---- what is remembered from step to step: plain data ---- */

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
#define EMITS_NEEDED (WEAVE_EMITS + 8 + SIGNATURE_LINES_OPEN + 2 * WORDS_EMITS)

static_assert(WEAVE_EMITS >= CUT_EMITS, "the larger of the two");

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
	uint32_t chunks_bytes; /* of head.bytes, those of chunks */
	uint32_t counted_at;   /* the first entry whose words may still count */
	uint32_t signatures_bytes; /* of the parts so far, and their sum */
	uint32_t signatures_lost;  /* 1: those of a part could not be kept */
	struct names head;
};

/* Descriptors of a block of words at most. */
#define WORDS_EMITS ((1 + WORDS_FILTER_MAX + WORDS_OF_DESC - 1) / WORDS_OF_DESC)

static_assert(WORDS_FILTER_MAX == QUERY_FILTER_WORDS, "what a block holds");

/* The words of chunks that are not given yet. */
struct chunk_words {
	struct query_filter filter;
	uint32_t bytes; /* of the chunks */
	uint32_t chunk_nr;
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
	uint32_t made_short;    /* number of signatures that did not fit */
	uint32_t is_stripped;   /* 1: comments of the file have been left out */
	uint32_t outline_lines; /* of the signatures that were given */
	uint32_t surveyed;      /* 1 + the entry of the survey that is whole */
	uint32_t recalls; /* 1: signatures of all parts of the file are kept */
	struct lang_outline_room
		outline_room; /* of those not all of which fit */
	struct lang_place marked;
	/* from here on: between two parts of a file, two steps of an entry */
	struct chunk_words words;
	struct chunk_signature_lines signature_lines;
	struct lang_outliner outliner;
	struct chunk_cutter cutter;
	struct lang_comments comments; /* last: kept only to be left out */
};

/* ---- one step ---- */

/* The rules for chunks, the same in all steps. */
struct chunk_rules {
	struct chunk_fit fit;
	const struct job *job;
};

/* Memory for a step: but for the words, its content is lost after it. */
struct chunk_scratch {
	struct query_words words;
	struct lang_signatures signatures; /* of the part in work */
	struct chunk_picks picks;
	struct desc waiting[WEAVE_CHUNKS]; /* chunks of the part in work */
	uint32_t waiting_nr;
	uint8_t first[SLAB_HEAD_BYTES];
	uint8_t line[OUTLINE_LINE_BYTES];
	uint8_t delta[NAMES_SIGNATURES_BYTES]; /* of the signatures in work */
};

/* One step. */
struct chunk_work {
	const struct chunk_rules *rules;
	void (*emit)(void *context, const struct desc *desc);
	void *context; /* of it */
	const struct catalogue *catalogue;
	uint64_t plan_nr;        /* entries, where it is written */
	uint32_t estimated_from; /* file_is_estimated() */
	struct names_lane *lane;
	/* catalogue_reserve_names() */
	int (*reserve_names)(const struct catalogue *catalogue,
			     struct names_lane *lane, uint64_t off);
	const struct slabs *slabs;
	struct chunk_scratch *scratch;
	struct chunk_state *state;
	uint32_t code_first;  /* blocks of code that the step began with */
	uint32_t state_bytes; /* of it that matter between steps */
	uint32_t emit_nr;
	uint32_t long_lines;       /* chunks that are one line, and too long */
	uint32_t short_signatures; /* those that did not fit */
	int error; /* -errno, the step is not to be kept: there is no room for names;
		    * -ESTALE: the kept survey is damaged */
};

/* Emits a descriptor to count. */
static inline void
chunk_emit(struct chunk_work *work, const struct desc *desc)
{
	work->emit_nr++;
	work->emit(work->context, desc);
}

/*
 * shape:  the limits of chunks in bytes, by those in tokens and by what chunks
 *         are for: the other members of the rules
 */
void
chunk_rules_fit(struct chunk_rules *rules);

/* ---- chunk_step.c ---- */

/*
 * shape:  processes an entry, or as much of it as a step can emit: then
 *         state->goes_on is set, and the entry is passed again
 */
void
chunk_step_entry(struct chunk_work *work, const struct desc *in);

/* Leaves the file of an entry out, for that reason. */
void
chunk_step_leave_out(struct chunk_work *work, const struct desc *in,
		     uint8_t reason);

/* ---- chunk_cut.c ---- */

/*
 * shape:  initialises the state for a file
 * calls:  at its first entry
 */
void
chunk_begin_file(struct chunk_work *work, uint32_t file_idx);

/*
 * shape:  the entry's slab from `off` on, the next bytes of the file, as runs:
 *         of its chunks if it is looked at; of what is planned if it is to be
 *         written; of its signatures if the entry says so. All but the entry's
 *         own facts, and its slab. False: there are more than a step can
 *         give; to be called again for the entry in the next one
 * units:  *left is the offset of what is left for the next slab, or the end
 */
bool
chunk_cut(struct chunk_work *work, const struct desc *in, uint32_t off,
	  bool at_end, uint32_t *left);

/*
 * shape:  the same of a file that is written whole: nothing is given, `file`
 *         says where the text lies that has been made of it
 */
void
chunk_make_whole(struct chunk_work *work, const struct desc *in,
		 struct desc_file *file);

/* Emits a run of these bytes unchanged; counts their lines. */
void
chunk_emit_run(struct chunk_work *work, const struct desc *in, uint32_t off,
	       uint32_t bytes, uint8_t more);

/* ---- chunk_terms.c ---- */

/*
 * shape:  what a run of a chunk has of the query; nothing if it has nothing of
 *         it. Words in names of definitions that begin in it count once more
 * units:  run: as it was read; has_names: those of the file are kept
 */
void
chunk_terms_emit(struct chunk_work *work, const struct desc *run,
		 bool has_names);

/*
 * shape:  the same of the chunks of a file of the kept survey that an entry has
 *         all of; false: there are more than a step can give, to be called
 *         again in the next one
 */
bool
chunk_terms_emit_surveyed(struct chunk_work *work, const struct desc *in);

/* ---- chunk_words.c ---- */

/* Words of a text that count for the chunk in work. */
void
chunk_words_add(struct chunk_work *work, const uint8_t *text, size_t bytes);

/* The chunk in work ends: with it, a block may. units: bytes of it */
void
chunk_words_end_chunk(struct chunk_work *work, uint32_t file_idx,
		      uint32_t bytes);

/* The file ends: what is left is a block. */
void
chunk_words_end(struct chunk_work *work, uint32_t file_idx);

/* ---- chunk_names.c ---- */

/* Whether there is room for the names of the file in work. */
bool
chunk_names_begin(struct chunk_work *work);

/* The entries so far of the file in work, names.head.bytes of them. */
const uint8_t *
chunk_names_entries(const struct chunk_work *work);

/*
 * shape:  keeps the signatures of the next part of the file in work, if there is
 *         room; NULL: they cannot be kept. All parts of a file are kept, or none
 */
void
chunk_names_signatures(struct chunk_work *work, const struct chunk_kept *kept);

/* Called by the scanner; the text is the scanner's. */
void
chunk_names_def(struct chunk_work *work, const struct lang_text *text,
		const struct lang_def *def);
void
chunk_names_import(struct chunk_work *work, const struct lang_text *text,
		   uint64_t off, uint32_t bytes);

/* What the file is of, from its beginning; calls: before all else. */
void
chunk_names_packages(struct chunk_work *work, const struct lang_text *text);

/* The markers in a comment. */
void
chunk_names_comment(struct chunk_work *work, const struct lang_text *text,
		    uint64_t off, uint64_t end_off);

/* The same for declarations, which count in a header. */
void
chunk_names_declare(struct chunk_work *work, const struct lang_def *def);

/* Exported names that are not definitions. */
void
chunk_names_export(struct chunk_work *work, enum lang_export what, uint32_t nr);

/* Keeps findings in code until their chunk is emitted. */
void
chunk_names_code(struct chunk_work *work, uint64_t off,
		 const struct lang_code_block *block);

/*
 * shape:  a chunk of the text is given: its branches, and what it calls, if
 *         the report tells of them
 * units:  returns how many branches it has
 */
uint32_t
chunk_names_chunk(struct chunk_work *work, const struct lang_text *text,
		  const struct lang_code *words, const struct desc *run);

/*
 * shape:  all of the file has been told: says where its names are, if it has
 *         any
 * calls:  once a file, before its facts are sent
 */
void
chunk_names_end(struct chunk_work *work, uint32_t file_idx);

#endif
