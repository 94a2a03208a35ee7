/* SPDX-License-Identifier: MIT */
/*
 * test_fault.c - a process fails where and when the environment says.
 */
#include "tests/support/test_dir.h"

#include "base/fault.h"

#ifdef BALE_DEBUG
static _Atomic unsigned long *hits;

/* Passes a point so often, as "count.0". */
static void
pass(void *arg)
{
	const int *times = arg;

	/* a shell, or nohup, may have started this with them ignored */
	signal(SIGINT, SIG_DFL);
	signal(SIGHUP, SIG_DFL);
	fault_init("count.0", hits);
	for (int i = 0; i < *times; i++) {
		FAULT("other");
		FAULT("point");
	}
}

/* How a process ends that passes the point so often. */
static int
end_of(const char *fault, int times)
{
	if (fault != NULL)
		setenv("BALE_FAULT", fault, 1);
	else
		unsetenv("BALE_FAULT");
	return run_child(pass, &times);
}

static int
begin(void **state)
{
	hits = mmap(NULL, sizeof(*hits), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return hits == MAP_FAILED;
}

static void
test_fault_happens_at_its_pass_once(void **state)
{
	*hits = 0;
	ASSERT_EQ(end_of("count.0:point:3:kill", 2), CHILD_OK);
	ASSERT_EQ(*hits, 2);
	/* the passes of those before count */
	ASSERT_EQ(end_of("count.0:point:3:kill", 2), -SIGKILL);
	ASSERT_EQ(end_of("count.0:point:3:kill", 2), CHILD_OK);
}

static void
test_fault_with_a_mark_happens_always(void **state)
{
	*hits = 0;
	ASSERT_EQ(end_of("count.0:point:2:term!", 1), CHILD_OK);
	ASSERT_EQ(end_of("count.0:point:2:term!", 1), -SIGTERM);
	ASSERT_EQ(end_of("count.0:point:2:term!", 1), -SIGTERM);
}

static void
test_fault_of_somebody_else_does_not_happen(void **state)
{
	*hits = 0;
	ASSERT_EQ(end_of(NULL, 9), CHILD_OK);
	ASSERT_EQ(end_of("count.1:point:1:kill", 9), CHILD_OK);
	ASSERT_EQ(end_of("count.0:points:1:kill", 9), CHILD_OK);
	ASSERT_EQ(end_of("count.0:point:1", 9), CHILD_OK);
	ASSERT_EQ(end_of("", 9), CHILD_OK);
}

static void
test_fault_has_the_actions_of_its_table(void **state)
{
	static const struct {
		const char *fault;
		int want;
	} cases[] = {
		{ "count.0:point:1:kill", -SIGKILL },
		{ "count.0:point:1:abort", -SIGABRT },
		{ "count.0:point:1:segv", -SIGSEGV },
		{ "count.0:point:1:int", -SIGINT },
		{ "count.0:point:1:hup", -SIGHUP },
		{ "count.0:point:1:exit", 5 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		*hits = 0;
		ASSERT_EQ(end_of(cases[i].fault, 1), cases[i].want);
	}
}

static void
stand_for(void *arg)
{
	const pid_t *other = arg;

	fault_init("count.0", hits);
	fault_stand_for(*other);
	FAULT("point");
}

static void
sleep_on(void *arg)
{
	for (;;)
		pause();
}

static void
test_fault_of_a_helper_is_that_of_whom_it_stands_for(void **state)
{
	pid_t other = start_child(sleep_on, NULL);

	*hits = 0;
	setenv("BALE_FAULT", "count.0:point:1:kill", 1);
	ASSERT_EQ(run_child(stand_for, &other), CHILD_OK);
	ASSERT_EQ(wait_for(other), -SIGKILL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fault_happens_at_its_pass_once),
		cmocka_unit_test(test_fault_with_a_mark_happens_always),
		cmocka_unit_test(test_fault_of_somebody_else_does_not_happen),
		cmocka_unit_test(test_fault_has_the_actions_of_its_table),
		cmocka_unit_test(
			test_fault_of_a_helper_is_that_of_whom_it_stands_for),
	};

	return cmocka_run_group_tests_name("base/fault", tests, begin, NULL);
}
#else
int
main(void)
{
	return skip_all("faults are of debug builds");
}
#endif
