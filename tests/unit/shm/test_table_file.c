/* SPDX-License-Identifier: MIT */
/*
 * test_table_file.c - the files of tables: where they are, when there is one,
 * full disks and limits.
 */
#include "tests/support/test_table.h"

#include <dirent.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>

static int
entries_of(const char *dir)
{
	DIR *d = opendir(dir);
	int n = -2; /* . and .. */

	while (d != NULL && readdir(d) != NULL)
		n++;
	if (d != NULL)
		closedir(d);
	return n;
}

static void
test_table_has_no_name(void **state)
{
	struct table table;
	struct stat stat;

	ASSERT_EQ(create(&table, SPAN), 0);
	ASSERT_EQ(table_reserve(&table, MIB), 0);
	ASSERT_EQ(entries_of(scratch()), 0);
	ASSERT_EQ(fstat(table_fd(&table), &stat), 0);
	ASSERT_EQ(stat.st_nlink, 0);
	ASSERT_EQ(stat.st_mode & 077, 0);
	table_close(&table);
}

/* Where what TMPDIR names is no directory for it: at once, or when it is wanted. */
static void
child_in_tmpdir(void *arg)
{
	const char *dir = arg;
	int expected = *dir == '\0'                  ? 0
		       : strcmp(dir, "/dev/null") == 0 ? -ENOTDIR
						       : -ENOENT;
	struct table_heads heads;
	struct table table = { .span_bytes = 7 };
	struct table later;

	setenv("TMPDIR", dir, 1);
	CHILD_CHECK(table_heads_open(&heads, 1) == 0);
	CHILD_CHECK(table_create_among(&table, &heads, SPAN) == expected);
	CHILD_CHECK(table.span_bytes == (expected == 0 ? SPAN : 7));
	CHILD_CHECK(table_create(&later, SPAN) == 0);
	CHILD_CHECK(table_reserve(&later, TABLE_HEAD_BYTES) == 0);
	CHILD_CHECK(table_reserve(&later, TABLE_HEAD_BYTES + 1) == expected);
	table_close(&later);
}

static void
test_table_goes_where_tmpdir_says(void **state)
{
	char nowhere[] = "/nowhere/at/all";
	char device[] = "/dev/null";
	char empty[] = "";

	ASSERT_EQ(run_child(child_in_tmpdir, nowhere), CHILD_OK);
	ASSERT_EQ(run_child(child_in_tmpdir, device), CHILD_OK);
	ASSERT_EQ(run_child(child_in_tmpdir, empty), CHILD_OK);
}

static void
child_on_a_small_disk(void *arg)
{
	struct table table;
	uint64_t bytes = MIB;
	int error = 0;

	child_mount_tmpfs(scratch(), "size=8m");
	CHILD_CHECK(create(&table, SPAN) == 0);
	while (error == 0 && bytes < 64 * MIB) {
		error = table_reserve(&table, bytes);
		if (error != 0)
			break;
		fill(&table, bytes); /* a SIGBUS here is the bug looked for */
		bytes += MIB;
	}
	CHILD_CHECK(error == -ENOSPC);
	CHILD_CHECK(bytes > 4 * MIB && bytes <= 9 * MIB);
	/* what it had, it has */
	CHILD_CHECK(is_filled(&table, bytes - MIB));
	fill(&table, bytes - MIB);
	/* and once there is room again, it goes on */
	if (mount("none", scratch(), "none", MS_REMOUNT, "size=32m") != 0)
		_exit(CHILD_SKIP);
	CHILD_CHECK(table_reserve(&table, bytes) == 0);
	fill(&table, bytes);
	CHILD_CHECK(is_filled(&table, bytes));
}

static void
test_table_on_a_full_disk_says_so_and_keeps_what_it_has(void **state)
{
	run_child_or_skip(child_on_a_small_disk, NULL);
}

static void
child_over_the_file_size_limit(void *arg)
{
	const struct rlimit small = { 4 * MIB, 4 * MIB };
	struct table table;

	signal(SIGXFSZ, SIG_IGN); /* as the supervisor does */
	setrlimit(RLIMIT_FSIZE, &small);
	CHILD_CHECK(create(&table, SPAN) == 0);
	CHILD_CHECK(table_reserve(&table, 2 * MIB) == 0);
	CHILD_CHECK(table_reserve(&table, 5 * MIB) == -EFBIG);
	fill(&table, 2 * MIB);
}

static void
test_table_over_the_file_size_limit_says_so(void **state)
{
	ASSERT_EQ(run_child(child_over_the_file_size_limit, NULL), CHILD_OK);
}

/* What is small has no file; what grows has what it had. */
static void
test_table_alone_has_a_file_when_it_outgrows_its_head(void **state)
{
	struct table table;

	setenv("TMPDIR", scratch(), 1);
	ASSERT_EQ(table_create(&table, SPAN), 0);
	ASSERT_EQ(table_reserve(&table, TABLE_HEAD_BYTES), 0);
	fill(&table, TABLE_HEAD_BYTES);
	ASSERT_EQ(table_fd(&table), -1);
	ASSERT_EQ(table_backed_bytes(&table), TABLE_HEAD_BYTES);
	ASSERT_EQ(table_reserve(&table, 3 * MIB), 0);
	ASSERT_TRUE(table_fd(&table) >= 0);
	ASSERT_TRUE(table_backed_bytes(&table) >= 3 * MIB);
	ASSERT_TRUE(is_filled(&table, TABLE_HEAD_BYTES));
	fill(&table, 3 * MIB);
	table_trim_all();
	ASSERT_TRUE(is_filled(&table, 3 * MIB));
	table_close(&table);
	ASSERT_EQ(table_fd(&table), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_has_no_name),
		cmocka_unit_test(test_table_goes_where_tmpdir_says),
		cmocka_unit_test(
			test_table_on_a_full_disk_says_so_and_keeps_what_it_has),
		cmocka_unit_test(test_table_over_the_file_size_limit_says_so),
		cmocka_unit_test(
			test_table_alone_has_a_file_when_it_outgrows_its_head),
	};

	if (under_valgrind())
		return skip_all("valgrind walks over whole spans");
	return cmocka_run_group_tests_name("shm/table file", tests, NULL,
					   teardown);
}
