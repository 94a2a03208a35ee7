/* SPDX-License-Identifier: MIT */
/*
 * select_sorted_runs_worker.h - more candidates than there is memory for, by rank.
 *
 *   added in any order
 *        |  a window at a time, sorted, in blocks compressed by zstd
 *        v
 *   run run run ... run   run   in a table, whose pages the kernel may have
 *        |          FAN_IN of a level are merged into one of the next
 *        v
 *   given back by rank    one block of each run in memory
 *
 * Does: an external sort, O(n log n), in memory that does not grow with n but
 *       by a block for each time that n is FAN_IN times as large.
 * Does not: say which candidates are worth it.
 * Runs in: select.
 * Invariants:
 * 1. A run is in order, and of one level; levels never rise along the runs.
 * 2. Nothing of it outlives its process: a plan is made again from the start.
 */
#ifndef SELECT_SELECT_SORTED_RUNS_WORKER_H
#define SELECT_SELECT_SORTED_RUNS_WORKER_H

#include "rank/rank.h"

struct worker;
struct select_runs;

/*
 * shape:  empty, its runs at the beginning of the catalogue's table of runs
 * owner:  select_runs_close() by the caller; one at a time
 * errors: -ENOMEM
 */
int
select_runs_open(struct worker *worker, struct select_runs **out);

/* owner: NULL is accepted */
void
select_runs_close(struct select_runs *runs);

/*
 * shape:  one more; the candidate is copied
 * errors: -ENOMEM; -errno of the table
 */
int
select_runs_add(struct select_runs *runs,
		const struct rank_candidate *candidate);

/*
 * shape:  no more are added: ready for select_runs_next()
 * errors: -ENOMEM; -errno of the table
 */
int
select_runs_sort(struct select_runs *runs);

/*
 * shape:  the best of those that are left: 1; 0: there are none
 * errors: -EIO: the table does not hold what was written
 */
int
select_runs_next(struct select_runs *runs, struct rank_candidate *candidate);

/* How many select_runs_next() will give. */
uint64_t
select_runs_left(const struct select_runs *runs);

#endif
