/* SPDX-License-Identifier: MIT */
/*
 * select_worker.c - the plan, and who is let through to format.
 *
 * Does: passes descriptors on; has plans made and judged, publishes the next.
 * Does not: make plans (select_plan.c), decide (select_steer.c).
 * Runs in: select.
 */
#include "stages/worker.h"

#include <errno.h>

#include "base/diag.h"
#include "base/fault.h"
#include "stages/select/select_plan.h"
#include "stages/select/select_steer.h"

#define ENTRIES_PER_STEP 48
/* While a plan is made, nobody else has much of the tables. */
#define RESIDENT_BYTES (12u << 20)

/* The planner, with what is known by now. */
static struct planner *
planner_of(struct worker *worker)
{
	const struct control_shm *control = worker->run->segment.control;
	struct planner *planner = worker->scratch;

	/* acquire: the records of these files are whole */
	planner->file_nr = load_acquire(&control->files_seen);
	planner->line_cost_nr = control->verdict.line_cost_nr;
	/* relaxed: select's own */
	planner->plan_nr = load_relaxed(&control->plan_nr);
	return planner;
}

/*
 * Plans. What is to follow is asked for in a step of its own: until then
 * nobody reads the plan, and a replacement may make it again.
 */
static int
plan_next(struct worker *worker, uint64_t pass)
{
	struct control_shm *control = worker->run->segment.control;
	struct select_state *state = worker->state;
	struct planner *planner = planner_of(worker);
	int result = select_make_plan(
		planner, &state->fill.now,
		steer_limit_of_all(state, &worker->run->job), &state->made);

	if (result < 0)
		return result;
	steer_planned(state, &worker->run->job, pass);
	if (state->only_counts)
		select_plan_keep_estimated(planner);
	/* relaxed, both: the store of `pass` or `done` publishes them */
	store_relaxed(&control->plan_nr, planner->plan_nr);
	store_relaxed(&control->section_nr, planner->section_nr); /* as above */
	FAULT("planned");
	return STEP_DONE;
}

/* Where what is left out stands, for the report. */
static void
write_rest(struct worker *worker)
{
	struct control_shm *control = worker->run->segment.control;
	struct planner *planner = planner_of(worker);
	int error = select_write_rest(planner);

	if (error != 0)
		diag_log(DIAG_WARN,
			 "the report does not rank what is left out: %s",
			 diag_errno(error));
	/* relaxed, both: the store of `done` publishes them */
	store_relaxed(&control->rest_nr, planner->rest_nr);
	store_relaxed(&control->newest_ns, planner->newest_ns); /* as above */
}

static int
ask(struct worker *worker)
{
	struct control_shm *control = worker->run->segment.control;
	struct select_state *state = worker->state;

	if (state->to_ask == STEER_END) {
		if (worker->run->job.ranks_rest)
			write_rest(worker);
		FAULT("ranked");
		/* release: the plan and all facts are whole */
		store_release(&control->done, 1);
	} else {
		/* relaxed: the store of `pass` publishes it */
		store_relaxed(&control->counting_pass,
			      state->only_counts ? state->to_ask : 0);
		/* release: the plan of this pass is whole */
		store_release(&control->pass, state->to_ask);
	}
	state->to_ask = 0;
	table_trim_all(); /* what a plan has looked at is not for gather */
	for (int stage = 0; stage < STAGE_NR; stage++)
		worker_wake_stage(worker, (enum stage_id)stage);
	return STEP_DONE;
}

/* The output of a pass is made: is it the one? */
static int
judge(struct worker *worker)
{
	struct select_state *state = worker->state;
	const struct control_shm *control = worker->run->segment.control;
	uint64_t tokens;

	/* acquire: the verdict is whole */
	if (load_acquire(&control->verdict_pass) < state->awaiting)
		return STEP_AGAIN;
	if (state->only_counts) {
		steer_counted(state, planner_of(worker), worker->pass);
		return STEP_DONE;
	}
	tokens = control->verdict.tokens;
	diag_log(DIAG_DEBUG,
		 "output %llu: %llu tokens of %llu; thought: %llu, and %llu "
		 "of %u chunks of its edge%s",
		 (unsigned long long)worker->pass, (unsigned long long)tokens,
		 (unsigned long long)state->fill.available,
		 (unsigned long long)state->made.planned,
		 (unsigned long long)state->made.edge_tokens,
		 state->made.edge_nr, state->made.is_all ? ": all" : "");
	steer_judge(state, planner_of(worker), worker->pass, tokens);
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
	       worker_peek(worker, EDGE_UNIQUE, 0, &in)) {
		worker_emit(worker, EDGE_SELECTED, 0, &in);
		worker_take(worker, EDGE_UNIQUE, 0);
		taken++;
	}
	FAULT("selected");
	return taken > 0                ? STEP_DONE
	       : worker_drained(worker) ? STEP_END
					: STEP_AGAIN;
}

static int
select_flush(struct worker *worker)
{
	struct select_state *state = worker->state;
	int error;

	if (worker->pass > PASS_FIRST || worker->run->job.takes_all) {
		state->awaiting = worker->pass;
		return STEP_DONE;
	}
	if (!steer_begin(state, &worker->run->job))
		return STEP_DONE;
	error = select_find_traits(planner_of(worker));
	return error != 0 ? error : plan_next(worker, worker->pass + 1);
}

static int
select_init(struct worker *worker)
{
	struct select_state *state = worker->state;
	const struct planner planner = { .job = &worker->run->job,
					 .tokenizer = worker->run->tokenizer,
					 .catalogue = &worker->catalogue,
					 .outline_scale = &state->outline_scale,
					 .reserve = table_reserve,
					 .clear = table_clear };

	worker->scratch = select_planner_create(&planner);
	table_set_resident(max_u64(RESIDENT_BYTES, worker->run->table_bytes));
	return worker->scratch == NULL ? -ENOMEM : 0;
}

const struct stage_ops select_ops = {
	.init = select_init,
	.step = select_step,
	.flush = select_flush,
	/* what it passes on is not looked at: its slab has to go on */
	.poison = select_step,
	.state_bytes = sizeof(struct select_state),
};
