/* SPDX-License-Identifier: MIT */
/*
 * select_steer.c - plan, output, verdict, and round again.
 */
#include "stages/select/select_steer.h"

#include "catalogue/plan.h"
#include "rank/budget.h"
#include "stages/select/select_plan.h"

#define STALE_PASSES_MAX 32 /* made again for changed files, at most */

#define COUNTING_PASSES_MAX 16 /* estimates that are left go as they are */

#define ALL_PART 50 /* estimates are above the count by so much at most */
#define ALL_MORE 64

bool
steer_begin(struct select_state *state, const struct job *job)
{
	rank_fill_init(&state->fill,
		       budget_counted_tokens(job->available_tokens,
					     job->margin_percent));
	if (job->shard.nr > 0)
		state->to_ask = STEER_END;
	return job->shard.nr == 0;
}

uint64_t
steer_limit_of_all(const struct select_state *state, const struct job *job)
{
	uint64_t available = state->fill.available;

	if (available == 0 || state->all_over || job->plan_only)
		return 0;
	return add_sat_u64(available, available / ALL_PART + ALL_MORE);
}

void
steer_planned(struct select_state *state, const struct job *job, uint64_t pass)
{
	bool plan_only = job->plan_only;

	state->to_plan = 0;
	state->to_ask = pass;
	/* costs of lines are those of the last output: none before its cut */
	state->only_counts = state->made.has_estimates &&
			     state->fill.now.edges != RANK_EDGES_CUT &&
			     state->counted_nr < COUNTING_PASSES_MAX;
	if (state->only_counts) {
		state->counted_nr++;
		return;
	}
	state->to_ask = 0;
	state->to_plan = pass;
	if (!plan_only && !rank_fill_planned(&state->fill, &state->made))
		return;
	state->to_plan = 0;
	state->to_ask = state->made.is_empty || plan_only ? STEER_END : pass;
}

/* Whether a file of the plan has changed, or cannot be read. */
static bool
is_stale(const struct planner *planner)
{
	const struct catalogue *catalogue = planner->catalogue;

	for (uint64_t i = 0; i < planner->plan_nr; i++) {
		uint64_t chunk = catalogue_plan(catalogue, i)->chunk_idx;
		uint32_t file = catalogue_chunk(catalogue, chunk)->file_idx;

		if (catalogue_facts(catalogue, file)->reason != REASON_NONE)
			return true;
	}
	return false;
}

void
steer_counted(struct select_state *state, struct planner *planner,
	      uint64_t pass)
{
	state->awaiting = 0;
	state->only_counts = 0;
	state->to_plan = pass;
	if (is_stale(planner))
		select_plan_forget(planner);
	select_plan_counted(planner);
}

void
steer_judge(struct select_state *state, struct planner *planner, uint64_t pass,
	    uint64_t tokens)
{
	bool fits = tokens <= state->fill.available;

	state->awaiting = 0;
	state->to_ask = STEER_END;
	/* nothing is left out by rank, or files change again and again */
	if (planner->job->takes_all ||
	    (fits && state->stale_passes >= STALE_PASSES_MAX))
		return;
	/* an edge has some of them in full */
	if (state->made.parts != 0 && state->fill.now.edges == RANK_EDGES_NONE)
		state->made.parts_off =
			select_plan_parts(planner) - state->made.parts;
	if (is_stale(planner)) {
		/* the place of what changed goes to the next candidates */
		state->stale_passes++;
		select_plan_forget(planner);
		rank_fill_again(&state->fill);
	} else if (state->made.is_all && !fits) {
		state->all_over = 1; /* what there is has to be ranked */
	} else if (rank_fill_verdict(&state->fill, &state->made, tokens)) {
		return;
	}
	state->to_ask = 0;
	state->to_plan = pass;
}
