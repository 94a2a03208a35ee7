/* SPDX-License-Identifier: MIT */
/*
 * test_select_budget.c - shares of a budget: the documents' examples, and
 * random histories against plain sums.
 */
#include "tests/support/test_shm.h"

#include <errno.h>

#include "rank/budget.h"

#define SHARES(tool, open, search, reference)    \
	{                                        \
		tool, open, search, reference, 0 \
	}

static const uint32_t standard[CATEGORY_NR] = SHARES(40, 30, 20, 10);

static struct rank_budget
budget_of(uint64_t total, uint64_t response, uint64_t system,
	  const uint32_t percents[CATEGORY_NR])
{
	uint32_t shares[CATEGORY_NR];
	struct rank_budget budget;

	for (int i = 0; i < CATEGORY_NR; i++)
		shares[i] = percents[i] * (SHARE_ALL / 100);
	rank_budget_init(&budget, budget_available(total, response, system),
			 shares);
	return budget;
}

/* The documents: 100,000 - 2,000 - 8,000 and 40/30/20/10. */
/* verifies: FR-016-76, FR-016-77, FR-016-78, FR-016-79, FR-016-80 */
/* verifies: FR-016c-06, FR-016c-07, FR-016c-08, FR-016c-09, FR-016c-11 */
/* verifies: AC-016c-011, AC-016c-012, AC-016c-013, AC-016c-014 */
/* verifies: AC-016c-015, AC-016c-017, FR-016-86, FR-016c-12 */
static void
test_budget_of_the_documents_is_shared_as_they_say(void **state)
{
	static const struct {
		uint64_t total, response, system;
		uint32_t percents[CATEGORY_NR];
		uint64_t available;
		uint64_t allocated[CATEGORY_NR];
	} cases[] = {
		{ 100000, 8000, 2000, SHARES(40, 30, 20, 10), 90000,
		  SHARES(36000, 27000, 18000, 9000) },
		{ 10000, 2000, 1000, SHARES(50, 30, 20, 0), 7000,
		  SHARES(3500, 2100, 1400, 0) },
		{ 100000, 0, 0, SHARES(40, 60, 0, 0), 100000,
		  SHARES(40000, 60000, 0, 0) },
		{ 10000, 0, 0, SHARES(60, 40, 0, 0), 10000,
		  SHARES(6000, 4000, 0, 0) },
		{ 100000, 8000, 2000, SHARES(60, 5, 5, 30), 90000,
		  SHARES(54000, 4500, 4500, 27000) },
		{ 100000, 0, 5000, SHARES(100, 0, 0, 0), 95000,
		  SHARES(95000, 0, 0, 0) },
		{ 100000, 10000, 0, SHARES(100, 0, 0, 0), 90000,
		  SHARES(90000, 0, 0, 0) },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct rank_budget budget =
			budget_of(cases[i].total, cases[i].response,
				  cases[i].system, cases[i].percents);

		ASSERT_EQ(budget.available, cases[i].available);
		for (int c = 0; c < CATEGORY_NR; c++)
			ASSERT_EQ(budget.allocated[c], cases[i].allocated[c]);
	}
}

/* verifies: FR-016c-38, AC-016c-016, AC-016c-018, FR-016c-43, NFR-016-39 */
static void
test_budget_that_cannot_be_has_nothing(void **state)
{
	struct rank_budget budget;

	ASSERT_EQ(budget_available(10000, 5000, 5000), 0);
	ASSERT_EQ(budget_available(10000, 5000, 5001), 0);
	ASSERT_EQ(budget_available(0, 0, 0), 0);
	ASSERT_EQ(budget_available(UINT64_MAX, UINT64_MAX, 1), 0);
	/* the greatest there is has shares that add to it */
	budget = budget_of(UINT64_MAX, 0, 0, standard);
	ASSERT_EQ(budget.allocated[CATEGORY_TOOL] +
			  budget.allocated[CATEGORY_OPEN] +
			  budget.allocated[CATEGORY_SEARCH] +
			  budget.allocated[CATEGORY_REFERENCE],
		  UINT64_MAX);
}

/* verifies: FR-016-82, FR-016-83, FR-016-84, FR-016-85, FR-016-88 */
/* verifies: FR-016c-13, FR-016c-17, AC-016c-042, AC-016c-047, FR-016-90 */
static void
test_budget_takes_what_fits_and_gives_it_back(void **state)
{
	static const uint32_t all[CATEGORY_NR] = SHARES(100, 0, 0, 0);
	struct rank_budget budget = budget_of(100000, 0, 0, all);

	/* the documents: 5,000 of 100,000 used, 95,000 fits exactly */
	ASSERT_TRUE(rank_budget_take(&budget, CATEGORY_TOOL, 5000));
	ASSERT_EQ(rank_budget_left(&budget, CATEGORY_TOOL), 95000);
	ASSERT_TRUE(rank_budget_take(&budget, CATEGORY_TOOL, 90000));
	ASSERT_TRUE(!rank_budget_take(&budget, CATEGORY_TOOL, 10000));
	ASSERT_EQ(budget.used, 95000);
	rank_budget_give_back(&budget, CATEGORY_TOOL, 90000);
	ASSERT_EQ(rank_budget_left(&budget, CATEGORY_TOOL), 95000);
	ASSERT_EQ(rank_budget_left(&budget, CATEGORY_OPEN), 0);
	/* shares stand apart: 500 > 400, whatever the other leaves */
	budget = budget_of(1000, 0, 0,
			   (const uint32_t[CATEGORY_NR])SHARES(60, 40, 0, 0));
	ASSERT_TRUE(rank_budget_take(&budget, CATEGORY_TOOL, 500));
	ASSERT_TRUE(!rank_budget_take(&budget, CATEGORY_OPEN, 500));
	ASSERT_EQ(budget.used_by[CATEGORY_TOOL], 500);
	ASSERT_EQ(budget.used_by[CATEGORY_OPEN], 0);
	/* a sum that would wrap is refused like any other */
	ASSERT_TRUE(
		!rank_budget_take(&budget, CATEGORY_TOOL, UINT64_MAX - 100));
}

/* verifies: FR-016-87 */
static void
test_budget_without_shares_is_anybodys(void **state)
{
	static const uint32_t none[CATEGORY_NR] = { 0 };
	struct rank_budget budget = budget_of(900, 0, 0, none);

	ASSERT_TRUE(rank_budget_take(&budget, CATEGORY_TREE, 400));
	ASSERT_TRUE(rank_budget_take(&budget, CATEGORY_SEARCH, 500));
	ASSERT_TRUE(!rank_budget_take(&budget, CATEGORY_TOOL, 1));
}

/*
 * The documents' example: 52,000, 3,200, 2,800 and 18,400 wanted of shares of
 * 36,000, 27,000, 18,000 and 9,000.
 */
/* verifies: FR-016c-14 */
static void
test_redistribution_lets_all_of_the_documents_in(void **state)
{
	static const uint64_t wanted[] = { 52000, 3200, 2800, 18400 };
	struct rank_budget budget = budget_of(100000, 8000, 2000, standard);
	uint64_t left[4];

	for (uint8_t c = 0; c < 4; c++) {
		uint64_t now = min_u64(wanted[c], rank_budget_left(&budget, c));

		ASSERT_TRUE(rank_budget_take(&budget, c, now));
		left[c] = wanted[c] - now;
	}
	ASSERT_EQ(left[CATEGORY_TOOL], 16000);
	ASSERT_EQ(left[CATEGORY_REFERENCE], 9400);
	rank_budget_redistribute(&budget);
	ASSERT_EQ(rank_budget_left(&budget, CATEGORY_TREE), 23800 + 15200);
	ASSERT_TRUE(rank_budget_take(&budget, CATEGORY_TOOL, 16000));
	ASSERT_TRUE(rank_budget_take(&budget, CATEGORY_REFERENCE, 9400));
	ASSERT_EQ(budget.used, 76400);
}

/* verifies: FR-016-115, FR-016-116 */
static void
test_balance_gives_by_the_shares(void **state)
{
	static const bool wants[CATEGORY_NR] = { true, false, false, true };
	static const bool nobody[CATEGORY_NR] = { false };
	struct rank_budget budget = budget_of(1000, 0, 0, standard);

	ASSERT_TRUE(rank_budget_take(&budget, CATEGORY_OPEN, 50));
	/* 250 + 200 to be given: four parts and one */
	ASSERT_TRUE(rank_budget_balance(&budget, wants));
	ASSERT_EQ(rank_budget_left(&budget, CATEGORY_TOOL), 400 + 360);
	ASSERT_EQ(rank_budget_left(&budget, CATEGORY_REFERENCE), 100 + 90);
	ASSERT_EQ(rank_budget_left(&budget, CATEGORY_SEARCH), 0);
	ASSERT_TRUE(!rank_budget_balance(&budget, wants));
	ASSERT_TRUE(!rank_budget_balance(&budget, nobody));
}

/* verifies: FR-016-89, FR-016c-16, AC-016c-038, AC-016c-020 */
static void
test_budget_is_never_passed_whatever_is_done(void **state)
{
	uint64_t seed = 0xb0d6e7;

	for (int round = 0; round < 2000; round++) {
		uint64_t total = random_next(&seed) >> random_next(&seed) % 60;
		uint32_t percents[CATEGORY_NR] = { 0 };
		uint64_t used[CATEGORY_NR] = { 0 };
		struct rank_budget budget;
		bool wants[CATEGORY_NR];

		for (int i = 0; i < 100; i++)
			percents[random_next(&seed) % CATEGORY_NR]++;
		total += total == 0;
		budget = budget_of(total, 0, 0, percents);
		for (int i = 0; i < 60; i++) {
			uint8_t c = (uint8_t)(random_next(&seed) % CATEGORY_NR);
			uint64_t n =
				random_next(&seed) % max_u64(total / 8 + 2, 2);
			uint64_t sum = 0;
			uint64_t left = rank_budget_left(&budget, c);
			uint64_t shared;

			switch (random_next(&seed) % 10) {
			case 0:
				rank_budget_redistribute(&budget);
				break;
			case 1:
				for (int k = 0; k < CATEGORY_NR; k++)
					wants[k] = random_next(&seed) % 2;
				rank_budget_balance(&budget, wants);
				break;
			case 2:
				n = min_u64(n, used[c]);
				rank_budget_give_back(&budget, c, n);
				used[c] -= n;
				break;
			default:
				ASSERT_EQ(rank_budget_take(&budget, c, n),
					  n <= left);
				used[c] += n <= left ? n : 0;
			}
			for (int k = 0; k < CATEGORY_NR; k++) {
				ASSERT_EQ(budget.used_by[k], used[k]);
				sum += used[k];
			}
			ASSERT_EQ(budget.used, sum);
			ASSERT_TRUE(sum <= total);
			shared = budget.common;
			/* nothing is lost, nothing is there twice */
			for (int k = 0; k < CATEGORY_NR; k++)
				shared += budget.allocated[k];
			ASSERT_EQ(shared, total);
			for (uint8_t k = 0; k < CATEGORY_NR; k++)
				ASSERT_TRUE(rank_budget_left(&budget, k) <=
					    total - sum);
		}
	}
}

static int
compare_cost(const void *left, const void *right)
{
	const uint64_t *a = left;
	const uint64_t *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* verifies: FR-016-119 */
static void
test_reserve_is_the_sum_of_the_cheapest_others(void **state)
{
	uint64_t seed = 0x1ea57;

	for (int round = 0; round < 300; round++) {
		static struct min_chunk_reserve least;
		uint64_t costs[64];
		uint64_t sorted[64];
		size_t nr = random_next(&seed) % 64;
		uint32_t wanted = (uint32_t)(random_next(&seed) % 20);
		size_t which = nr == 0 ? 0 : random_next(&seed) % nr;
		uint64_t want = 0;
		size_t others = 0;

		least = (struct min_chunk_reserve){ .wanted = wanted };
		for (size_t i = 0; i < nr; i++) {
			costs[i] = random_next(&seed) % 50;
			min_chunk_reserve_add(&least, costs[i], i);
		}
		for (size_t i = 0; i < nr; i++)
			if (i != which)
				sorted[others++] = costs[i];
		qsort(sorted, others, sizeof(*sorted), compare_cost);
		for (size_t i = 0; i < others && i + 1 < wanted; i++)
			want += sorted[i];
		/* `which` may be among the cheapest: then one less is known */
		ASSERT_EQ(min_chunk_reserve_reserve(&least, which), want);
	}
}

/* One that is taken is wanted no more, and its cost is kept for no other. */
static void
test_reserve_is_without_what_is_taken(void **state)
{
	static const uint64_t costs[] = { 30, 10, 40, 20 };

	for (uint64_t which = 0; which < 5; which++) {
		static struct min_chunk_reserve least;
		uint64_t want = 30; /* of 10 and 20 */

		least = (struct min_chunk_reserve){ .wanted = 4 };
		for (size_t i = 0; i < ARRAY_LEN(costs); i++)
			min_chunk_reserve_add(&least, costs[i], i);
		min_chunk_reserve_taken(&least, which);
		ASSERT_EQ(least.wanted, 3);
		ASSERT_EQ(least.nr, which < 4 ? 3 : 4);
		if (which == 1)
			want = 20 + 30;
		else if (which == 3)
			want = 10 + 30;
		ASSERT_EQ(min_chunk_reserve_reserve(&least, 9), want);
		least.wanted = 0;
		min_chunk_reserve_taken(&least, 0);
		ASSERT_EQ(least.wanted, 0);
	}
}

/* verifies: FR-016-120 */
static void
test_no_more_are_wanted_than_fit_together(void **state)
{
	static const struct {
		uint32_t wanted;
		uint64_t room;
		uint32_t want;
	} cases[] = {
		{ 3, 60, 3 },         { 3, 59, 2 },   { 3, 29, 1 },
		{ 3, 9, 0 },          { 9, 1000, 4 }, { 4, 99, 3 },
		{ 2, UINT64_MAX, 2 }, { 0, 60, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		static const uint64_t costs[] = { 30, 10, 40, 20 };
		static struct min_chunk_reserve least;

		least = (struct min_chunk_reserve){ .wanted = cases[i].wanted };
		for (size_t k = 0; k < ARRAY_LEN(costs); k++)
			min_chunk_reserve_add(&least, costs[k], k);
		min_chunk_reserve_fit(&least, cases[i].room);
		ASSERT_EQ(least.wanted, cases[i].want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_budget_of_the_documents_is_shared_as_they_say),
		cmocka_unit_test(test_budget_that_cannot_be_has_nothing),
		cmocka_unit_test(test_budget_takes_what_fits_and_gives_it_back),
		cmocka_unit_test(test_budget_without_shares_is_anybodys),
		cmocka_unit_test(
			test_redistribution_lets_all_of_the_documents_in),
		cmocka_unit_test(test_balance_gives_by_the_shares),
		cmocka_unit_test(test_budget_is_never_passed_whatever_is_done),
		cmocka_unit_test(
			test_reserve_is_the_sum_of_the_cheapest_others),
		cmocka_unit_test(test_reserve_is_without_what_is_taken),
		cmocka_unit_test(test_no_more_are_wanted_than_fit_together),
	};

	return cmocka_run_group_tests_name("select/budget", tests, NULL, NULL);
}
