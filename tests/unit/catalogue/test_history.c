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
	};
	struct history_head bad[8];

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
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ASSERT_TRUE(!history_head_valid(&bad[i]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_history_head_with_a_field_out_of_range_is_not_valid),
	};

	return cmocka_run_group_tests_name("catalogue/history", tests, NULL,
					   NULL);
}
