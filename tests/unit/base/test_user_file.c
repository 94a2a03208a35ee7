/* SPDX-License-Identifier: MIT */
/*
 * test_user_file.c - where bale's files of a user lie.
 *
 * source: XDG Base Directory Specification: paths that are not absolute are
 *         passed over
 */
#include "tests/support/test_shm.h"

#include <limits.h>
#include <sys/stat.h>

#include "base/base.h"
#include "base/user_file.h"

static void
put_variable(const char *name, const char *value)
{
	if (value == NULL)
		unsetenv(name);
	else
		setenv(name, value, 1);
}

static void
test_user_file_lies_in_the_directory_of_its_kind(void **state)
{
	static const struct {
		const char *state;
		const char *cache;
		const char *home;
		const char *want[2]; /* of either kind; NULL: nowhere */
	} cases[] = {
		{ "/s", "/c", "/h", { "/s/bale/x", "/c/bale/x" } },
		{ NULL,
		  NULL,
		  "/h",
		  { "/h/.local/state/bale/x", "/h/.cache/bale/x" } },
		{ "",
		  "",
		  "/h",
		  { "/h/.local/state/bale/x", "/h/.cache/bale/x" } },
		{ "s",
		  "./c",
		  "/h",
		  { "/h/.local/state/bale/x", "/h/.cache/bale/x" } },
		{ "/s", NULL, NULL, { "/s/bale/x", NULL } },
		{ NULL, "/c", "h", { NULL, "/c/bale/x" } },
		{ "s", "c", "", { NULL, NULL } },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		put_variable("XDG_STATE_HOME", cases[i].state);
		put_variable("XDG_CACHE_HOME", cases[i].cache);
		put_variable("HOME", cases[i].home);
		for (int kind = 0; kind < 2; kind++) {
			const char *want = cases[i].want[kind];
			char path[PATH_MAX];
			int error = user_file_path(path, sizeof(path),
						   (enum user_file)kind, "x");

			ASSERT_EQ(error, want == NULL ? -ENOENT : 0);
			if (want != NULL)
				assert_string_equal(path, want);
		}
	}
}

static void
test_user_file_has_room_for_all_of_its_path(void **state)
{
	static const char want[] = "/s/bale/x";
	char path[sizeof(want) + 4];

	setenv("XDG_STATE_HOME", "/s", 1);
	for (size_t size = 1; size < sizeof(path); size++)
		ASSERT_EQ(user_file_path(path, size, USER_FILE_STATE, "x"),
			  size >= sizeof(want) ? 0 : -ENAMETOOLONG);
}

static void
test_user_file_makes_what_is_above_it_for_the_user_alone(void **state)
{
	char top[] = "/tmp/bale-user.XXXXXX";
	char path[64];
	struct stat st;

	assert_non_null(mkdtemp(top));
	snprintf(path, sizeof(path), "%s/a/b/c", top);
	ASSERT_EQ(user_file_make_parents(path), 0);
	ASSERT_EQ(user_file_make_parents(path), 0);
	ASSERT_EQ(access(path, F_OK), -1);
	for (int i = 0; i < 2; i++) {
		*strrchr(path, '/') = '\0';
		ASSERT_EQ(stat(path, &st), 0);
		ASSERT_EQ(st.st_mode & 0777, 0700);
		ASSERT_EQ(rmdir(path), 0);
	}
	ASSERT_EQ(rmdir(top), 0);
	ASSERT_EQ(user_file_make_parents("/dev/null/a/b"), -ENOTDIR);
}

static void
test_user_file_makes_no_home(void **state)
{
	char top[] = "/tmp/bale-user.XXXXXX";
	char home[64];
	char path[80];

	assert_non_null(mkdtemp(top));
	snprintf(home, sizeof(home), "%s/of/user//", top);
	snprintf(path, sizeof(path), "%s/of/user//.cache/bale/x", top);
	setenv("HOME", home, 1);
	ASSERT_EQ(user_file_make_parents(path), -ENOENT);
	/* what only begins alike is not below it */
	snprintf(path, sizeof(path), "%s/of/users/x", top);
	ASSERT_EQ(user_file_make_parents(path), 0);
	setenv("HOME", "/", 1);
	ASSERT_EQ(user_file_make_parents(path), 0);
	unsetenv("HOME");
	*strrchr(path, '/') = '\0';
	ASSERT_EQ(rmdir(path), 0);
	*strrchr(path, '/') = '\0';
	ASSERT_EQ(rmdir(path), 0);
	ASSERT_EQ(rmdir(top), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_user_file_lies_in_the_directory_of_its_kind),
		cmocka_unit_test(test_user_file_has_room_for_all_of_its_path),
		cmocka_unit_test(
			test_user_file_makes_what_is_above_it_for_the_user_alone),
		cmocka_unit_test(test_user_file_makes_no_home),
	};

	return cmocka_run_group_tests_name("base/user_file", tests, NULL, NULL);
}
