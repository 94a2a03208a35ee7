/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_bench.c - all runs of a small tree.
 */
#include "tests/support/test_command.h"

static size_t
case_nr(const json_t *root)
{
	return json_array_size(json_object_get(root, "cases"));
}

/* 1, 2, 4 and the most of all by workers; then read, and both cold. */
static void
test_bench_runs_each_case(void **state)
{
	json_t *root;

	dir_write("a.c", "int a;\n");
	ASSERT_RUN(cmd_bench,
		   "bench a.c --no-sandbox --runs 2 --workers 3 --json", NULL,
		   EXIT_COMPLETE, "");
	root = command_json();
	ASSERT_EQ(case_nr(root), 6);
	for (size_t i = 0; i < case_nr(root); i++)
		ASSERT_EQ(json_array_size(json_object_get(
				  json_array_get(json_object_get(root, "cases"),
						 i),
				  "wall_ns")),
			  2);
	ASSERT_EQ(json_integer_value(json_object_get(root, "bytes")), 7);
	json_decref(root);
	ASSERT_RUN(cmd_bench, "bench a.c --no-sandbox --runs 1 -q", NULL,
		   EXIT_COMPLETE, "");
	ASSERT_SAYS("The model, by the costs of warm uring 1:");
}

static void
test_bench_says_what_is_wrong(void **state)
{
	dir_write("a.c", "int a;\n");
	ASSERT_RUN(cmd_bench, "bench nowhere --no-sandbox", NULL, EXIT_USAGE,
		   "nowhere");
	ASSERT_RUN(cmd_bench, "bench a.c --runs 0", NULL, EXIT_USAGE,
		   "from 1 to 25");
	ASSERT_RUN(cmd_bench, "bench a.c --no-sandbox --compare a.c", NULL,
		   EXIT_USAGE, "cannot read a.c");
	ASSERT_OUT("");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_bench_runs_each_case,
						dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(test_bench_says_what_is_wrong,
						dir_set_up, dir_tear_down),
	};

	return cmocka_run_group_tests_name("cli/cmd_bench", tests, NULL, NULL);
}
