/* SPDX-License-Identifier: MIT */
/*
 * test_add_lanes.c - further lanes: what collect asks for it gets, as far as it
 * can be had, and it is always answered.
 */
#include "tests/support/test_supervisor_rig.h"

static struct control_shm *
control(void)
{
	return supervisor.run.segment.control;
}

/* As collect asks. */
static void
want_lanes(uint32_t nr, uint64_t pass)
{
	atomic_store(&control()->lanes_pass, pass);
	atomic_store(&control()->lanes_wanted, nr);
}

static void
test_lanes_begin_with_one(void **state)
{
	options.worker_nr = 2;
	options.worker_nr_given = true;
	lanes_begin(&supervisor);
	ASSERT_EQ(control()->lanes_live, 1);
	ASSERT_EQ(control()->lanes_settled, 0);
	lanes_add(&supervisor);
	ASSERT_EQ(control()->lanes_live, 1);
	ASSERT_EQ(waitpid(-1, NULL, WNOHANG), -1);
	ASSERT_SILENT();
	/* --memory was too little for more */
	options.worker_nr = 5;
	lanes_begin(&supervisor);
	ASSERT_SAID("--workers 5: only 2, as --memory is too little for more");
}

/* Both workers of the lane, for the pass that needs them, and no more lanes than
 * there may be. */
static void
test_lanes_are_added_when_they_are_asked_for(void **state)
{
	static const enum stage_id stages[] = { STAGE_CHUNK, STAGE_COUNT };

	options.worker_nr = 2;
	lanes_begin(&supervisor);
	want_lanes(64, 5);
	lanes_add(&supervisor);
	for (size_t i = 0; i < ARRAY_LEN(stages); i++) {
		uint32_t idx = worker_idx(stages[i], 1);

		ASSERT_EQ(kill(supervisor.worker_slots[idx].pid, 0), 0);
		ASSERT_EQ(segment_worker(&supervisor.run.segment, idx)
				  ->first_pass,
			  5);
		ASSERT_EQ(supervisor.worker_slots[worker_idx(stages[i], 0)].pid,
			  0);
	}
	ASSERT_EQ(control()->lanes_live, 2);
	ASSERT_EQ(control()->lanes_settled, 1);
	lanes_add(&supervisor);
	ASSERT_EQ(control()->lanes_live, 2);
	ASSERT_SILENT();
}

/* What cannot be had is said once, and collect waits for it no longer; what the
 * supervisor opens later can still be opened. */
static void
test_lanes_that_cannot_be_had_are_said(void **state)
{
	struct rlimit limit;
	int last;

	ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
	options.worker_nr = 2;
	options.worker_nr_given = true;
	lanes_begin(&supervisor);
	want_lanes(2, 1);
	limit_descriptors(2);
	lanes_add(&supervisor);
	last = open("/dev/null", O_RDONLY | O_CLOEXEC);
	ASSERT_TRUE(last >= 0);
	close(last);
	ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
	ASSERT_EQ(control()->lanes_live, 1);
	ASSERT_EQ(control()->lanes_settled, 1);
	ASSERT_SAID("--workers 2: only 1, as more cannot be started: "
		    "Too many open files");
	lanes_add(&supervisor);
	ASSERT_EQ(control()->lanes_live, 1);
	ASSERT_EQ(waitpid(-1, NULL, WNOHANG), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SUPERVISOR_CASE(test_lanes_begin_with_one),
		SUPERVISOR_CASE(test_lanes_are_added_when_they_are_asked_for),
		SUPERVISOR_CASE(test_lanes_that_cannot_be_had_are_said),
	};

	return cmocka_run_group_tests_name("supervisor/add_lanes", tests, NULL,
					   NULL);
}
