/* SPDX-License-Identifier: MIT */
/*
 * collect_plan_worker.c - the chunks that the plan names, file by file.
 *
 * Does: takes the files of the plan in turn, by path or by rank. What chunk has
 *       to make a text of is read from end to end.
 * Runs in: collect, in gather of a plan.
 */
#include "stages/collect/collect_worker.h"
#include "catalogue/plan.h"

/*
 * Whether chunk has to see all of the file that the plan's cursor is at, as
 * it did in the survey.
 */
static bool
is_made(const struct collect_ranges *ranges, uint64_t at)
{
	const struct worker *worker = ranges->worker;

	return catalogue_plan(&worker->catalogue, at)->tier ==
		       TIER_SIGNATURES ||
	       worker->run->job.strips;
}

/* Begins to read a planned file from end to end. */
static int
begin_made(struct collect_ranges *ranges)
{
	struct worker *worker = ranges->worker;
	struct collect_state *state = worker->state;
	bool signs =
		catalogue_plan(&worker->catalogue, state->plan_next)->tier ==
		TIER_SIGNATURES;
	uint32_t file_idx =
		collect_planned_chunk(ranges, state->plan_next)->file_idx;
	uint32_t lane = collect_pick_lane(worker, 1, NULL);

	if (lane == LANES_MAX || worker_room(worker, EDGE_ORDER, 0) < 1)
		return STEP_AGAIN;
	ranges->file_idx = file_idx;
	state->large = (struct collect_large){
		.file = ranges->file_idx + 1,
		.lane = lane,
		.emits = 1,
		.signs = signs,
		.converts = file_is_converted(
			catalogue_file(&worker->catalogue, ranges->file_idx)),
	};
	collect_emit_turn(worker, ranges->file_idx, lane);
	do {
		state->plan_next++;
	} while (collect_is_of_file(ranges, state->plan_next));
	state->turn_next++;
	return STEP_DONE;
}

/* The cursor of the plan to the next section by rank; false: none is left. */
static bool
find_turn(struct worker *worker)
{
	struct collect_state *state = worker->state;
	/* relaxed: published with the pass */
	uint64_t nr = load_relaxed(&worker->run->segment.control->section_nr);

	if (state->turn_next == nr)
		return false;
	state->plan_next =
		catalogue_plan(&worker->catalogue, state->turn_next)->turn;
	return true;
}

int
collect_step_plan(struct worker *worker)
{
	struct collect_state *state = worker->state;
	const struct control_shm *control = worker->run->segment.control;
	struct collect_ranges ranges = {
		.worker = worker,
		/* relaxed: published with the pass */
		.plan_nr = load_relaxed(&control->plan_nr),
	};
	bool is_new = state->plan_file == 0 && state->range_off == 0;
	uint32_t lane;

	if (state->large.file != 0)
		return collect_step_large(worker);
	if (is_new && worker->run->job.by_rank && !find_turn(worker))
		return STEP_END;
	if (state->plan_next == ranges.plan_nr)
		return STEP_END;
	if (is_new && is_made(&ranges, state->plan_next))
		return begin_made(&ranges);
	if (state->plan_file != 0) {
		lane = state->plan_lane;
		ranges.slab_idx = collect_free_slab(worker, lane);
	} else {
		lane = collect_pick_lane(worker, COLLECT_BATCH_MAX,
					 &ranges.slab_idx);
	}
	if (lane == LANES_MAX || ranges.slab_idx == SLAB_NONE ||
	    worker_room(worker, EDGE_ORDER, 0) < 2 ||
	    worker_lane_room(worker, EDGE_CONTENT, lane) < COLLECT_BATCH_MAX)
		return STEP_AGAIN;
	state->plan_lane = lane;
	ranges.file_idx =
		collect_planned_chunk(&ranges, state->plan_next)->file_idx;
	collect_gather_ranges(&ranges);
	return STEP_DONE;
}
