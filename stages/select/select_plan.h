/* SPDX-License-Identifier: MIT */
/*
 * select_plan.h - the plan that select's worker asks for.
 */
#ifndef SELECT_SELECT_PLAN_H
#define SELECT_SELECT_PLAN_H

#include "rank/rank.h"

struct worker;

/*
 * shape:  room for a window of candidates, and for what a plan leaves to the
 *         next one, in worker->scratch
 * owner:  the process, to its end
 * errors: -ENOMEM
 * calls:  select's worker, at its start
 */
int
select_plan_init(struct worker *worker);

/*
 * shape:  the next plan goes back to the catalogue for all that it has to know
 * calls:  select's worker, when some of it has changed
 */
void
select_plan_forget(struct worker *worker);

/*
 * shape:  makes the plan and writes it: of all that there is, if that comes to
 *         no more than `all`, else for the aim
 * units:  all: tokens, of what its parts are thought to cost; 0: as of the aim
 * errors: -ENOMEM; -errno of the table
 * calls:  select's worker, at the end of the survey and whenever an output
 *         was not the one
 */
int
select_make_plan(struct worker *worker, const struct plan_target *aim,
		 uint64_t all, struct plan_result *made);

/*
 * shape:  behind the entries of the plan, where what it leaves out stands; no
 *         entries if nothing was ranked, or there is no room for them: that is
 *         a warning
 * calls:  select's worker, when the plan is the one that is kept
 */
void
select_write_rest(struct worker *worker);

#endif
