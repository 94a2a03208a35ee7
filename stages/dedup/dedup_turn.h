/* SPDX-License-Identifier: MIT */
/*
 * dedup_turn.h - a file whose turn it is: what is written down of it, and what
 * is passed on.
 *
 * Does: in the survey, writes facts and chunks, and finds files that repeat an
 *       earlier one; in gather, finds planned chunks that are not what was
 *       surveyed.
 * Does not: take descriptors: dedup_worker.c.
 * Runs in: dedup.
 * Invariants:
 * 1. The chunks of one file lie side by side in the catalogue.
 */
#ifndef DEDUP_DEDUP_TURN_H
#define DEDUP_DEDUP_TURN_H

#include "catalogue/catalogue.h"
#include "catalogue/desc.h"
#include "catalogue/facts.h"
#include "stages/job.h"

struct dedup_state {
	uint64_t chunk_next; /* first free record */
	uint64_t plan_next;  /* entry of the plan, in gather */
	uint64_t seen_slots; /* slots of the table; 0: none yet */
	uint64_t seen_files; /* entries in it */
	uint32_t seen_lost;  /* 1: it could not grow: nothing is compared */
	uint32_t signatures_bytes; /* as in file_facts, of the file in work */
	uint32_t in_turn;          /* 1: the rest is about a file in work */
	uint32_t lane;
	uint32_t file_idx;
	uint32_t drop;   /* 1: its runs are not to be written */
	uint32_t poison; /* 1: it has ended this stage too often */
	uint32_t signs;  /* 1: its signatures are planned, in gather: */
	uint64_t chunk_first;
	uint64_t term_next;  /* first free record of a term */
	uint64_t term_first; /* of the file in work */
	uint64_t word_next;  /* first free word */
	uint64_t word_first; /* of the file in work */
	uint64_t bytes;
	uint64_t tokens;    /* of the file; in gather of the planned chunk */
	uint64_t chain_off; /* the chunk in work, if it came in runs */
	uint64_t chain_bytes;
	uint32_t chain_line;
	uint32_t chain_lines;
	uint64_t names_off;            /* as in file_facts */
	uint32_t signature_line_next;  /* first free record */
	uint32_t signature_line_first; /* of the file in work */
	uint32_t chain_signature_line;
	uint32_t
		has_long; /* 1: the file has a chunk whose words are not kept */
	uint64_t outline_entry;  /* their entry of the plan */
	uint64_t outline_tokens; /* of them; in gather, of what is written */
	uint8_t outline_fingerprint[FINGERPRINT_BYTES];
};

struct dedup {
	struct dedup_state *state;
	const struct job *job;
	const struct catalogue *catalogue;
	/* table_reserve() and table_clear(), for the tables that are its own */
	int (*reserve)(const struct table *table, uint64_t bytes);
	void (*clear)(const struct table *table, uint64_t off, uint64_t bytes);
	/* a descriptor goes on */
	void (*forward)(void *context, const struct desc *desc);
	void *context;
	uint32_t lane_nr;
	bool is_survey;
	bool only_counts;        /* what is planned is not written */
	uint32_t estimated_from; /* file_is_estimated() */
	uint64_t plan_nr;        /* entries, in gather */
	/* what this step has come to */
	int seen_error; /* the table of contents could not grow */
	uint64_t not_compared;
};

/* Whether this is a gather pass of a plan, after a survey. */
static inline bool
dedup_is_gather(const struct dedup *dedup)
{
	return !dedup->is_survey && !dedup->job->takes_all;
}

/*
 * Finds the earlier file with the same content. Without room for a table of
 * contents, later files count as new.
 */
void
dedup_find_duplicate(struct dedup *dedup, uint32_t file_idx);

/* The end of a file, and all that is known of it: 0 or -errno of a table. */
int
dedup_take_file(struct dedup *dedup, const struct desc *in);

/* A file that is as the kept survey has it, with all its chunks: likewise. */
int
dedup_take_surveyed(struct dedup *dedup, const struct desc *in);

/* A run that is told of, not written: likewise. */
int
dedup_take_scanned(struct dedup *dedup, const struct desc *run);

/* What the chunk in work, or the one just written, has of the query. */
int
dedup_take_terms(struct dedup *dedup, const struct desc *in);

/* Which words the next chunks of the file may have: likewise. */
int
dedup_take_words(struct dedup *dedup, const struct desc *in);

/* Ends the terms for their readers. */
int
dedup_end_terms(struct dedup *dedup);

/* Where the names of the file begin. */
void
dedup_take_names(struct dedup *dedup, const struct desc *in);

/* Records a file that has killed this stage too often. */
int
dedup_poison_file(struct dedup *dedup, uint32_t file_idx);

/* Forwards a run that is to be written, if it is unchanged since the survey. */
void
dedup_pass_on(struct dedup *dedup, const struct desc *run);

/* The next descriptor of the file whose turn it is: 0 or -errno of a table. */
int
dedup_take(struct dedup *dedup, const struct desc *in);

/* A file's turn begins with an entry of the turns, 0 or -errno of a table; and is
 * over. */
int
dedup_begin_turn(struct dedup *dedup, const struct desc *in);
void
dedup_end_turn(struct dedup *dedup);

#endif
