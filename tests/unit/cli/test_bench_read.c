/* SPDX-License-Identifier: MIT */
/*
 * test_bench_read.c - the files of a tree, read and thrown away.
 */
#include "tests/support/test_dir.h"
#include "tests/support/test_options.h"

#include "cli/bench.h"

static void
test_files_are_read_once_each(void **state)
{
	struct bench_files *files = NULL;
	uint64_t bytes = 0;
	uint64_t ns = 0;

	if (under_valgrind())
		skip();
	ASSERT_TRUE(mkdir("t", 0755) == 0 && mkdir("t/d", 0755) == 0);
	dir_write("t/a", "12345");
	dir_write("t/d/b", "123");
	dir_write("t/.gitignore", "left\n");
	dir_write("t/left", "much more than that");
	dir_write("outside", "not of it");
	ASSERT_EQ(symlink("../outside", "t/link"), 0);
	dir_write("alone", "1");
	parses("bench t alone --no-sandbox --no-config");
	ASSERT_EQ(bench_files_list(&given, &files), 0);
	ASSERT_EQ(bench_files_read(files, BENCH_CACHED, &bytes, &ns), 0);
	ASSERT_EQ(bytes, 5 + 3 + 5 + 1);
	ASSERT_TRUE(ns > 0);
	ASSERT_EQ(bench_files_read(files, BENCH_EVICT, &bytes, &ns), 0);
	ASSERT_EQ(bytes, 0);
	/* what has become a link is not followed */
	ASSERT_TRUE(unlink("t/a") == 0 && symlink("../outside", "t/a") == 0);
	ASSERT_EQ(bench_files_read(files, BENCH_CACHED, &bytes, &ns), 0);
	ASSERT_EQ(bytes, 3 + 5 + 1);
	bench_files_free(files);
}

static void
test_files_that_are_not_there_are_an_error(void **state)
{
	struct bench_files *files = NULL;

	if (under_valgrind())
		skip();
	parses("bench nowhere --no-sandbox --no-config");
	ASSERT_TRUE(bench_files_list(&given, &files) < 0);
	assert_null(files);
	bench_files_free(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_files_are_read_once_each,
						dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_files_that_are_not_there_are_an_error, dir_set_up,
			dir_tear_down),
	};

	return cmocka_run_group_tests_name("cli/bench_read", tests, NULL, NULL);
}
