/* SPDX-License-Identifier: MIT */
/*
 * test_unique.c - no two numbers are the same, of one process or of two.
 */
#include "tests/support/test_shm.h"

#include "base/base.h"
#include "base/unique.h"

#define DRAWN_NR 4096

static uint64_t *drawn;

static void
draw(void *arg)
{
	uint64_t *into = arg;

	for (size_t i = 0; i < DRAWN_NR; i++)
		into[i] = unique_u64();
}

static int
by_number(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static void
test_unique_of_two_processes_are_all_different(void **state)
{
	uint64_t ones = 0;

	drawn = mmap(NULL, 2 * DRAWN_NR * sizeof(*drawn),
		     PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(drawn != MAP_FAILED);
	draw(drawn);
	ASSERT_EQ(run_child(draw, drawn + DRAWN_NR), CHILD_OK);
	qsort(drawn, 2 * DRAWN_NR, sizeof(*drawn), by_number);
	for (size_t i = 1; i < 2 * DRAWN_NR; i++)
		ASSERT_TRUE(drawn[i] != drawn[i - 1]);
	/* all bits are used: half of them are set, by ten standard deviations */
	for (size_t i = 0; i < 2 * DRAWN_NR; i++)
		ones += (uint64_t)__builtin_popcountll(drawn[i]);
	ASSERT_TRUE(ones > DRAWN_NR * 64 - 10 * 362);
	ASSERT_TRUE(ones < DRAWN_NR * 64 + 10 * 362);
	munmap(drawn, 2 * DRAWN_NR * sizeof(*drawn));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_unique_of_two_processes_are_all_different),
	};

	return cmocka_run_group_tests_name("base/unique", tests, NULL, NULL);
}
