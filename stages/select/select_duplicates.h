/* SPDX-License-Identifier: MIT */
/*
 * select_duplicates.h - keeps one of several files with the same content.
 *
 * Does: ranks them, and records the kept one for the others.
 * Does not: compare contents (dedup), or chunks (select_planned_set.c).
 * Runs in: select.
 * Invariants:
 * 1. A requested file is kept.
 * 2. A repetition gives the same result.
 */
#ifndef SELECT_SELECT_DUPLICATES_H
#define SELECT_SELECT_DUPLICATES_H

#include "stages/select/select_score.h"

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

#endif
