/* SPDX-License-Identifier: MIT */
/*
 * select_steer.h - from the output of one plan to the next step.
 *
 * Does: says what is planned, which pass is asked for, and when the run is
 *       over.
 * Does not: make plans (select_plan.h), or steer a budget (rank/fill.c).
 * Runs in: select.
 */
#ifndef SELECT_SELECT_STEER_H
#define SELECT_SELECT_STEER_H

#include "stages/select/select_planner.h"

#define STEER_END UINT64_MAX /* no further pass */

/* What is kept of a step for the next one, or for a replacement. */
struct select_state {
	struct rank_fill fill;
	uint64_t awaiting; /* the pass whose verdict is waited for; 0: none */
	uint64_t to_plan;  /* a pass to be planned anew; 0: none */
	uint64_t to_ask;   /* a pass to be asked for; STEER_END; 0: none */
	struct plan_result made; /* the plan */
	uint64_t stale_passes;
	uint64_t all_over; /* 1: a plan of all there is was over the budget */
};

/* The survey is over. */
void
steer_begin(struct select_state *state, const struct job *job);

/*
 * The sum of estimates of all that there is, up to which all of it is tried:
 * as one text it may be less. 0: it is not.
 */
uint64_t
steer_limit_of_all(const struct select_state *state, const struct job *job);

/* A plan for a pass is made, in state->made; what is to be done next. */
void
steer_planned(struct select_state *state, const struct job *job, uint64_t pass);

/*
 * shape:  the output of a pass is made: is it the one, or is the next one
 *         planned? That is for a step of its own: this plan is looked at here,
 *         by a replacement as well
 * units:  tokens: of the output
 */
void
steer_judge(struct select_state *state, struct planner *planner, uint64_t pass,
	    uint64_t tokens);

#endif
