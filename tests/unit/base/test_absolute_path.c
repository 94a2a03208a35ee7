/* SPDX-License-Identifier: MIT */
/*
 * test_absolute_path.c - paths from the root on, against those of the shell.
 */
#include "tests/support/test_shm.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "base/absolute_path.h"

static void
test_absolute_path_has_no_dots_at_its_beginning(void **state)
{
	static const struct {
		const char *path;
		const char *want;
	} rows[] = {
		{ "/", "/" },
		{ "/a//b/./c/", "/a/b/c" },
		{ "/a/../b", "/a/../b" },
		{ ".", "/proc/sys" },
		{ "fs//", "/proc/sys/fs" },
		{ "./.x/..", "/proc/sys/.x/.." },
		{ "..", "/proc" },
		{ ".././/../x/y", "/x/y" },
		{ "../../../..", "/" },
		{ "..a/b", "/proc/sys/..a/b" },
	};
	char got[PATH_MAX];
	int here = open(".", O_RDONLY | O_CLOEXEC);

	ASSERT_EQ(chdir("/proc/sys"), 0);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		ASSERT_EQ(absolute_path(got, sizeof(got), rows[i].path), 0);
		assert_string_equal(got, rows[i].want);
	}
	ASSERT_EQ(absolute_path(got, 10, "123456"), -ENAMETOOLONG);
	ASSERT_EQ(absolute_path(got, 17, "123456"), 0);
	ASSERT_EQ(fchdir(here), 0);
	close(here);
}

static void
test_absolute_path_holds_what_is_below(void **state)
{
	static const struct {
		const char *dir;
		const char *path;
		bool holds;
	} rows[] = {
		{ "/", "/", true },	   { "/", "/a", true },
		{ "/a", "/a", true },	   { "/a", "/a/b", true },
		{ "/a", "/ab", false },	   { "/a/b", "/a", false },
		{ "/a/b", "/a/c", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		ASSERT_EQ(absolute_path_holds(rows[i].dir, rows[i].path),
			  rows[i].holds);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_absolute_path_has_no_dots_at_its_beginning),
		cmocka_unit_test(test_absolute_path_holds_what_is_below),
	};

	return cmocka_run_group_tests_name("base/absolute_path", tests, NULL,
					   NULL);
}
