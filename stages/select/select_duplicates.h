/* SPDX-License-Identifier: MIT */
/*
 * select_duplicates.h - of files of the same content one is kept.
 *
 * Does: ranks them, and says of the others which one is there in their place.
 * Does not: compare contents (dedup), or chunks (select_planned_set.c).
 * Runs in: select.
 * Invariants:
 * 1. A file that is asked for is kept.
 * 2. Made again, it comes to the same.
 */
#ifndef SELECT_SELECT_DUPLICATES_H
#define SELECT_SELECT_DUPLICATES_H

#include "stages/select/select_score.h"

/* Whether there are any; all of their facts say that they are kept. */
bool
select_has_duplicates(struct planner *planner);

/*
 * shape:  same_as of all files that have twins: that of the best rank is
 *         kept, of equals the first
 * calls:  scores are ready; select_scores_rewind() before they are used again
 */
void
select_find_duplicates(struct select_scores *scores);

#endif
