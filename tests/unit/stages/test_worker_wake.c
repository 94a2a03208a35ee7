/* SPDX-License-Identifier: MIT */
/*
 * test_worker_wake.c - whom a worker wakes, and for how much, with stages of
 * the test's own (fake_stages.h).
 */
#include "tests/support/test_shm.h"

#include "base/diag.h"
#include "shm/stats.h"
#include "shm/wait.h"
#include "stages/worker.h"

struct state {
	uint64_t taken;
};

static int
fake_init(struct worker *worker)
{
	return 0;
}

/* Takes one entry, and gives it to dedup. */
static int
fake_step(struct worker *worker)
{
	struct state *state = worker->state;
	struct desc desc;

	if (!worker_peek(worker, EDGE_CHUNKS, 0, &desc))
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	if (worker_room(worker, EDGE_COUNTED, 0) < 1)
		return STEP_AGAIN;
	state->taken++;
	worker_emit(worker, EDGE_COUNTED, 0, &desc);
	worker_take(worker, EDGE_CHUNKS, 0);
	return STEP_DONE;
}

static int
fake_flush(struct worker *worker)
{
	return STEP_DONE;
}

#define FAKE                                                               \
	{                                                                  \
		.init = fake_init, .step = fake_step, .flush = fake_flush, \
		.poison = fake_step, .state_bytes = sizeof(struct state)   \
	}

static const struct stage_ops fake_ops[STAGE_NR] = { FAKE, FAKE, FAKE,
						     FAKE, FAKE, FAKE };

#define FAKE_CHUNKS 8 /* a quarter is two */
#include "tests/support/fake_stages.h"

static struct run run;

static int
setup(void **state)
{
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

/* Where the worker of a stage sleeps. */
static struct wait_shm *
wait_of(enum stage_id stage)
{
	return segment_wait(&run.segment,
			    stage_worker_idx(stage, 0, run.lane_nr));
}

/* Whether it was woken since it went to sleep; it sleeps from now on. */
static bool
was_woken(enum stage_id stage)
{
	struct wait_shm *wait = wait_of(stage);
	bool sleeps = atomic_load(&wait->sleeping) != 0;

	wait_prepare(wait);
	return !sleeps;
}

/* What a chunk worker would give. */
static void
give(uint32_t file_idx)
{
	struct ring ring = fake_ring(&run, EDGE_CHUNKS, 0);
	const struct desc desc = { .kind = DESC_RUN,
				   .slab_idx = SLAB_NONE,
				   .file_idx = file_idx };

	ASSERT_TRUE(ring_push(&ring, &desc));
}

/* Takes what dedup would take: whether there was anything. */
static bool
take(void)
{
	struct ring ring = fake_ring(&run, EDGE_COUNTED, 0);
	struct desc desc;

	if (!ring_peek(&ring, 0, &desc))
		return false;
	ring_pop_to(&ring, ring_head(&ring) + 1);
	return true;
}

static void
test_worker_wakes_who_reads_for_many_entries_or_much_content(void **state)
{
	static const struct {
		uint32_t entry_nr;
		uint32_t bytes; /* of each */
		bool is_woken;
	} cases[] = {
		{ 1, FAKE_WAKE_BYTES - 1, false },
		{ 1, 0, true }, /* and the one before: two entries */
		{ 1, FAKE_WAKE_BYTES - 1, false },
		{ 2, 0, true },
		{ 1, FAKE_WAKE_BYTES, true },
		{ 1, 0, false },
	};
	static struct worker worker;
	struct state worker_state;

	ASSERT_EQ(worker_attach(&worker, &run, STAGE_COUNT, 0, &worker_state),
		  0);
	was_woken(STAGE_DEDUP);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct desc desc = { .kind = DESC_RUN,
					   .slab_idx = SLAB_NONE,
					   .bytes = cases[i].bytes };

		for (uint32_t n = 0; n < cases[i].entry_nr; n++)
			worker_emit(&worker, EDGE_COUNTED, 0, &desc);
		worker_commit(&worker);
		ASSERT_EQ(was_woken(STAGE_DEDUP), cases[i].is_woken);
		while (take())
			;
	}
}

static void
child_runs(void *arg)
{
	_exit(worker_run(&run, STAGE_COUNT, 0));
}

static void
test_worker_that_sleeps_wakes_who_writes_for_much_room_only(void **state)
{
	struct worker_shm *shm = fake_worker_shm(&run, STAGE_COUNT, 0);
	uint64_t sleeps;
	pid_t pid;

	was_woken(STAGE_CHUNK);
	was_woken(STAGE_DEDUP);
	pid = start_child(child_runs, NULL);
	give(0);
	while (!take())
		wait_wake(wait_of(STAGE_COUNT));
	sleeps = stat_get(shm, STAT_sleeps);
	while (stat_get(shm, STAT_sleeps) < sleeps + 2)
		wait_wake(wait_of(STAGE_COUNT));
	/* one entry was taken, and two make a quarter of the ring */
	ASSERT_TRUE(was_woken(STAGE_DEDUP));
	ASSERT_EQ(was_woken(STAGE_CHUNK), false);
	give(1);
	while (!was_woken(STAGE_CHUNK))
		sched_yield();
	atomic_store(&run.segment.control->done, 1);
	ASSERT_EQ(wait_for(pid), WORKER_EXIT_DONE);
}

#define WAKE_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		WAKE_TEST(
			test_worker_wakes_who_reads_for_many_entries_or_much_content),
		WAKE_TEST(
			test_worker_that_sleeps_wakes_who_writes_for_much_room_only),
	};

	return cmocka_run_group_tests_name("stages/worker_wake", tests, NULL,
					   NULL);
}
