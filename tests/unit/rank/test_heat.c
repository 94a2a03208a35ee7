/* SPDX-License-Identifier: MIT */
/*
 * test_heat.c - what past commits say of files, worked by hand.
 */
#include "tests/support/test_shm.h"

#include "rank/heat.h"

static void
test_heat_of_a_commit_halves_and_is_divided(void **state)
{
	static const struct {
		uint32_t age;
		uint32_t changed_nr;
		uint32_t want;
	} cases[] = {
		{ 0, 1, HEAT_ONE },
		{ 0, 4, HEAT_ONE / 2 },
		{ 0, 0, 0 },
		{ 0, HEAT_FILES_MAX, 11965 }, /* 1/sqrt(30) */
		{ 0, HEAT_FILES_MAX + 1, 0 },
		{ HEAT_HALF_COMMITS, 1, HEAT_ONE / 2 },
		{ 2 * HEAT_HALF_COMMITS, 4, HEAT_ONE / 8 },
		{ 200, 1, 46340 }, /* 1/sqrt(2) */
		{ 8191, 1, 0 },
		{ UINT32_MAX, 1, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint32_t got = heat_of_commit(cases[i].age, cases[i].changed_nr);

		/* powers are cut off at each step */
		if (got > cases[i].want || got + 1 < cases[i].want)
			fail_msg("%zu: got %u, want %u", i, got, cases[i].want);
	}
}

static void
test_heat_root_is_the_largest_below(void **state)
{
	for (uint64_t n = 0; n < 3000; n++) {
		uint64_t root = heat_root(n);

		ASSERT_TRUE(root * root <= n);
		ASSERT_TRUE((root + 1) * (root + 1) > n);
	}
	ASSERT_EQ(heat_root(UINT64_C(1) << 62), UINT64_C(1) << 31);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heat_of_a_commit_halves_and_is_divided),
		cmocka_unit_test(test_heat_root_is_the_largest_below),
	};

	return cmocka_run_group_tests_name("rank/heat", tests, NULL, NULL);
}
