/* SPDX-License-Identifier: MIT */
/*
 * test_worker_lanes.c - when more lanes are asked for; that a pass ends without those
 * that have no workers, and begins in time for those that get some.
 */
#include "tests/support/test_stage_rig.h"

#include <sys/eventfd.h>
#include <unistd.h>

#define LANES 4

static struct rig rig;

static int
set_up(void **state)
{
	rig_open(&rig, LANES, 2 * LANES);
	rig.run.lanes_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	ASSERT_TRUE(rig.run.lanes_fd > 0);
	return 0;
}

static int
tear_down(void **state)
{
	close(rig.run.lanes_fd);
	rig_close(&rig);
	return 0;
}

/* As collect, in a pass. */
static void
ask(uint64_t pass)
{
	rig.worker.pass = pass;
	worker_ask_for_lanes(&rig.worker);
}

/* As the supervisor says it. */
static void
have_lanes(uint32_t live, uint32_t settled)
{
	struct control_shm *control = rig.run.segment.control;

	atomic_store(&control->lanes_live, live);
	atomic_store(&control->lanes_settled, settled);
}

/* How often the supervisor was told since the last time. */
static uint64_t
heard(void)
{
	uint64_t times;

	return read(rig.run.lanes_fd, &times, sizeof(times)) < 0 ? 0 : times;
}

static void
assert_asked(uint32_t lane_nr, uint64_t pass)
{
	const struct control_shm *control = rig.run.segment.control;

	ASSERT_EQ(control->lanes_wanted, lane_nr);
	ASSERT_EQ(control->lanes_pass, pass);
}

static void
test_lanes_are_asked_for_twice_as_many_and_once(void **state)
{
	have_lanes(1, 0);
	rig_attach(&rig, STAGE_DEDUP, 0); /* as good as collect */
	ASSERT_TRUE(!worker_awaits_lanes(&rig.worker));
	ask(3);
	assert_asked(2, 3);
	ASSERT_TRUE(worker_awaits_lanes(&rig.worker));
	ask(4);
	assert_asked(2, 3);
	ASSERT_EQ(heard(), 1);
	have_lanes(2, 0);
	ASSERT_TRUE(!worker_awaits_lanes(&rig.worker));
	ask(4);
	assert_asked(4, 4);
	ASSERT_EQ(heard(), 1);
	/* one more was all that could be had */
	have_lanes(3, 1);
	ASSERT_TRUE(!worker_awaits_lanes(&rig.worker));
	ASSERT_EQ(worker_lane_nr(&rig.worker), 3);
	ask(5);
	assert_asked(4, 4);
	ASSERT_EQ(heard(), 0);
}

static void
test_lanes_are_no_more_than_may_be(void **state)
{
	have_lanes(3, 0);
	rig_attach(&rig, STAGE_DEDUP, 0); /* as good as collect */
	ask(1);
	assert_asked(LANES, 1);
}

/* The streams into dedup that are there end here. */
static void
close_for_dedup(uint32_t lane_nr, uint64_t pass)
{
	struct ring order = rig_ring(&rig, EDGE_ORDER, 0);

	for (uint32_t lane = 0; lane < lane_nr; lane++) {
		struct ring counted = rig_ring(&rig, EDGE_COUNTED, lane);

		ring_close(&counted, pass);
	}
	ring_close(&order, pass);
}

/* A lane without workers is not waited for, one with workers is. */
static void
test_lanes_without_workers_end_no_pass(void **state)
{
	have_lanes(1, 0);
	rig_attach(&rig, STAGE_DEDUP, 0);
	ASSERT_EQ(rig_step(&rig), STEP_AGAIN);
	close_for_dedup(1, 1);
	have_lanes(2, 0);
	ASSERT_EQ(rig_step(&rig), STEP_AGAIN);
	ASSERT_EQ(rig.worker.pass, 1);
	have_lanes(1, 1);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_EQ(rig.worker.pass, 2);
	have_lanes(LANES, 1);
	close_for_dedup(LANES - 1, 2);
	ASSERT_EQ(rig_step(&rig), STEP_AGAIN);
	close_for_dedup(LANES, 2);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_EQ(rig.worker.pass, 3);
}

/* What was over before is none of its passes; a replacement goes on in its. */
static void
test_lanes_begin_with_the_pass_that_needs_them(void **state)
{
	struct ring chunks = rig_ring(&rig, EDGE_CHUNKS, 2);
	uint32_t idx = stage_worker_idx(STAGE_CHUNK, 2, LANES);

	atomic_store(&segment_worker(&rig.run.segment, idx)->first_pass, 3);
	rig_attach(&rig, STAGE_CHUNK, 2);
	ASSERT_EQ(rig.worker.pass, 3);
	rig_close_inputs(&rig, 2);
	ASSERT_EQ(rig_step(&rig), STEP_AGAIN);
	rig_die(&rig);
	ASSERT_EQ(rig.worker.pass, 3);
	ASSERT_TRUE(!ring_is_closed(&chunks, 3));
	rig_close_inputs(&rig, 3);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_TRUE(ring_is_closed(&chunks, 3));
	rig_die(&rig);
	ASSERT_EQ(rig.worker.pass, 4);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_lanes_are_asked_for_twice_as_many_and_once),
		CASE(test_lanes_are_no_more_than_may_be),
		CASE(test_lanes_without_workers_end_no_pass),
		CASE(test_lanes_begin_with_the_pass_that_needs_them),
	};

	return cmocka_run_group_tests_name("stages/worker_lanes", tests, NULL, NULL);
}
