/* SPDX-License-Identifier: MIT */
/*
 * chunk_worker.c - content in, runs of chunks out.
 *
 * Does: gives a step its entry, and sends what it gives.
 * Does not: know what chunks are (chunk_step.c).
 * Runs in: chunk, one worker a lane.
 */
#include "stages/worker.h"

#include "base/fault.h"
#include "shm/slab.h"
#include "stages/chunk/chunk_work.h"

static_assert(sizeof(struct chunk_state) <= STATE_BYTES_MAX, "fits a step");
static_assert(EMITS_NEEDED <= EMITS_MAX, "a step's log holds them");

/* Of this process, which is one worker. */
static struct chunk_rules rules;
static struct chunk_scratch scratch;
static struct names_lane lane;

static void
emit(void *context, const struct desc *desc)
{
	struct worker *worker = context;

	worker_emit(worker, EDGE_CHUNKS, worker->lane, desc);
}

/* An entry is left out if there is a reason for it. */
static int
step(struct worker *worker, uint8_t reason)
{
	const struct control_shm *control = worker->run->segment.control;
	struct chunk_work work = {
		.rules = &rules,
		.emit = emit,
		.context = worker,
		.catalogue = &worker->catalogue,
		.lane = &lane,
		.reserve_names = catalogue_reserve_names,
		.slabs = &worker->run->segment.slabs,
		.scratch = &scratch,
		.state = worker->state,
	};
	struct desc in;

	if (!worker_peek(worker, EDGE_CONTENT, worker->lane, &in))
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	if (worker_room(worker, EDGE_CHUNKS, worker->lane) < EMITS_NEEDED)
		return STEP_AGAIN;
	/* relaxed, both: written before the entry was */
	work.plan_nr = load_relaxed(&control->plan_nr);
	work.estimated_from = load_relaxed(&control->estimated_from);
	if (reason == REASON_NONE) {
		worker_position(worker, in.file_idx);
		if (!work.state->goes_on)
			stat_add(worker->shm, STAT_bytes, in.bytes);
		chunk_step_entry(&work, &in);
	} else {
		chunk_step_leave_out(&work, &in, reason);
	}
	stat_add(worker->shm, STAT_long_lines, work.long_lines);
	stat_add(worker->shm, STAT_short_signatures, work.short_signatures);
	worker->state_bytes = work.state_bytes;
	/* what leaves poison out is not to fail again */
	if (reason == REASON_NONE)
		FAULT("cut");
	if (!work.state->goes_on)
		worker_take(worker, EDGE_CONTENT, worker->lane);
	/* ranks would depend on how much room there is */
	return work.error != 0 ? work.error : STEP_DONE;
}

static int
chunk_step(struct worker *worker)
{
	return step(worker, REASON_NONE);
}

static int
chunk_poison(struct worker *worker)
{
	return step(worker, REASON_POISON);
}

static int
chunk_init(struct worker *worker)
{
	const struct run *run = worker->run;
	const struct job *job = &run->job;

	lane = (struct names_lane){ worker->lane, run->lane_nr, 0 };
	rules = (struct chunk_rules){
		.fit = {
			.tokenizer = run->tokenizer,
			.cache = run->segment.cache,
			.max_tokens = (uint32_t)job->chunk_max_tokens,
			.min_tokens = (uint32_t)job->chunk_min_tokens,
			.max_lines = job->chunk_lines,
		},
		.job = job,
	};
	chunk_rules_fit(&rules);
	return 0;
}

static int
chunk_flush(struct worker *worker)
{
	/* a file left out of this pass may be read again in the next */
	((struct chunk_state *)worker->state)->dead_file = 0;
	return STEP_DONE;
}

const struct stage_ops chunk_ops = {
	.init = chunk_init,
	.step = chunk_step,
	.flush = chunk_flush,
	.poison = chunk_poison,
	.state_bytes = sizeof(struct chunk_state),
};
