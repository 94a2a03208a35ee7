/* SPDX-License-Identifier: MIT */
/*
 * test_bench_run.c - a run and its figures; one that cannot be.
 */
#include "tests/support/test_dir.h"
#include "tests/support/test_options.h"

#include "cli/bench.h"

static struct bench_result result;

static void
test_run_adds_its_figures(void **state)
{
	struct bench_case it = { .worker_nr = 2, .io = IO_READ };

	if (under_valgrind())
		skip();
	dir_write("a.c", "int a;\n");
	parses("bench a.c --no-sandbox --no-config");
	for (uint32_t i = 1; i <= 2; i++) {
		ASSERT_EQ(bench_run(&given, &it, &result), 0);
		ASSERT_EQ(it.wall_ns.nr, i);
		ASSERT_EQ(it.cpu_ns.nr, i);
		ASSERT_TRUE(it.wall_ns.values[i - 1] > 0);
		ASSERT_TRUE(it.cpu_ns.values[i - 1] > 0);
	}
	ASSERT_EQ(result.files, 1);
	ASSERT_EQ(result.bytes, 7);
	ASSERT_TRUE(result.tokens > 0);
	/* a second one has nothing to do */
	ASSERT_EQ(it.stages[STAGE_COUNT].worker_nr, 1);
	ASSERT_EQ(it.stages[STAGE_COLLECT].worker_nr, 1);
	for (int i = 0; i < STAGE_NR; i++)
		ASSERT_TRUE(it.stages[i].cpu_ns > 0);
}

static void
test_run_of_nothing_is_an_error(void **state)
{
	struct bench_case it = { .worker_nr = 1 };

	if (under_valgrind())
		skip();
	parses("bench nowhere --no-sandbox --no-config");
	ASSERT_TRUE(bench_run(&given, &it, &result) != 0);
	ASSERT_EQ(it.wall_ns.nr, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_run_adds_its_figures,
						dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(test_run_of_nothing_is_an_error,
						dir_set_up, dir_tear_down),
	};

	return cmocka_run_group_tests_name("cli/bench_run", tests, NULL, NULL);
}
