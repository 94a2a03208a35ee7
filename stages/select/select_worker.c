/* SPDX-License-Identifier: MIT */
/*
 * select_worker.c - the plan, and who is let through to format.
 *
 * Does: at the end of the survey, has the plan made; in gather, passes
 *       descriptors on; at its end, looks at what the output came to, and has
 *       it made again or ends the run.
 * Does not: make plans (select_plan_worker.c).
 * Runs in: select.
 */
#include "stages/select/select_worker.h"

#include <errno.h>
#include <stdlib.h>

#include "base/diag.h"
#include "base/fault.h"
#include "rank/rank.h"
#include "stages/select/select_plan.h"
#include "stages/select/select_traits_worker.h"
#include "catalogue/plan.h"
#include "rank/budget.h"
#include "stages/job.h"

#define ENTRIES_PER_STEP 48
#define SPOILT_PASSES_MAX 32 /* made again for changed files, at most */

#define ASK_END UINT64_MAX

#define ALL_PART 50 /* estimates are above the count by so much at most */
#define ALL_MORE 64

struct select_state {
	struct rank_fill fill;
	uint64_t awaiting; /* the pass whose verdict is waited for; 0: none */
	uint64_t to_plan;  /* a pass to be planned anew; 0: none */
	uint64_t to_ask;   /* a pass to be asked for; ASK_END; 0: none */
	struct plan_result made; /* the plan */
	uint64_t stale_passes;
	uint64_t all_over; /* 1: a plan of all there is was over the budget */
};

static void
wake_all(struct worker *worker)
{
	for (int stage = 0; stage < STAGE_NR; stage++)
		worker_wake_stage(worker, (enum stage_id)stage);
}

static void
end_run(struct worker *worker)
{
	/* release: the plan and all facts are whole */
	atomic_store_explicit(&worker->run->segment.control->done, 1,
			      memory_order_release);
	wake_all(worker);
}

static void
ask_for_pass(struct worker *worker, uint64_t pass)
{
	/* release: the plan of this pass is whole */
	atomic_store_explicit(&worker->run->segment.control->pass, pass,
			      memory_order_release);
	wake_all(worker);
}

/*
 * The sum of estimates of all that there is, up to which all of it is tried:
 * as one text it may be less. 0: it is not.
 */
static uint64_t
limit_of_all(struct worker *worker)
{
	struct select_state *state = worker->state;
	uint64_t available = state->fill.available;

	if (available == 0 || state->all_over || worker->run->job.plan_only)
		return 0;
	return add_sat_u64(available, available / ALL_PART + ALL_MORE);
}

/*
 * Plans. What is to follow is asked for in a step of its own: until then
 * nobody reads the plan, and a replacement may make it again.
 */
static int
plan_next(struct worker *worker, uint64_t pass)
{
	struct select_state *state = worker->state;
	int result = select_make_plan(worker, &state->fill.now,
				      limit_of_all(worker), &state->made);
	bool plan_only = worker->run->job.plan_only;

	if (result < 0)
		return result;
	FAULT("planned");
	state->to_plan = pass;
	if (!plan_only && !rank_fill_planned(&state->fill, &state->made))
		return STEP_DONE;
	state->to_plan = 0;
	state->to_ask = state->made.is_empty || plan_only ? ASK_END : pass;
	return STEP_DONE;
}

static int
ask(struct worker *worker)
{
	struct select_state *state = worker->state;

	if (state->to_ask == ASK_END) {
		select_write_rest(worker);
		FAULT("ranked");
		end_run(worker);
	} else {
		ask_for_pass(worker, state->to_ask);
	}
	state->to_ask = 0;
	return STEP_DONE;
}

static bool
is_stale(struct worker *worker)
{
	const struct catalogue *catalogue = &worker->catalogue;
	const struct control_shm *control = worker->run->segment.control;
	/* relaxed: this process's own, or that of the one it replaces */
	uint64_t nr =
		atomic_load_explicit(&control->plan_nr, memory_order_relaxed);

	for (uint64_t i = 0; i < nr; i++) {
		uint64_t chunk = catalogue_plan(catalogue, i)->chunk_idx;
		uint32_t file = catalogue_chunk(catalogue, chunk)->file_idx;

		if (catalogue_facts(catalogue, file)->reason != REASON_NONE)
			return true;
	}
	return false;
}

/*
 * The output of a pass is made: is it the one? Another plan is made in a step
 * of its own: this one is looked at here, by a replacement as well.
 */
static int
judge(struct worker *worker)
{
	struct select_state *state = worker->state;
	const struct control_shm *control = worker->run->segment.control;
	uint64_t tokens;

	/* acquire: the verdict is whole */
	if (atomic_load_explicit(&control->verdict_pass, memory_order_acquire) <
	    state->awaiting)
		return STEP_AGAIN;
	tokens = atomic_load_explicit(&control->verdict_tokens,
				      memory_order_relaxed); /* as above */
	state->awaiting = 0;
	diag_log(DIAG_DEBUG,
		 "output %llu: %llu tokens of %llu; thought: %llu, and %llu "
		 "of %u chunks of its edge%s",
		 (unsigned long long)worker->pass, (unsigned long long)tokens,
		 (unsigned long long)state->fill.available,
		 (unsigned long long)state->made.planned,
		 (unsigned long long)state->made.edge_tokens,
		 state->made.edge_nr, state->made.is_all ? ": all" : "");
	if (worker->run->job.takes_all) {
		end_run(worker); /* nothing is left out by rank */
		return STEP_DONE;
	}
	if (tokens <= state->fill.available &&
	    state->stale_passes >= SPOILT_PASSES_MAX) {
		state->to_ask = ASK_END;
		return STEP_DONE;
	}
	if (is_stale(worker)) {
		/* the place of what changed goes to the next candidates */
		state->stale_passes++;
		select_plan_forget(worker);
		rank_fill_again(&state->fill);
	} else if (state->made.is_all && tokens > state->fill.available) {
		state->all_over = 1; /* what there is has to be ranked */
	} else if (rank_fill_verdict(&state->fill, &state->made, tokens)) {
		state->to_ask = ASK_END;
		return STEP_DONE;
	}
	state->to_plan = worker->pass;
	return STEP_DONE;
}

static int
select_step(struct worker *worker)
{
	struct select_state *state = worker->state;
	struct desc in;
	int taken = 0;

	if (state->to_ask != 0)
		return ask(worker);
	if (state->to_plan != 0)
		return plan_next(worker, state->to_plan);
	if (state->awaiting != 0)
		return judge(worker);
	while (taken < ENTRIES_PER_STEP &&
	       worker_room(worker, EDGE_SELECTED, 0) > 0 &&
	       worker_peek(worker, EDGE_UNIQUE, 0, 0, &in)) {
		worker_emit(worker, EDGE_SELECTED, 0, &in);
		worker_take(worker, EDGE_UNIQUE, 0);
		taken++;
	}
	FAULT("selected");
	if (taken > 0)
		return STEP_DONE;
	return worker_drained(worker) ? STEP_END : STEP_AGAIN;
}

static int
select_flush(struct worker *worker)
{
	struct select_state *state = worker->state;
	const struct job *job = &worker->run->job;
	int error;

	if (worker->pass > PASS_FIRST || worker->run->job.takes_all) {
		state->awaiting = worker->pass;
		return STEP_DONE;
	}
	/* acquire: the records of these files are whole */
	error = select_find_traits(
		worker,
		atomic_load_explicit(&worker->run->segment.control->files_seen,
				     memory_order_acquire));
	if (error != 0)
		return error;
	rank_fill_init(&state->fill,
		       budget_counted_tokens(job->available_tokens,
					     job->margin_percent));
	return plan_next(worker, worker->pass + 1);
}

/* What this stage passes on is not looked at: its slab has to go on. */
static int
select_poison(struct worker *worker)
{
	return select_step(worker);
}

const struct stage_ops select_ops = {
	.init = select_plan_init,
	.step = select_step,
	.flush = select_flush,
	.poison = select_poison,
	.state_bytes = sizeof(struct select_state),
};
