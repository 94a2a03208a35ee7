/* SPDX-License-Identifier: MIT */
/*
 * test_sidecars.c - where the report of the last run lies.
 */
#include "tests/support/test_shm.h"

#include "report/conclude.h"

static void
test_last_report_lies_in_the_state_directory(void **state)
{
	char path[64];

	setenv("XDG_STATE_HOME", "/s", 1);
	ASSERT_EQ(last_report_path(path, sizeof(path), NULL), 0);
	assert_string_equal(path, "/s/bale/last-report.json");
}

static void
test_last_report_has_room_for_all_of_its_path(void **state)
{
	static const char want[] = "/s/bale/last-report.json";
	char path[64];

	setenv("XDG_STATE_HOME", "/s", 1);
	for (size_t size = 1; size < sizeof(path); size++)
		ASSERT_EQ(last_report_path(path, size, NULL),
			  size >= sizeof(want) ? 0 : -ENAMETOOLONG);
}

static void
test_last_report_of_a_directory_has_a_name_of_its_own(void **state)
{
	char one[64];
	char other[64];

	setenv("XDG_STATE_HOME", "/s", 1);
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
