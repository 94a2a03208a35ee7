/* SPDX-License-Identifier: MIT */
/*
 * collect_worker.c - the passes of the collector.
 *
 * Does: takes slabs back, chooses what to read next, begins and ends passes.
 * Does not: walk or read (collect_io_record.h).
 * Runs in: collect.
 * Invariants:
 * 1. Records of files are written before the step is committed that counts
 *    them; what lies behind `file_nr` is nobody's.
 */
#include <errno.h>

#include "base/diag.h"
#include "base/fault.h"
#include "stages/collect/collect_io_secrets.h"
#include "stages/collect/collect_worker.h"

static int
step_pass(struct worker *worker)
{
	const struct collect_state *state = worker->state;
	const struct control_shm *control = worker->run->segment.control;

	/* acquire: the plan of the pass is whole */
	if (load_acquire(&control->pass) < worker->pass)
		return STEP_AGAIN;
	if (worker->pass > PASS_FIRST)
		return collect_step_plan(worker);
	if (state->large.file != 0)
		return state->large.surveyed != 0 ? collect_step_terms(worker)
						  : collect_step_large(worker);
	return collect_step_tree(worker);
}

static int
collect_step(struct worker *worker)
{
	struct collect_state *state = worker->state;
	struct collect_files *files = collect_files_of(worker);
	struct control_shm *control = worker->run->segment.control;
	uint32_t taken = collect_take_slabs_back(worker);
	int result;

	/* relaxed: for the progress line; select reads it after the pass */
	store_relaxed(&control->files_seen, state->place.file_nr);
	result = collect_secrets_reserve(files);
	if (result != 0)
		return result;
	result = step_pass(worker);
	FAULT("collected");
	stat_add(worker->shm, STAT_bytes, files->read_bytes);
	stat_add(worker->shm, STAT_read_errors, files->read_errors);
	files->read_bytes = 0;
	files->read_errors = 0;
	/* slabs taken back are a step as well */
	return result > STEP_DONE && taken > 0 ? STEP_DONE : result;
}

/* The file that ended this worker three times is left out by its name. */
static int
collect_poison(struct worker *worker)
{
	struct collect_files *files = collect_files_of(worker);

	/* acquire: set by the supervisor before this process was forked */
	uint64_t position = load_acquire(&worker->shm->skip_position);
	bool was_stuck = load_acquire(&worker->shm->retry) > 1;

	files->skip_reason = was_stuck ? REASON_TIMEOUT : REASON_POISON;
	if (position == POSITION_HISTORY)
		collect_history_drop(worker);
	else if (position >> 32 == 0)
		files->skip_file = position;
	else
		files->walk->skip_dir = (uint32_t)(position >> 32);
	return collect_step(worker);
}

/* relaxed: read when all workers are gone */
static void
publish_counts(struct control_shm *control, const struct collect_counts *counts)
{
	store_relaxed(&control->ignored_files,
		      counts->ignored_files + counts->excluded_files);
	store_relaxed(&control->ignored_dirs,
		      counts->ignored_dirs + counts->excluded_dirs);
	store_relaxed(&control->hidden_dirs, counts->hidden_dirs);
	store_relaxed(&control->excludes_met, counts->excludes_met);
}

static int
collect_flush(struct worker *worker)
{
	struct collect_state *state = worker->state;
	struct control_shm *control = worker->run->segment.control;

	/* dedup waits for the ends of those that there are */
	if (worker_awaits_lanes(worker))
		return STEP_AGAIN;
	state->plan_next = 0;
	state->turn_next = 0;
	state->range_off = 0;
	state->plan_file = 0;
	publish_counts(control, &state->place.counts);
	/* relaxed, both: read when all workers are gone */
	store_relaxed(&control->finding_nr, state->place.finding_nr);
	store_relaxed(&control->findings_left_out,
		      state->place.findings_left_out);
	/* release: the records are whole; closing the rings follows */
	store_release(&control->files_seen, state->place.file_nr);
	store_release(&control->walk_done, 1);
	return STEP_DONE;
}

const struct stage_ops collect_ops = {
	.init = collect_init,
	.step = collect_step,
	.flush = collect_flush,
	.poison = collect_poison,
	.idle = collect_history_ahead,
	.state_bytes = sizeof(struct collect_state),
};
