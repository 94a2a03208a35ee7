/* SPDX-License-Identifier: MIT */
/*
 * select_plan.h - makes plans, for select's worker.
 *
 * Runs in: select.
 */
#ifndef SELECT_SELECT_PLAN_H
#define SELECT_SELECT_PLAN_H

#include "stages/select/select_planner.h"

/* A planner, with room for what a plan leaves to the next one; NULL: there is no
 * memory. owner: the caller, free(3) */
struct planner *
select_planner_create(const struct planner *of);

/* Makes the next plan read everything from the catalogue again. */
void
select_plan_forget(struct planner *planner);

/*
 * shape:  leaves in the plan what is estimated, for a pass that only counts
 * calls:  when the plan is written; the next one is made anew
 */
void
select_plan_keep_estimated(struct planner *planner);

/*
 * shape:  what is in the plan has been counted: makes the next plan go by that
 * calls:  when a pass that only counts is over
 */
void
select_plan_counted(struct planner *planner);

/*
 * shape:  keeps what the parts of files in an overview came to in its output, for the
 *         next plan: signatures and first lines; tokens of all of them
 * calls:  where the plan is that of the output
 */
int64_t
select_plan_parts(struct planner *planner);

/*
 * shape:  makes the plan and writes it: of all that there is, if that comes to
 *         no more than `all`, else for the aim
 * units:  all: tokens, of what its parts are thought to cost; 0: as of the aim
 * errors: -ENOMEM; -errno of the table
 * calls:  at the end of the survey and whenever an output was not the one
 */
int
select_make_plan(struct planner *planner, const struct plan_target *aim,
		 uint64_t all, struct plan_result *made);

/*
 * shape:  behind the entries of the plan, where what it leaves out stands; no
 *         entries if nothing was ranked, or there is no room for them
 * errors: -ENOMEM; -errno of the table
 * calls:  when the plan is the one that is kept
 */
int
select_write_rest(struct planner *planner);

/*
 * shape:  what gives files points, in the catalogue: of files [0, file_nr); a
 *         pure function of the rest of it
 * errors: -errno of the table
 * calls:  select's worker, before the first plan; again by a replacement
 */
int
select_find_traits(struct planner *planner);

#endif
