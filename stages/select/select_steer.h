/* SPDX-License-Identifier: MIT */
/*
 * select_steer.h - decides the next step after the output of a plan.
 *
 * Does: decides what is planned, which pass is requested, and when the run is
 *       over.
 * Does not: make plans (select_plan.h), or steer a budget (rank/fill.c).
 * Runs in: select.
 */
#ifndef SELECT_SELECT_STEER_H
#define SELECT_SELECT_STEER_H

#include "stages/select/select_planner.h"

#define STEER_END UINT64_MAX /* no further pass */

/* The state kept for the next step, or for a replacement. */
struct select_state {
	struct rank_fill fill;
	uint64_t awaiting; /* the pass whose verdict is waited for; 0: none */
	uint64_t to_plan;  /* a pass to be planned anew; 0: none */
	uint64_t to_ask;   /* a pass to be asked for; STEER_END; 0: none */
	struct plan_result made; /* the plan */
	uint64_t stale_passes;
	uint64_t all_over; /* 1: a plan of all there is was over the budget */
	uint32_t only_counts; /* 1: what is planned is only counted */
	uint32_t counted_nr;  /* passes that only counted */
	struct outline_scale outline_scale;
};

/* The survey is over; false: that is all, as nothing is to be planned. */
bool
steer_begin(struct select_state *state, const struct job *job);

/*
 * The limit of the sum of all estimates up to which everything is tried: as
 * one text it may be less. 0: it is not tried.
 */
uint64_t
steer_limit_of_all(const struct select_state *state, const struct job *job);

/* Decides the next step after a plan for a pass, in state->made. */
void
steer_planned(struct select_state *state, const struct job *job, uint64_t pass);

/* A pass that only counts is over: the plan is made again. */
void
steer_counted(struct select_state *state, struct planner *planner,
	      uint64_t pass);

/*
 * shape:  decides whether the output of a pass is final or the next one is
 *         planned, in a step of its own: this plan is read here, by a
 *         replacement as well
 * units:  tokens: of the output
 */
void
steer_judge(struct select_state *state, struct planner *planner, uint64_t pass,
	    uint64_t tokens);

#endif
