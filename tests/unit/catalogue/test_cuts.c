/* SPDX-License-Identifier: MIT */
/*
 * test_cuts.c - a place to cut at is what its writer can have written.
 */
#include "tests/support/test_shm.h"

#include "catalogue/cuts.h"

/* verifies: R7 */
static void
test_cut_record_with_a_field_out_of_range_is_not_valid(void **state)
{
	const struct cut_record good = {
		.off = 5,
		.content_off = 5,
		.end_cut = 3,
		.kind = CUT_FILE,
		.signatures = 1,
		.half_line = 1,
	};
	struct cut_record bad[5] = { good, good, good, good, good };

	ASSERT_TRUE(cut_record_valid(&good));
	bad[0].off++;
	bad[1].kind = CUT_END + 1;
	bad[2].signatures++;
	bad[3].half_line++;
	bad[4].kind = CUT_CHUNK; /* has no end of its own */
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ASSERT_TRUE(!cut_record_valid(&bad[i]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_cut_record_with_a_field_out_of_range_is_not_valid),
	};

	return cmocka_run_group_tests_name("catalogue/cuts", tests, NULL, NULL);
}
