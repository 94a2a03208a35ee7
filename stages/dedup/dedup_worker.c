/* SPDX-License-Identifier: MIT */
/*
 * dedup_worker.c - counted runs of all lanes into canonical order.
 *
 * Does: takes files turn by turn, as collect dispatched them.
 * Does not: hold anything back: a lane's ring is its own queue. Know what is
 *           done with a file: dedup_turn.h.
 * Runs in: dedup.
 * Invariants:
 * 1. After this stage everything is in canonical order, since turns are.
 */
#include "stages/worker.h"

#include "base/diag.h"
#include "base/fault.h"
#include "shm/stats.h"
#include "stages/dedup/dedup_turn.h"

#define ENTRIES_PER_STEP 48

static void
forward(void *context, const struct desc *desc)
{
	worker_emit(context, EDGE_UNIQUE, 0, desc);
}

static struct dedup
begin(struct worker *worker)
{
	return (struct dedup){
		.state = worker->state,
		.job = &worker->run->job,
		.catalogue = &worker->catalogue,
		.reserve = table_reserve,
		.clear = table_clear,
		.forward = forward,
		.context = worker,
		.lane_nr = worker->run->lane_nr,
		.is_survey = !worker->run->job.takes_all &&
			     worker->pass == PASS_FIRST,
	};
}

/* The next entry, and what is known by then. */
static bool
peek(struct worker *worker, enum edge_id edge, uint32_t lane,
     struct dedup *dedup, struct desc *in)
{
	const struct control_shm *control = worker->run->segment.control;

	if (!worker_peek(worker, edge, lane, in))
		return false;
	/* relaxed, both: written before the entry was */
	dedup->plan_nr = load_relaxed(&control->plan_nr);
	dedup->estimated_from = load_relaxed(&control->estimated_from);
	dedup->only_counts = worker_only_counts(worker);
	return true;
}

/* Says what a step has come to, besides its descriptors. */
static void
end(struct worker *worker, const struct dedup *dedup)
{
	if (dedup->seen_error != 0)
		diag_log(DIAG_ERROR,
			 "no memory to compare more files (%s): further "
			 "duplicates are kept",
			 diag_errno(dedup->seen_error));
	if (dedup->not_compared != 0)
		stat_add(worker->shm, STAT_not_compared, dedup->not_compared);
}

/* The next entry of the turns: 1 taken, 0 none there, or -errno. */
static int
take_turn(struct worker *worker, struct dedup *dedup)
{
	struct desc in;
	int error;

	if (!peek(worker, EDGE_ORDER, 0, dedup, &in))
		return 0;
	worker_position(worker, in.file_idx);
	error = dedup_begin_turn(dedup, &in);
	if (error != 0)
		return error;
	if (in.kind == DESC_FILE || in.kind == DESC_SURVEYED) {
		error = in.kind == DESC_FILE ? dedup_take_file(dedup, &in)
					     : dedup_take_surveyed(dedup, &in);
		dedup_end_turn(dedup);
	}
	worker_take(worker, EDGE_ORDER, 0);
	return error != 0 ? error : 1;
}

/* The next entry of the lane whose turn it is: likewise. */
static int
take_counted(struct worker *worker, struct dedup *dedup)
{
	struct dedup_state *state = dedup->state;
	struct desc in;
	int error;

	if (!peek(worker, EDGE_COUNTED, state->lane, dedup, &in))
		return 0;
	ASSERT(in.file_idx == state->file_idx);
	/* one that died may have been further on */
	worker_position(worker, in.file_idx);
	error = dedup_take(dedup, &in);
	worker_take(worker, EDGE_COUNTED, state->lane);
	return error != 0 ? error : 1;
}

static int
dedup_step(struct worker *worker)
{
	struct dedup dedup = begin(worker);
	struct dedup_state *state = dedup.state;
	/* acquire: set by the supervisor before this process was forked */
	int limit = load_acquire(&worker->shm->retry) ? 1 : ENTRIES_PER_STEP;
	int taken = 0;
	int result = 1;

	while (result > 0 && taken < limit &&
	       worker_room(worker, EDGE_UNIQUE, 0) > 1) {
		result = state->in_turn ? take_counted(worker, &dedup)
					: take_turn(worker, &dedup);
		taken += result > 0;
	}
	end(worker, &dedup);
	if (result < 0)
		return result;
	FAULT("deduped");
	if (taken > 0)
		return STEP_DONE;
	return !state->in_turn && worker_drained(worker) ? STEP_END
							 : STEP_AGAIN;
}

/* The entry at the head ends this stage each time: its file is left out. */
static int
dedup_poison(struct worker *worker)
{
	struct dedup dedup = begin(worker);
	struct dedup_state *state = dedup.state;
	enum edge_id edge;
	uint32_t lane;
	struct desc in;
	int error = 0;

	if (worker_room(worker, EDGE_UNIQUE, 0) < 2)
		return STEP_AGAIN;
	edge = state->in_turn ? EDGE_COUNTED : EDGE_ORDER;
	lane = state->in_turn ? state->lane : 0;
	if (!peek(worker, edge, lane, &dedup, &in))
		return !state->in_turn && worker_drained(worker) ? STEP_END
								 : STEP_AGAIN;
	worker_take(worker, edge, lane);
	if (!state->in_turn && (error = dedup_begin_turn(&dedup, &in)) != 0)
		return error;
	/* what is still to come of it only gives its slabs back */
	state->poison = 1;
	state->drop = 1;
	if (in.kind == DESC_SLAB)
		forward(worker, &in);
	if (in.kind == DESC_RUN && !(in.flags & DESC_SCAN))
		dedup_pass_on(&dedup, &in);
	if (in.kind == DESC_FILE || in.kind == DESC_SURVEYED ||
	    (in.flags & DESC_LAST))
		error = dedup_poison_file(&dedup, in.file_idx);
	if (in.kind == DESC_SURVEYED || (in.flags & DESC_LAST))
		dedup_end_turn(&dedup);
	return error != 0 ? error : STEP_DONE;
}

static int
dedup_flush(struct worker *worker)
{
	struct dedup dedup = begin(worker);

	dedup.state->plan_next = 0;
	if (dedup.is_survey && worker->run->job.counts_terms)
		return dedup_end_terms(&dedup);
	return STEP_DONE;
}

static int
dedup_init(struct worker *worker)
{
	(void)worker;
	return 0;
}

const struct stage_ops dedup_ops = {
	.init = dedup_init,
	.step = dedup_step,
	.flush = dedup_flush,
	.poison = dedup_poison,
	.state_bytes = sizeof(struct dedup_state),
};
