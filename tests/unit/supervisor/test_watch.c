/* SPDX-License-Identifier: MIT */
/*
 * test_watch.c - what becomes of a run when its workers end, well or not.
 *
 * Deaths at every point of the real stages are in tests/kill/.
 */
#include "tests/support/test_supervisor_rig.h"

#include "base/exit_code.h"

static int
watch(void)
{
	atomic_store(&supervisor.run.segment.control->pass, PASS_FIRST);
	for (uint32_t i = 0; i < supervisor.worker_slot_nr; i++)
		ASSERT_EQ(supervisor_spawn(&supervisor, i), 0);
	return supervisor_watch(&supervisor);
}

static void
assert_nobody_is_left(void)
{
	for (uint32_t i = 0; i < supervisor.worker_slot_nr; i++)
		ASSERT_EQ(supervisor.worker_slots[i].pid, 0);
	ASSERT_EQ(waitpid(-1, NULL, WNOHANG), -1);
	ASSERT_EQ(errno, ECHILD);
}

static void
test_watch_ends_when_all_have_ended(void **state)
{
	told[STAGE_SELECT].ends = 1;
	ASSERT_EQ(watch(), 0);
	assert_nobody_is_left();
	ASSERT_EQ(supervisor.deaths, 0);
	ASSERT_TRUE(supervisor.timeline.nr > 0);
	ASSERT_SILENT();
}

/* A worker that dies is replaced: with a line, and the run goes on. */
static void
test_watch_replaces_who_dies(void **state)
{
	told[STAGE_SELECT].ends = 1;
	told[STAGE_DEDUP].deaths_left = 2;
	ASSERT_EQ(watch(), 0);
	assert_nobody_is_left();
	ASSERT_EQ(supervisor.deaths, 2);
	ASSERT_EQ(supervisor.worker_slots[worker_idx(STAGE_DEDUP, 0)].deaths,
		  2);
	ASSERT_EQ(fake_worker_shm(&supervisor.run, STAGE_DEDUP, 0)->incarnation,
		  3);
	ASSERT_EQ(fake_worker_shm(&supervisor.run, STAGE_DEDUP, 0)->retry, 1);
	ASSERT_EQ(fake_worker_shm(&supervisor.run, STAGE_DEDUP, 0)->skip_step,
		  0);
	ASSERT_SAID("dedup killed by signal 6 (Aborted) while processing no "
		    "file; replacing the worker");
}

/* Three times at one entry: it is left out. */
static void
test_watch_leaves_out_what_kills_three_times(void **state)
{
	told[STAGE_SELECT].ends = 1;
	told[STAGE_DEDUP].deaths_left = 3;
	ASSERT_EQ(watch(), 0);
	ASSERT_EQ(supervisor.deaths, 3);
	/* the step after those that were committed, 1 at the least */
	ASSERT_EQ(fake_worker_shm(&supervisor.run, STAGE_DEDUP, 0)->skip_step,
		  atomic_load(&fake_worker_shm(&supervisor.run, STAGE_DEDUP, 0)
				       ->committed) +
			  1);
	ASSERT_SAID("leaving that out");
}

/* What dies again and again ends the run, and so does who never begins. */
static void
test_watch_gives_up_on_who_always_dies(void **state)
{
	told[STAGE_DEDUP].deaths_left = 100;
	ASSERT_EQ(watch(), EXIT_INTERNAL);
	assert_nobody_is_left();
	ASSERT_EQ(supervisor.deaths, 6);
	ASSERT_SAID("workers keep crashing; giving up");
	supervisor_end(state);
	supervisor_set(state);
	told[STAGE_COUNT].deaths_left = 100;
	told[STAGE_COUNT].early = 1;
	ASSERT_EQ(watch(), EXIT_INTERNAL);
	assert_nobody_is_left();
	/* three of one lane; the other may have had two */
	ASSERT_TRUE(supervisor.deaths >= 3 && supervisor.deaths <= 5);
	ASSERT_SAID("workers keep crashing; giving up");
}

/* What a worker says by its exit code is the end of the run, or is not. */
static void
test_watch_ends_with_what_a_worker_says(void **state)
{
	static const struct {
		int worker;
		int want;
	} cases[] = {
		{ WORKER_EXIT_CONFIG, EXIT_USAGE },
		{ WORKER_EXIT_OUTPUT, EXIT_OUTPUT },
		{ WORKER_EXIT_RESOURCE, EXIT_RESOURCES },
		{ WORKER_EXIT_SANDBOX, EXIT_INTERNAL },
		/* no words of theirs: they are replaced, but not for ever */
		{ WORKER_EXIT_ORPHAN, EXIT_INTERNAL },
		{ WORKER_EXIT_DONE, EXIT_INTERNAL },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		if (i > 0) {
			supervisor_end(state);
			supervisor_set(state);
		}
		told[STAGE_FORMAT].exit_code = 1 + cases[i].worker;
		ASSERT_EQ(watch(), cases[i].want);
		assert_nobody_is_left();
		ASSERT_EQ(supervisor.deaths, i < 4 ? 0 : 6);
		if (cases[i].worker == WORKER_EXIT_SANDBOX)
			ASSERT_SAID("could not enter its sandbox");
	}
}

/* The reader of a stream has gone: the run ends as of SIGPIPE. */
static void
test_watch_ends_when_nobody_reads(void **state)
{
	int ends[2];

	ASSERT_EQ(pipe2(ends, O_CLOEXEC), 0);
	close(ends[0]);
	signal(SIGPIPE, SIG_IGN);
	supervisor.output.fd = memfd_create("output", MFD_CLOEXEC);
	supervisor.output.stream_fd = ends[1];
	supervisor.output.is_pipe = true;
	supervisor.run.output_streams = true;
	ASSERT_EQ(write(supervisor.output.fd, "text", 4), 4);
	atomic_store(&supervisor.run.segment.control->written_bytes, 4);
	ASSERT_EQ(watch(), 128 + SIGPIPE);
	ASSERT_TRUE(supervisor.has_no_reader);
	assert_nobody_is_left();
	close(supervisor.output.fd);
	close(ends[1]);
	supervisor.output = OUTPUT_NONE;
}

/* What still runs is killed, and waited for. */
static void
test_watch_kills_all_of_them(void **state)
{
	for (uint32_t i = 0; i < supervisor.worker_slot_nr; i++)
		ASSERT_EQ(supervisor_spawn(&supervisor, i), 0);
	supervisor_kill_all(&supervisor, DEATH_MS);
	assert_nobody_is_left();
	/* and again, with nobody there */
	supervisor_kill_all(&supervisor, DEATH_MS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		SUPERVISOR_CASE(test_watch_ends_when_all_have_ended),
		SUPERVISOR_CASE(test_watch_replaces_who_dies),
		SUPERVISOR_CASE(test_watch_leaves_out_what_kills_three_times),
		SUPERVISOR_CASE(test_watch_gives_up_on_who_always_dies),
		SUPERVISOR_CASE(test_watch_ends_with_what_a_worker_says),
		SUPERVISOR_CASE(test_watch_ends_when_nobody_reads),
		SUPERVISOR_CASE(test_watch_kills_all_of_them),
	};

	return cmocka_run_group_tests_name("supervisor/watch", tests, NULL,
					   NULL);
}
