/* SPDX-License-Identifier: MIT */
/*
 * test_sidecars.c - where the report of the last run lies.
 *
 * source: XDG Base Directory Specification: paths that are not absolute are
 *         passed over
 */
#include "tests/support/test_shm.h"

#include <limits.h>

#include "report/conclude.h"

static void
put_variable(const char *name, const char *value)
{
	if (value == NULL)
		unsetenv(name);
	else
		setenv(name, value, 1);
}

static void
test_last_report_lies_in_the_state_directory(void **state)
{
	static const struct {
		const char *xdg;
		const char *home;
		const char *want; /* NULL: nowhere */
	} cases[] = {
		{ "/s", "/h", "/s/bale/last-report.json" },
		{ NULL, "/h", "/h/.local/state/bale/last-report.json" },
		{ "", "/h", "/h/.local/state/bale/last-report.json" },
		{ "s", "/h", "/h/.local/state/bale/last-report.json" },
		{ "/s", NULL, "/s/bale/last-report.json" },
		{ NULL, NULL, NULL },
		{ "s", "h", NULL },
	};
	char path[PATH_MAX];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		put_variable("XDG_STATE_HOME", cases[i].xdg);
		put_variable("HOME", cases[i].home);
		if (cases[i].want == NULL) {
			ASSERT_EQ(last_report_path(path, sizeof(path), NULL),
				  -ENOENT);
			continue;
		}
		ASSERT_EQ(last_report_path(path, sizeof(path), NULL), 0);
		assert_string_equal(path, cases[i].want);
	}
}

static void
test_last_report_has_room_for_all_of_its_path(void **state)
{
	static const char want[] = "/s/bale/last-report.json";
	char path[64];

	put_variable("XDG_STATE_HOME", "/s");
	for (size_t size = 1; size < sizeof(path); size++)
		ASSERT_EQ(last_report_path(path, size, NULL),
			  size >= sizeof(want) ? 0 : -ENAMETOOLONG);
}

static void
test_last_report_of_a_directory_has_a_name_of_its_own(void **state)
{
	char one[64];
	char other[64];

	put_variable("XDG_STATE_HOME", "/s");
	ASSERT_EQ(last_report_path(one, sizeof(one), "/a"), 0);
	ASSERT_EQ(last_report_path(other, sizeof(other), "/b"), 0);
	ASSERT_TRUE(strcmp(one, other) != 0);
	ASSERT_TRUE(strncmp(one, "/s/bale/last-report-", 20) == 0);
	ASSERT_EQ(last_report_path(other, sizeof(other), "/a"), 0);
	assert_string_equal(one, other);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_last_report_lies_in_the_state_directory),
		cmocka_unit_test(test_last_report_has_room_for_all_of_its_path),
		cmocka_unit_test(
			test_last_report_of_a_directory_has_a_name_of_its_own),
	};

	return cmocka_run_group_tests_name("report/sidecars", tests, NULL,
					   NULL);
}
