/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_batch.c - batches, from a list to a manifest.
 */
#include "tests/support/test_command.h"

static void
make_trees(void)
{
	ASSERT_EQ(mkdir("a", 0755), 0);
	ASSERT_EQ(mkdir("b", 0755), 0);
	dir_write("a/a.c", "int a;\n");
	dir_write("b/b.c", "int b;\n");
	dir_write("list", "a\nnowhere\nb\n");
}

/* verifies: one line that fails does not end a batch */
static void
test_batch_goes_on_after_a_failure(void **state)
{
	make_trees();
	ASSERT_RUN(cmd_batch, "batch list -d out --no-sandbox --jobs 2", NULL,
		   EXIT_DEGRADED,
		   "lines       3: 2 done, 0 degraded, 1 failed, 0 to try "
		   "again\n");
	assert_non_null(strstr(command_err, "list:2: "));
	assert_non_null(strstr(dir_read("out/manifest.jsonl"),
			       "\"path\":\"nowhere\""));
	/* what is done is not done again */
	dir_write("a/a.c", "int changed;\n");
	ASSERT_RUN(cmd_batch, "batch list -d out --no-sandbox", NULL,
		   EXIT_DEGRADED, "lines       3: 2 done");
	assert_null(strstr(command_err, "list:2"));
}

static void
test_batch_ends_at_max_failures(void **state)
{
	make_trees();
	dir_write("list", "x\ny\na\n");
	ASSERT_RUN(cmd_batch,
		   "batch list -d out --no-sandbox --jobs 1 --max-failures 2",
		   NULL, EXIT_DEGRADED, "--max-failures 2: the batch ends");
	assert_non_null(strstr(command_err, "2 failed, 0 to try again, 1 not "
					    "begun"));
	ASSERT_RUN(cmd_batch, "batch list -d out --no-sandbox", NULL,
		   EXIT_DEGRADED, "1 done, 0 degraded, 2 failed");
}

static void
test_batch_says_what_is_missing(void **state)
{
	make_trees();
	ASSERT_RUN(cmd_batch, "batch list", NULL, EXIT_USAGE, "-d DIR");
	ASSERT_RUN(cmd_batch, "batch nolist -d out", NULL, EXIT_USAGE,
		   "nolist: No such file");
	ASSERT_RUN(cmd_batch, "batch - -d out", "", EXIT_NOTHING,
		   "has no lines");
	ASSERT_RUN(cmd_batch, "batch list -d a/a.c", NULL, EXIT_OUTPUT,
		   "cannot write a/a.c");
	ASSERT_RUN(cmd_batch,
		   "batch list -d out --categories nonsense=1", NULL,
		   EXIT_USAGE, "nonsense");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(batch_goes_on_after_a_failure),
		COMMAND_TEST(batch_ends_at_max_failures),
		COMMAND_TEST(batch_says_what_is_missing),
	};

	return cmocka_run_group_tests_name("cli/cmd_batch", tests, NULL, NULL);
}
