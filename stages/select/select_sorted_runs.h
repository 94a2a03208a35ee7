/* SPDX-License-Identifier: MIT */
/*
 * select_sorted_runs.h - ranks more candidates than fit into memory.
 *
 *   added in any order
 *        |  a batch at a time, sorted in place
 *        v
 *   run run run ... run   in a table, whose pages the kernel may take
 *        |
 *        v
 *   returned by rank      the next candidate of each run in memory
 *
 * Does: an external sort, O(n log n); in memory a few bytes for each batch of
 *       candidates.
 * Does not: choose candidates.
 * Invariants:
 * 1. Nothing of it outlives its process: a plan is made again from the start.
 */
#ifndef SELECT_SELECT_SORTED_RUNS_H
#define SELECT_SELECT_SORTED_RUNS_H

#include "catalogue/catalogue.h"
#include "rank/rank.h"

/* Makes bytes of a table safe to touch: table_reserve(). */
typedef int
select_reserve_fn(const struct table *table, uint64_t bytes);

struct select_runs {
	const struct table *table;
	select_reserve_fn *reserve;
	uint64_t nr;            /* candidates that were added */
	uint64_t left;          /* that have not been given back */
	struct run_head *heads; /* of the runs */
	uint32_t head_nr;
};

/* Adds a copy of a candidate to runs that began as zeros; -errno of the table. */
int
select_runs_add(struct select_runs *runs,
		const struct rank_candidate *candidate);

/* Ends adding: prepares select_runs_next(); 0 or -ENOMEM. */
int
select_runs_sort(struct select_runs *runs);

/* The best of those that are left; false: there are none. */
bool
select_runs_next(struct select_runs *runs, struct rank_candidate *candidate);

/* Frees what select_runs_sort() took; all of it is zeros but for its table. */
void
select_runs_fini(struct select_runs *runs);

#endif
