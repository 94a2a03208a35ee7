/* SPDX-License-Identifier: MIT */
/*
 * test_bench_query.c - a run for each past commit; what it cannot be given with.
 */
#include "tests/support/test_command.h"

static void
test_query_says_what_is_wrong(void **state)
{
	dir_write("a.c", "int a;\n");
	ASSERT_RUN(cmd_bench, "bench --query --no-sandbox", NULL, EXIT_USAGE,
		   ".: its commits cannot be read: it is not in a git "
		   "repository");
	ASSERT_RUN(cmd_bench, "bench --query a.c --no-sandbox", NULL,
		   EXIT_USAGE, "a.c: its commits cannot be read: Not a dir");
	ASSERT_RUN(cmd_bench, "bench --query a.c a.c", NULL, EXIT_USAGE,
		   "--query takes one PATH");
	ASSERT_RUN(cmd_bench, "bench --query --runs 3", NULL, EXIT_USAGE,
		   "--query cannot be given with --runs");
	ASSERT_RUN(cmd_bench, "bench --query --compare a.c", NULL, EXIT_USAGE,
		   "--query cannot be given with --runs or --compare");
	ASSERT_RUN(cmd_bench, "bench --query --budget all", NULL, EXIT_USAGE,
		   "--query cannot be given with --budget all");
	ASSERT_RUN(cmd_bench, "bench --commits 7", NULL, EXIT_USAGE,
		   "--commits needs --query");
	ASSERT_RUN(cmd_bench, "bench --query --commits 1001", NULL, EXIT_USAGE,
		   "from 1 to 1000");
	ASSERT_OUT("");
}

#define GIT "git -C r -c user.name=a -c user.email=a@b "

static void
test_query_runs_each_commit_with_each_budget(void **state)
{
	json_t *root;
	json_int_t tokens;
	double spot;

	ASSERT_EQ(system("git init -q r 2>/dev/null && cd r && seq 99 >a.c && "
			 "cd .. && " GIT "add -A && " GIT
			 "commit -qm first && sed -i s/50/fifty/ r/a.c && " GIT
			 "commit -qam 'spell the number 50 as a word, for "
			 "those who read'"),
		  0);
	ASSERT_RUN(cmd_bench, "bench r --query --no-sandbox --json", NULL,
		   EXIT_COMPLETE, "");
	root = command_json();
	ASSERT_EQ(json_unpack(root, "{s:[{},{},{s:I,s:F}]}", "budgets",
			      "tokens", &tokens, "spot", &spot),
		  0);
	ASSERT_EQ(tokens, 128000);
	ASSERT_TRUE(spot == 1);
	json_decref(root);
	ASSERT_RUN(cmd_bench,
		   "bench r --query --no-sandbox --json --budget 900", NULL,
		   EXIT_COMPLETE, "");
	root = command_json();
	ASSERT_EQ(json_array_size(json_object_get(root, "budgets")), 1);
	json_decref(root);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_query_says_what_is_wrong,
						dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_query_runs_each_commit_with_each_budget,
			dir_set_up, dir_tear_down),
	};

	return cmocka_run_group_tests_name("cli/bench_query", tests, NULL,
					   NULL);
}
