/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_batch.c - batches, from a list to a manifest.
 */
#include "tests/support/test_command.h"

#include "base/new_file.h"

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

/* verifies: --keep-going is the default, in words */
static void
test_batch_keeps_going(void **state)
{
	make_trees();
	ASSERT_RUN(cmd_batch,
		   "batch list -d out --no-sandbox --jobs 1 --keep-going", NULL,
		   EXIT_DEGRADED, "2 done, 0 degraded, 1 failed");
	ASSERT_RUN(cmd_batch, "batch list -d out --keep-going --max-failures 1",
		   NULL, EXIT_USAGE, "BALE-CLI-005 --max-failures");
}

/* As the hidden names of base/new_file.c are, with their checksum. */
static void
abandon(const char *dir, const char *name, char *path, size_t size)
{
	struct new_file file = { .fd = -1, .dir_fd = -1, .listed = -1 };
	int dir_fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	ASSERT_EQ(new_file_create_at(&file, dir_fd, name), 0);
	ASSERT_EQ(new_file_ready(&file, 0600), 0);
	snprintf(path, size, "%s/%s", dir, file.hidden);
	close(file.fd); /* and its lock with it, as if it were killed */
}

/* What a killed one left beside any output is gone, and nothing else is. */
static void
test_batch_removes_what_was_left(void **state)
{
	char left[PATH_MAX];

	if (under_valgrind())
		skip();
	make_trees();
	ASSERT_EQ(mkdir("out", 0755), 0);
	dir_write("out/a.md", "a target, so that the new one gets a name");
	dir_write("out/.a.md.tmp", "a user's");
	abandon("out", "a.md", left, sizeof(left));
	ASSERT_EQ(access(left, F_OK), 0);
	ASSERT_RUN(cmd_batch, "batch list -d out --no-sandbox -q", NULL,
		   EXIT_DEGRADED, "list:2: ");
	ASSERT_TRUE(access(left, F_OK) != 0);
	ASSERT_EQ(access("out/.a.md.tmp", F_OK), 0);
}

static void
test_batch_compresses(void **state)
{
	make_trees();
	dir_write("list", "a\n{\"path\": \"b\", \"output\": \"b.md\"}\n");
	ASSERT_RUN(cmd_batch, "batch list -d out --no-sandbox -q --zstd", NULL,
		   EXIT_COMPLETE, "");
	assert_non_null(strstr(dir_read("out/manifest.jsonl"), ".md.zst\""));
	assert_non_null(strstr(dir_read("out/b.md"), "int b;"));
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
		COMMAND_TEST(batch_keeps_going),
		COMMAND_TEST(batch_removes_what_was_left),
		COMMAND_TEST(batch_compresses),
		COMMAND_TEST(batch_says_what_is_missing),
	};

	return cmocka_run_group_tests_name("cli/cmd_batch", tests, NULL, NULL);
}
