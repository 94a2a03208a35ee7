/* SPDX-License-Identifier: MIT */
/*
 * test_history.c - the head of the history is what its writer can have
 * written.
 */
#include "tests/support/test_shm.h"

#include "catalogue/history.h"

/* verifies: R7 */
static void
test_history_head_with_a_field_out_of_range_is_not_valid(void **state)
{
	const struct history_head good = {
		.text_bytes = 1,
		.files_off = UINT64_MAX - 32,
		.commits_off = UINT64_MAX - 1,
		.log_off = UINT64_MAX - 2,
		.log_bytes = 2,
		.diff_off = UINT64_MAX - 3,
		.diff_bytes = 3,
		.file_nr = 4,
		.has_commit = 1,
		.dirty = HISTORY_DIRTY_YES,
		.is_read = 1,
		.is_partial = 1,
		.is_short = 1,
	};
	struct history_head bad[9];

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		bad[i] = good;
	ASSERT_TRUE(history_head_valid(&good));
	bad[0].text_bytes++;
	bad[1].file_nr++;
	bad[2].log_bytes++;
	bad[3].diff_bytes++;
	bad[4].has_commit++;
	bad[5].dirty++;
	bad[6].is_read++;
	bad[7].is_partial++;
	bad[8].is_short++;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ASSERT_TRUE(!history_head_valid(&bad[i]));
}

static void
test_history_lines_between_are_those_in_part_too(void **state)
{
	static const struct history_lines lines[] = {
		{ .first = 2, .nr = 2, .heat = 5 },
		{ .first = 4, .nr = 1, .heat = 9 },
		{ .first = 8, .nr = 3, .heat = 7 },
	};
	static const struct {
		uint32_t first;
		uint32_t end;
		uint32_t sum;
		uint32_t hottest;
	} cases[] = {
		{ 1, 2, 0, 0 },   { 1, 3, 5, 5 },   { 3, 5, 14, 9 },
		{ 5, 8, 0, 0 },   { 10, 99, 7, 7 }, { 11, 99, 0, 0 },
		{ 1, 99, 40, 9 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		ASSERT_EQ(history_heat_between(lines, 3, cases[i].first,
					       cases[i].end),
			  cases[i].sum);
		ASSERT_EQ(history_hottest_between(lines, 3, cases[i].first,
						  cases[i].end),
			  cases[i].hottest);
	}
	ASSERT_EQ(history_hottest_between(NULL, 0, 1, 99), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_history_head_with_a_field_out_of_range_is_not_valid),
		cmocka_unit_test(
			test_history_lines_between_are_those_in_part_too),
	};

	return cmocka_run_group_tests_name("catalogue/history", tests, NULL,
					   NULL);
}
