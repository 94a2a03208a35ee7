/* SPDX-License-Identifier: MIT */
/*
 * test_stages_worker.c - the loop that all workers share, with stages of the
 * test's own (fake_stages.h): steps, rooms, passes, ends, replacements.
 *
 * Deaths at every instruction are in kill_worker_step.c, and in the middle of
 * a whole pipeline in kill_worker_chaos.c.
 */
#include "tests/support/test_shm.h"

#include <pthread.h>

#include "base/diag.h"
#include "base/fault.h"
#include "shm/stats.h"
#include "shm/wait.h"
#include "stages/worker.h"

struct state {
	uint64_t taken;
	uint64_t sum;
};

static int
count_init(struct worker *worker);
static int
count_step(struct worker *worker);
static int
count_flush(struct worker *worker);
static int
count_poison(struct worker *worker);
static bool
count_idle(struct worker *worker);

#define FAKE                                                                   \
	{                                                                      \
		count_init, count_step, count_flush, count_poison, count_idle, \
			sizeof(struct state)                                   \
	}

static const struct stage_ops fake_ops[STAGE_NR] = { FAKE, FAKE, FAKE,
						     FAKE, FAKE, FAKE };

#include "tests/support/fake_stages.h"

/* How the next worker is to behave; the same in a forked child. */
static struct behaviour {
	int init_result;
	int step_result; /* when not 0: instead of a step */
	int confine_result;
	bool flush_again_once;
	uint32_t idle_nr; /* times that there is something to do */
} behaviour;

static struct run run;

static int
count_init(struct worker *worker)
{
	return behaviour.init_result;
}

static int
count_flush(struct worker *worker)
{
	if (behaviour.flush_again_once) {
		behaviour.flush_again_once = false;
		return STEP_AGAIN;
	}
	return STEP_DONE;
}

static void
emit(struct worker *worker, enum edge_id edge, uint32_t file_idx,
     uint8_t reason)
{
	const struct state *state = worker->state;
	const struct desc desc = { .kind = DESC_RUN,
				   .reason = reason,
				   .slab_idx = SLAB_NONE,
				   .file_idx = file_idx,
				   .file_off = state->sum };

	worker_emit(worker, edge, 0, &desc);
}

/* Takes one entry, gives two to dedup and one to collect. */
static int
take_one(struct worker *worker, uint8_t reason)
{
	struct state *state = worker->state;
	struct desc desc;

	if (!worker_peek(worker, EDGE_CHUNKS, 0, &desc))
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	if (worker_room(worker, EDGE_COUNTED, 0) < 2 ||
	    worker_room(worker, EDGE_COUNT_SLABS, 0) < 1)
		return STEP_AGAIN;
	state->taken++;
	state->sum = state->sum * 31 + desc.file_idx;
	emit(worker, EDGE_COUNTED, desc.file_idx, reason);
	emit(worker, EDGE_COUNTED, desc.file_idx, reason);
	emit(worker, EDGE_COUNT_SLABS, desc.file_idx, reason);
	worker_take(worker, EDGE_CHUNKS, 0);
	return STEP_DONE;
}

static int
count_step(struct worker *worker)
{
	if (behaviour.step_result != 0)
		return behaviour.step_result;
	return take_one(worker, REASON_NONE);
}

static int
count_poison(struct worker *worker)
{
	return take_one(worker, REASON_POISON);
}

/* How often it will be done again is the position. */
static bool
count_idle(struct worker *worker)
{
	worker_position(worker, behaviour.idle_nr);
	return behaviour.idle_nr > 0 && behaviour.idle_nr-- > 0;
}

static int
confine(const struct run *requested, enum stage_id stage,
	const struct reach *reach)
{
	return behaviour.confine_result;
}

static int
setup(void **state)
{
	behaviour = (struct behaviour){ 0 };
	diag_init(open("/dev/null", O_WRONLY | O_CLOEXEC), DIAG_ERROR, false,
		  "");
	return fake_run_create(&run, 1, 2);
}

static int
teardown(void **state)
{
	fake_run_destroy(&run);
	return 0;
}

/* What a chunk worker would give. */
static void
give(uint32_t first, uint32_t nr)
{
	struct ring ring = fake_ring(&run, EDGE_CHUNKS, 0);

	for (uint32_t i = first; i < first + nr; i++) {
		const struct desc desc = { .kind = DESC_RUN,
					   .slab_idx = SLAB_NONE,
					   .file_idx = i };

		ASSERT_TRUE(ring_push(&ring, &desc));
	}
}

static void
close_pass(uint64_t pass)
{
	struct ring ring = fake_ring(&run, EDGE_CHUNKS, 0);

	ring_close(&ring, pass);
}

/* Takes one entry off a ring; its file_idx, or -1 for none. */
static int
take(enum edge_id edge)
{
	struct ring ring = fake_ring(&run, edge, 0);
	struct desc desc;

	if (!ring_peek(&ring, 0, &desc))
		return -1;
	ring_pop_to(&ring, ring_head(&ring) + 1);
	return (int)desc.file_idx;
}

static struct worker worker;
static struct state worker_state;

static int
attach(void)
{
	return worker_attach(&worker, &run, STAGE_COUNT, 0, &worker_state);
}

static void
test_worker_step_shows_only_when_it_is_committed(void **state)
{
	struct worker_shm *shm = fake_worker_shm(&run, STAGE_COUNT, 0);
	struct ring in = fake_ring(&run, EDGE_CHUNKS, 0);

	ASSERT_EQ(attach(), 0);
	ASSERT_EQ(count_step(&worker), STEP_AGAIN);
	give(7, 1);
	ASSERT_EQ(count_step(&worker), STEP_DONE);
	ASSERT_EQ(take(EDGE_COUNTED), -1);
	ASSERT_EQ(ring_head(&in), 0);
	ASSERT_EQ(atomic_load(&shm->committed), 0);
	worker_commit(&worker);
	ASSERT_EQ(take(EDGE_COUNTED), 7);
	ASSERT_EQ(take(EDGE_COUNTED), 7);
	ASSERT_EQ(take(EDGE_COUNTED), -1);
	ASSERT_EQ(take(EDGE_COUNT_SLABS), 7);
	ASSERT_EQ(ring_head(&in), 1);
	ASSERT_EQ(atomic_load(&shm->committed), 1);
	ASSERT_EQ(stat_get(shm, STAT_items), 1);
	ASSERT_EQ(stat_get(shm, STAT_emitted), 3);
	ASSERT_TRUE(fake_rings_valid(&run));
}

/* verifies: R2 */
static void
test_worker_given_up_before_the_commit_leaves_no_trace(void **state)
{
	ASSERT_EQ(attach(), 0);
	give(7, 1);
	ASSERT_EQ(count_step(&worker), STEP_DONE);
	/* it is gone; its replacement finds everything as it was */
	ASSERT_EQ(attach(), 0);
	ASSERT_EQ(worker_state.taken, 0);
	ASSERT_EQ(count_step(&worker), STEP_DONE);
	worker_commit(&worker);
	ASSERT_EQ(take(EDGE_COUNTED), 7);
	ASSERT_EQ(take(EDGE_COUNTED), 7);
	ASSERT_EQ(take(EDGE_COUNTED), -1);
}

/* verifies: R3, R5 */
static void
test_worker_attached_again_and_again_publishes_nothing_twice(void **state)
{
	for (uint32_t i = 0; i < 20; i++) {
		ASSERT_EQ(attach(), 0);
		ASSERT_EQ(worker_state.taken, i);
		give(i, 1);
		ASSERT_EQ(count_step(&worker), STEP_DONE);
		worker_commit(&worker);
		ASSERT_EQ(attach(), 0);
		ASSERT_EQ(worker_state.taken, i + 1);
		ASSERT_EQ(take(EDGE_COUNTED), i);
		ASSERT_EQ(attach(), 0);
		ASSERT_EQ(take(EDGE_COUNTED), i);
		ASSERT_EQ(take(EDGE_COUNT_SLABS), i);
		ASSERT_EQ(attach(), 0);
		ASSERT_EQ(take(EDGE_COUNTED), -1);
		ASSERT_EQ(take(EDGE_COUNT_SLABS), -1);
		ASSERT_TRUE(fake_rings_valid(&run));
	}
}

/* verifies: R8 */
static void
test_worker_at_the_wrap_of_all_positions_goes_on(void **state)
{
	fake_run_start_at(&run, UINT64_MAX - 3);
	for (uint32_t i = 0; i < 10; i++) {
		ASSERT_EQ(attach(), 0);
		give(i, 1);
		ASSERT_EQ(count_step(&worker), STEP_DONE);
		worker_commit(&worker);
		ASSERT_EQ(attach(), 0);
		ASSERT_EQ(take(EDGE_COUNTED), i);
		ASSERT_EQ(take(EDGE_COUNTED), i);
		ASSERT_EQ(take(EDGE_COUNTED), -1);
		ASSERT_EQ(take(EDGE_COUNT_SLABS), i);
		ASSERT_TRUE(fake_rings_valid(&run));
	}
}

static void
test_worker_looks_behind_what_it_took(void **state)
{
	struct desc desc;

	ASSERT_EQ(attach(), 0);
	give(0, 2);
	ASSERT_TRUE(worker_peek(&worker, EDGE_CHUNKS, 0, &desc));
	ASSERT_EQ(desc.file_idx, 0);
	worker_take(&worker, EDGE_CHUNKS, 0);
	ASSERT_TRUE(worker_peek(&worker, EDGE_CHUNKS, 0, &desc));
	ASSERT_EQ(desc.file_idx, 1);
	worker_commit(&worker);
	ASSERT_TRUE(worker_peek(&worker, EDGE_CHUNKS, 0, &desc));
	ASSERT_EQ(desc.file_idx, 1);
	worker_take(&worker, EDGE_CHUNKS, 0);
	ASSERT_EQ(worker_peek(&worker, EDGE_CHUNKS, 0, &desc), false);
}

static void
test_worker_room_counts_what_is_emitted_and_not_committed(void **state)
{
	ASSERT_EQ(attach(), 0);
	ASSERT_EQ(worker_room(&worker, EDGE_COUNTED, 0), FAKE_ENTRIES);
	emit(&worker, EDGE_COUNTED, 0, 0);
	ASSERT_EQ(worker_room(&worker, EDGE_COUNTED, 0), FAKE_ENTRIES - 1);
	ASSERT_EQ(worker_room(&worker, EDGE_COUNT_SLABS, 0), FAKE_ENTRIES);
	emit(&worker, EDGE_COUNTED, 1, 0);
	emit(&worker, EDGE_COUNTED, 2, 0);
	ASSERT_EQ(worker_room(&worker, EDGE_COUNTED, 0), 0);
	worker_commit(&worker);
	ASSERT_EQ(worker_room(&worker, EDGE_COUNTED, 0), 0);
	ASSERT_EQ(take(EDGE_COUNTED), 0);
	ASSERT_EQ(worker_room(&worker, EDGE_COUNTED, 0), 1);
}

static void
test_worker_is_drained_when_all_is_closed_and_taken(void **state)
{
	ASSERT_EQ(attach(), 0);
	ASSERT_EQ(worker_drained(&worker), false);
	give(0, 1);
	close_pass(1);
	ASSERT_EQ(worker_drained(&worker), false);
	ASSERT_EQ(count_step(&worker), STEP_DONE);
	worker_commit(&worker);
	ASSERT_EQ(worker_drained(&worker), true);
	worker.pass = 2;
	ASSERT_EQ(worker_drained(&worker), false);
}

/* verifies: R3 */
static void
test_worker_that_ended_a_pass_closes_it_once_and_for_all(void **state)
{
	struct ring counted = fake_ring(&run, EDGE_COUNTED, 0);
	struct ring slabs = fake_ring(&run, EDGE_COUNT_SLABS, 0);

	ASSERT_EQ(attach(), 0);
	ASSERT_EQ(worker.pass, 1);
	worker.pass++;
	worker_commit(&worker);
	ASSERT_EQ(ring_is_closed(&counted, 1), true);
	ASSERT_EQ(ring_is_closed(&counted, 2), false);
	/* slabs come back whatever the pass: that ring is no stream */
	ASSERT_EQ(ring_is_closed(&slabs, 1), false);
	ASSERT_EQ(attach(), 0);
	ASSERT_EQ(worker.pass, 2);
}

enum damage {
	DAMAGE_STEP,
	DAMAGE_STATE_BYTES,
	DAMAGE_EMIT_NR,
	DAMAGE_EMIT_PORT,
	DAMAGE_EMIT_TO_INPUT,
	DAMAGE_PORT_NR,
	DAMAGE_POS_AHEAD,
	DAMAGE_POS_BEHIND,
	DAMAGE_NR
};

static void
child_attaches_to_a_damaged_step(void *arg)
{
	struct worker_shm *shm = fake_worker_shm(&run, STAGE_COUNT, 0);
	struct step_shm *step = &shm->steps[atomic_load(&shm->committed) & 1];

	switch (*(enum damage *)arg) {
	case DAMAGE_STEP:
		step->step++;
		break;
	case DAMAGE_STATE_BYTES:
		step->state_bytes = sizeof(struct state) + 1;
		break;
	case DAMAGE_EMIT_NR:
		step->emit_nr = EMITS_MAX + 1;
		break;
	case DAMAGE_EMIT_PORT:
		step->emit_port[1] = 200;
		break;
	case DAMAGE_EMIT_TO_INPUT:
		step->emit_port[1] = 0;
		break;
	case DAMAGE_PORT_NR:
		step->port_nr++;
		break;
	case DAMAGE_POS_AHEAD:
		step->pos[1] += 5;
		break;
	default:
		step->pos[1] -= 1000 + EMITS_MAX;
	}
	attach();
}

/* verifies: R7 */
static void
test_worker_attached_to_a_damaged_step_ends(void **state)
{
	for (int i = 0; i < DAMAGE_NR; i++) {
		enum damage damage = (enum damage)i;
		int code;

		teardown(NULL);
		ASSERT_EQ(setup(NULL), 0);
		ASSERT_EQ(attach(), 0);
		give(0, 1);
		ASSERT_EQ(count_step(&worker), STEP_DONE);
		worker_commit(&worker);
		code = run_child(child_attaches_to_a_damaged_step, &damage);
		if (code != -SIGABRT)
			fail_msg("damage %d: got %d, want %d", i, code,
				 -SIGABRT);
	}
}

/* verifies: R7 */
static void
child_peeks_a_bad_descriptor(void *arg)
{
	struct ring ring = fake_ring(&run, EDGE_CHUNKS, 0);
	const struct desc bad = { .kind = DESC_RUN, .slab_idx = 2 };
	struct desc desc;

	CHILD_CHECK(ring_push(&ring, &bad));
	CHILD_CHECK(attach() == 0);
	worker_peek(&worker, EDGE_CHUNKS, 0, &desc);
}

static void
child_emits_without_room(void *arg)
{
	CHILD_CHECK(attach() == 0);
	for (uint32_t i = 0; i <= FAKE_ENTRIES; i++)
		emit(&worker, EDGE_COUNTED, i, 0);
	worker_commit(&worker);
}

static void
child_uses_a_ring_of_others(void *arg)
{
	CHILD_CHECK(attach() == 0);
	worker_take(&worker, EDGE_UNIQUE, 0);
}

static void
test_worker_misused_ends(void **state)
{
	ASSERT_EQ(run_child(child_peeks_a_bad_descriptor, NULL), -SIGABRT);
	ASSERT_EQ(run_child(child_emits_without_room, NULL), -SIGABRT);
	ASSERT_EQ(run_child(child_uses_a_ring_of_others, NULL), -SIGABRT);
}

static void
child_runs(void *arg)
{
	_exit(worker_run(&run, STAGE_COUNT, 0));
}

static void
child_runs_format(void *arg)
{
	_exit(worker_run(&run, STAGE_FORMAT, 0));
}

static void
test_worker_run_tells_how_it_ended(void **state)
{
	static const struct {
		struct behaviour behaviour;
		child_fn *fn;
		int want;
	} cases[] = {
		{ { .init_result = -EINVAL }, child_runs, WORKER_EXIT_CONFIG },
		{ { .init_result = -ENOMEM },
		  child_runs,
		  WORKER_EXIT_RESOURCE },
		{ { .step_result = -EIO }, child_runs, WORKER_EXIT_RESOURCE },
		{ { .step_result = -EINVAL }, child_runs, WORKER_EXIT_CONFIG },
		{ { .step_result = -ENOSPC },
		  child_runs_format,
		  WORKER_EXIT_OUTPUT },
		{ { .confine_result = -EPERM },
		  child_runs,
		  WORKER_EXIT_SANDBOX },
	};

	run.confine = confine;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		behaviour = cases[i].behaviour;
		ASSERT_EQ(run_child(cases[i].fn, NULL), cases[i].want);
	}
}

/* Takes outputs as they come, until they are `nr`. */
static void
take_all(int nr)
{
	int counted = 0;
	int slabs = 0;

	while (counted < 2 * nr || slabs < nr) {
		int idx = take(EDGE_COUNTED);

		if (idx >= 0)
			ASSERT_EQ(idx, counted++ / 2);
		idx = take(EDGE_COUNT_SLABS);
		if (idx >= 0)
			ASSERT_EQ(idx, slabs++);
		wait_wake(segment_wait(
			&run.segment,
			stage_worker_idx(STAGE_COUNT, 0, run.lane_nr)));
		sched_yield();
	}
}

/* verifies: NFR-016-40 */
static void
test_worker_run_ends_at_once_when_the_run_is_over(void **state)
{
	struct control_shm *control = run.segment.control;
	_Atomic uint32_t *const words[] = { &control->done, &control->cancel };

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		pid_t pid = start_child(child_runs, NULL);

		/* it sleeps: there is nothing to do */
		wait_for_state(pid, 'S');
		atomic_store(words[i], 1);
		wait_wake(segment_wait(
			&run.segment,
			stage_worker_idx(STAGE_COUNT, 0, run.lane_nr)));
		ASSERT_EQ(wait_for(pid), WORKER_EXIT_DONE);
		atomic_store(words[i], 0);
	}
}

/* verifies: R6 */
static void
test_worker_run_nobody_wakes_still_finds_its_work(void **state)
{
	pid_t pid = start_child(child_runs, NULL);
	struct worker_shm *shm = fake_worker_shm(&run, STAGE_COUNT, 0);

	while (atomic_load(&shm->waiting) == 0)
		sched_yield();
	give(0, 1); /* and the waker died before it woke anyone */
	while (take(EDGE_COUNTED) != 0)
		sched_yield();
	atomic_store(&run.segment.control->done, 1); /* nor for this */
	ASSERT_EQ(wait_for(pid), WORKER_EXIT_DONE);
}

static void
test_worker_run_works_ahead_before_it_waits(void **state)
{
	struct worker_shm *shm = fake_worker_shm(&run, STAGE_COUNT, 0);
	pid_t pid;

	behaviour.idle_nr = 5;
	pid = start_child(child_runs, NULL);
	while (atomic_load(&shm->waiting) == 0)
		sched_yield();
	ASSERT_EQ(atomic_load(&shm->position), 1);
	atomic_store(&run.segment.control->done, 1);
	ASSERT_EQ(wait_for(pid), WORKER_EXIT_DONE);
}

static void
test_worker_run_through_passes_closes_each(void **state)
{
	struct ring counted = fake_ring(&run, EDGE_COUNTED, 0);
	struct ring in = fake_ring(&run, EDGE_CHUNKS, 0);
	struct worker_shm *shm = fake_worker_shm(&run, STAGE_COUNT, 0);
	pid_t pid;

	behaviour.flush_again_once = true;
	pid = start_child(child_runs, NULL);
	for (uint64_t pass = 1; pass <= 3; pass++) {
		give(0, 3);
		close_pass(pass);
		take_all(3);
		while (!ring_is_closed(&counted, pass))
			sched_yield();
		ASSERT_EQ(ring_is_closed(&counted, pass), true);
		ASSERT_EQ(ring_is_closed(&counted, pass + 1), false);
		ASSERT_EQ(ring_head(&in), 3 * pass);
	}
	ASSERT_EQ(atomic_load(&shm->ready), 1);
	ASSERT_TRUE(atomic_load(&shm->heartbeat) > 0);
	atomic_store(&run.segment.control->done, 1);
	ASSERT_EQ(wait_for(pid), WORKER_EXIT_DONE);
}

static void
test_worker_run_hands_the_poisoned_step_to_poison(void **state)
{
	struct worker_shm *shm = fake_worker_shm(&run, STAGE_COUNT, 0);
	struct ring out = fake_ring(&run, EDGE_COUNTED, 0);
	struct desc desc;
	pid_t pid;

	give(0, 1);
	atomic_store(&shm->skip_step, 1); /* the first step */
	pid = start_child(child_runs, NULL);
	while (!ring_peek(&out, 0, &desc))
		sched_yield();
	ASSERT_EQ(desc.reason, REASON_POISON);
	take_all(1);
	give(0, 1);
	while (!ring_peek(&out, 0, &desc))
		sched_yield();
	ASSERT_EQ(desc.reason, REASON_NONE);
	atomic_store(&run.segment.control->done, 1);
	ASSERT_EQ(wait_for(pid), WORKER_EXIT_DONE);
}

static void
test_worker_position_is_seen_by_others(void **state)
{
	struct worker_shm *shm = fake_worker_shm(&run, STAGE_COUNT, 0);

	ASSERT_EQ(attach(), 0);
	worker_position(&worker, 0);
	ASSERT_EQ(atomic_load(&shm->position), 1);
	worker_position(&worker, FILE_NONE);
	ASSERT_EQ(atomic_load(&shm->position), 0);
}

/* The points in worker.c where a debug build can be made to die. */
static const struct {
	const char *fault;
	bool committed; /* whether the step it died in has happened */
} deaths[] = {
	{ "count.0:before_commit:2:kill", false },
	{ "count.0:step_written:2:kill", false },
	{ "count.0:committed:2:segv", true },
	/* 1 to 3 in the first step, 4 to 6 when its replacement attaches */
	{ "count.0:publish:4:kill", false },
	{ "count.0:publish:6:kill", false },
	{ "count.0:publish:7:abort", true },
	{ "count.0:publish:8:kill", true },
	{ "count.0:publish:9:kill", true },
	{ "count.0:published:2:exit", true },
};

static void
child_steps_until_it_dies(void *arg)
{
#ifdef BALE_DEBUG
	static struct worker mine;
	static struct state its_state;
	struct worker_shm *shm = fake_worker_shm(&run, STAGE_COUNT, 0);

	setenv("BALE_FAULT", arg, 1);
	fault_init("count.0", &shm->fault_hits);
	CHILD_CHECK(worker_attach(&mine, &run, STAGE_COUNT, 0, &its_state) ==
		    0);
	while (count_step(&mine) == STEP_DONE)
		worker_commit(&mine);
#endif
}

static void
check_after_death(const char *fault, bool committed)
{
	char text[64];

	snprintf(text, sizeof(text), "%s", fault);
	give(0, 1);
	ASSERT_EQ(run_child(child_steps_until_it_dies, text), CHILD_OK);
	for (int i = 0; i < 3; i++)
		take(i < 2 ? EDGE_COUNTED : EDGE_COUNT_SLABS);
	give(1, 1);
	ASSERT_TRUE(run_child(child_steps_until_it_dies, text) != CHILD_OK);
	ASSERT_TRUE(fake_rings_valid(&run));
	ASSERT_EQ(attach(), 0);
	ASSERT_EQ(worker_state.taken, committed ? 2 : 1);
	if (!committed) {
		ASSERT_EQ(take(EDGE_COUNTED), -1);
		ASSERT_EQ(count_step(&worker), STEP_DONE);
		worker_commit(&worker);
	}
	ASSERT_EQ(take(EDGE_COUNTED), 1);
	ASSERT_EQ(take(EDGE_COUNTED), 1);
	ASSERT_EQ(take(EDGE_COUNTED), -1);
	ASSERT_EQ(take(EDGE_COUNT_SLABS), 1);
	ASSERT_EQ(take(EDGE_COUNT_SLABS), -1);
	ASSERT_EQ(count_step(&worker), STEP_AGAIN);
}

/* verifies: R2, R3 */
static void
test_worker_dead_between_statements_is_made_good(void **state)
{
#ifndef BALE_DEBUG
	skip(); /* there are no such points */
#endif
	for (size_t i = 0; i < ARRAY_LEN(deaths); i++) {
		teardown(NULL);
		ASSERT_EQ(setup(NULL), 0);
		check_after_death(deaths[i].fault, deaths[i].committed);
	}
}

#define THREAD_ITEMS (under_valgrind() ? 2000u : UNDER_TSAN ? 5000u : 20000u)

static void *
thread_gives(void *arg)
{
	fake_give(&run, THREAD_ITEMS);
	return NULL;
}

/* Counts what is wrong at an end of the worker. */
static void *
thread_takes(void *arg)
{
	enum edge_id edge = *(enum edge_id *)arg;
	uint32_t each = edge == EDGE_COUNTED ? 2 : 1;
	uintptr_t wrong = 0;

	for (uint32_t i = 0; i < THREAD_ITEMS * each; i++) {
		int idx;

		while ((idx = take(edge)) < 0)
			sched_yield();
		wrong += (uint32_t)idx != i / each;
	}
	return (void *)wrong;
}

/* Three threads round one worker, which is replaced after every 100 steps. */
static void
test_worker_among_threads_keeps_order(void **state)
{
	enum edge_id edges[2] = { EDGE_COUNTED, EDGE_COUNT_SLABS };
	pthread_t threads[3];
	int steps = 0;
	int result;

	pthread_create(&threads[0], NULL, thread_gives, NULL);
	pthread_create(&threads[1], NULL, thread_takes, &edges[0]);
	pthread_create(&threads[2], NULL, thread_takes, &edges[1]);
	ASSERT_EQ(attach(), 0);
	while ((result = count_step(&worker)) != STEP_END) {
		if (result == STEP_AGAIN) {
			sched_yield();
			continue;
		}
		if (++steps % 100 == 0)
			ASSERT_EQ(attach(), 0); /* the step is lost, not more */
		else
			worker_commit(&worker);
	}
	for (int i = 0; i < 3; i++) {
		void *wrong = NULL;

		pthread_join(threads[i], &wrong);
		ASSERT_TRUE(wrong == NULL);
	}
	ASSERT_EQ(worker_state.taken, THREAD_ITEMS);
}

#define WORKER_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		WORKER_TEST(test_worker_step_shows_only_when_it_is_committed),
		WORKER_TEST(
			test_worker_given_up_before_the_commit_leaves_no_trace),
		WORKER_TEST(
			test_worker_attached_again_and_again_publishes_nothing_twice),
		WORKER_TEST(test_worker_at_the_wrap_of_all_positions_goes_on),
		WORKER_TEST(test_worker_looks_behind_what_it_took),
		WORKER_TEST(
			test_worker_room_counts_what_is_emitted_and_not_committed),
		WORKER_TEST(
			test_worker_is_drained_when_all_is_closed_and_taken),
		WORKER_TEST(
			test_worker_that_ended_a_pass_closes_it_once_and_for_all),
		WORKER_TEST(test_worker_attached_to_a_damaged_step_ends),
		WORKER_TEST(test_worker_misused_ends),
		WORKER_TEST(test_worker_run_tells_how_it_ended),
		WORKER_TEST(test_worker_run_ends_at_once_when_the_run_is_over),
		WORKER_TEST(test_worker_run_works_ahead_before_it_waits),
		WORKER_TEST(test_worker_run_nobody_wakes_still_finds_its_work),
		WORKER_TEST(test_worker_run_through_passes_closes_each),
		WORKER_TEST(test_worker_run_hands_the_poisoned_step_to_poison),
		WORKER_TEST(test_worker_position_is_seen_by_others),
		WORKER_TEST(test_worker_dead_between_statements_is_made_good),
		WORKER_TEST(test_worker_among_threads_keeps_order),
	};

	return cmocka_run_group_tests_name("stages/worker", tests, NULL, NULL);
}
