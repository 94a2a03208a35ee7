/* SPDX-License-Identifier: MIT */
/*
 * test_shm_clock.c - clocks go on, in the unit that their names say.
 */
#include "tests/support/test_shm.h"

#include "base/clock.h"

static void
test_clock_now_goes_on_and_never_back(void **state)
{
	uint64_t begun = clock_now_ns();
	uint64_t last = begun;

	while (last - begun < NS_PER_MS) {
		uint64_t now = clock_now_ns();

		ASSERT_TRUE(now >= last);
		last = now;
	}
	ASSERT_TRUE(last - begun < 3600 * NS_PER_S);
}

static void
test_clock_wall_is_that_of_time(void **state)
{
	time_t before = time(NULL);
	uint64_t ms = clock_wall_ms();

	ASSERT_TRUE(ms / 1000 + 1 >= (uint64_t)before);
	ASSERT_TRUE(ms / 1000 <= (uint64_t)time(NULL) + 1);
}

static void
test_clock_that_is_none_says_nothing(void **state)
{
	ASSERT_EQ(clock_read_ns(12345), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_clock_now_goes_on_and_never_back),
		cmocka_unit_test(test_clock_wall_is_that_of_time),
		cmocka_unit_test(test_clock_that_is_none_says_nothing),
	};

	return cmocka_run_group_tests_name("shm/clock", tests, NULL, NULL);
}
