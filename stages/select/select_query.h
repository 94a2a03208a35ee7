/* SPDX-License-Identifier: MIT */
/*
 * select_query.h - relevance of chunks to the query of a run.
 *
 * Does: walks the terms that the survey found, once for how rare each is,
 *       once for the best of all; then gives the relevance of the chunks of
 *       one file after the other.
 * Does not: do the arithmetic (match.c); read content.
 * Runs in: select.
 * Invariants:
 * 1. The same for any number of workers: the catalogue is in canonical order.
 * 2. Memory does not grow with the catalogue: BLOCK chunks at once.
 */
#ifndef SELECT_SELECT_QUERY_H
#define SELECT_SELECT_QUERY_H

#include "rank/match.h"
#include "stages/select/select_anchors.h"
#include "stages/select/select_planner.h"
#include "catalogue/plan.h"

#define SELECT_QUERY_BLOCK 16384 /* chunks of a file that are scored together */

/* The scores of a file by messages of past commits: sums over its commits. */
struct select_past {
	uint32_t file_idx;
	double squares;
};

struct select_query {
	struct planner *planner;
	const struct query *query;
	uint64_t cursor;   /* next record of the terms */
	uint32_t file_idx; /* in work; FILE_NONE: none */
	uint32_t block;    /* of its chunks */
	struct match_spread spread;
	struct match_tally tally;
	uint32_t best;  /* of that, in millionths */
	uint32_t floor; /* likewise */
	struct match_set chunks;
	struct match_set files;
	struct match_set paths;
	struct match_set messages;
	struct select_past *history_ctx; /* by file_idx, once each */
	uint32_t past_nr;
	double past_squares;                  /* the greatest of all */
	uint32_t file_times[QUERY_TERMS_MAX]; /* in the file in work */
	struct match_file of_file;            /* of the file in work */
	bool is_blank; /* it has nothing of the query, and so have its pieces */
	float share[SELECT_QUERY_BLOCK]; /* then relevance, 0 to 1 */
	uint32_t block_nr;               /* pieces in it */
	float own[SELECT_QUERY_BLOCK];   /* share of each piece alone */
	struct select_anchors anchors;
	float named[SELECT_QUERY_BLOCK]; /* how strongly the query names each */
	float said[SELECT_QUERY_BLOCK];  /* by messages that lines came with */
	float cover[SELECT_QUERY_BLOCK]; /* weights of what each has */
	uint64_t order[SELECT_QUERY_BLOCK];
};

/*
 * shape:  ready to be asked, or NULL in *out: there is no query
 * owner:  select_query_close() by the caller
 * errors: -ENOMEM
 * calls:  select, for each plan
 */
int
select_query_open(struct planner *planner, struct select_query **out);

/* owner: NULL is accepted */
void
select_query_close(struct select_query *query);

/*
 * shape:  relevance of the chunk `ordinal` of a file, in millionths
 * calls:  for files in order, for the chunks of a file in order: going back
 *         costs a walk over the terms
 */
uint32_t
select_query_relevance(struct select_query *query, uint32_t file_idx,
		       uint32_t ordinal);

/*
 * shape:  that a chunk of the tree is what is asked for
 * units:  millionths: its relevance
 */
enum match_confidence
select_query_confidence(const struct select_query *query, uint32_t relevance);

/* What it is made of; calls: behind select_query_relevance() for the same. */
void
select_query_explain(const struct select_query *query, uint32_t ordinal,
		     struct plan_factors *factors);

/* ---- select_history.c ------------------------------------------- */

/*
 * shape:  what the messages of past commits say of the files that each of
 *         them changed, in query->pasts
 * units:  worth: of the terms, as for match_weigh()
 * errors: -ENOMEM
 */
int
select_history_open(struct select_query *query, const double *worth);

/* The same of one file, as a share of the best of all. */
void
select_history_file(const struct select_query *query, uint32_t file_idx,
		    struct match_file *file);

/* How well the messages match that lines of pieces [from, from + piece_nr) came
 * with: the best of each, as a share of the best of all. */
void
select_history_pieces(const struct select_query *query, uint32_t file_idx,
		      uint32_t from, uint32_t piece_nr, float *said);

#endif
