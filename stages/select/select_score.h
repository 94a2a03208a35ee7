/* SPDX-License-Identifier: MIT */
/*
 * select_score.h - scores of the chunks of a catalogue, file by file.
 *
 * Does: combines the facts on a file, its source and the query for
 *       rank_score().
 * Does not: calculate (rank.c, match.c, priority.c).
 * Runs in: select.
 */
#ifndef SELECT_SELECT_SCORE_H
#define SELECT_SELECT_SCORE_H

#include "rank/rank.h"
#include "rank/priority.h"
#include "stages/select/select_query.h"

struct select_scores {
	struct planner *planner;
	struct select_query *query; /* NULL: none was asked */
	struct rank_times times;
	struct rank_weights weights;
	uint32_t best_class; /* of all files that have content */
	uint32_t heat_max;   /* of the files of code; 0: there is no history */
	uint32_t weight_max; /* of these, too */
	/* of the file in work */
	uint32_t file_idx;
	const struct source_file *requested; /* NULL: nobody asks for it */
	struct rank_points points;
	struct rank_file about;
	/* of the last chunk: its relevance, in millionths; that it is asked for, or
	 * --enough is not given */
	uint32_t relevance;
	bool is_enough;
};

/*
 * shape:  ready for the first file
 * owner:  select_scores_fini(), whatever is returned
 * errors: -ENOMEM
 */
int
select_scores_init(struct select_scores *scores, struct planner *planner);

/* Closes what a query is scored with. */
void
select_scores_fini(struct select_scores *scores);

/* Goes to a file; calls: in order. */
void
select_scores_file(struct select_scores *scores, uint32_t file_idx);

/*
 * shape:  the score of a chunk of that file; *category: where it comes from
 * owner:  factors may be NULL
 * calls:  in order
 */
uint32_t
select_scores_chunk(struct select_scores *scores, uint32_t ordinal,
		    uint8_t *category, struct plan_factors *factors);

/* ---- select_duplicates.c: which of several files with the same content ---- */

/* Whether there are any; all of their facts say that they are kept. */
bool
select_has_duplicates(struct planner *planner);

/*
 * shape:  sets same_as of all files with duplicates: the one of the best rank
 *         is kept, of equals the first
 * calls:  scores are ready
 */
void
select_find_duplicates(struct select_scores *scores);

/*
 * shape:  sets next_copy of all files with duplicates: those that are left out,
 *         from the one that is kept on, in path order
 * calls:  once, when it is known which are kept: ranks are lost
 */
void
select_link_copies(const struct planner *planner);

#endif
