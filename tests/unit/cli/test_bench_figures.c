/* SPDX-License-Identifier: MIT */
/*
 * test_bench_figures.c - medians, what differs, what the model says.
 */
#include "tests/support/test_shm.h"

#include "cli/bench.h"

#define MS UINT64_C(1000000)

static struct bench_series
series(uint32_t nr, const uint64_t *values)
{
	struct bench_series out = { .nr = nr };

	memcpy(out.values, values, nr * sizeof(*values));
	return out;
}

#define SERIES(...)                                             \
	series(sizeof((uint64_t[]){ __VA_ARGS__ }) / sizeof(uint64_t), \
	       (uint64_t[]){ __VA_ARGS__ })

static void
test_median_is_the_middle(void **state)
{
	struct bench_series one = SERIES(7);
	struct bench_series odd = SERIES(9, 1, 5);
	struct bench_series even = SERIES(10, 2, 4, 100);
	struct bench_series huge = SERIES(UINT64_MAX, UINT64_MAX);
	struct bench_series none = { .nr = 0 };

	ASSERT_EQ(bench_median(&one), 7);
	ASSERT_EQ(bench_median(&odd), 5);
	ASSERT_EQ(bench_median(&even), 7);
	ASSERT_EQ(bench_median(&huge), UINT64_MAX);
	ASSERT_EQ(bench_median(&none), 0);
}

/* Pairs in order, of the ranks that a mask gives to the first series. */
static uint32_t
pairs_of(uint32_t mask, uint32_t all)
{
	uint32_t pairs = 0;

	for (uint32_t i = 0; i < all; i++)
		for (uint32_t k = i + 1; k < all; k++)
			pairs += (mask >> i & 1) && !(mask >> k & 1);
	return pairs;
}

static bool
is_choice(uint32_t mask, uint32_t n)
{
	return (uint32_t)__builtin_popcount(mask) == n;
}

/* The same by looking at every way to deal the ranks. */
static bool
differs_by_counting(uint32_t mask, uint32_t n, uint32_t m)
{
	uint32_t pairs = pairs_of(mask, n + m);
	uint32_t least = pairs < n * m - pairs ? pairs : n * m - pairs;
	uint32_t all = 0;
	uint32_t tail = 0;

	for (uint32_t i = 0; i < 1u << (n + m); i++) {
		if (!is_choice(i, n))
			continue;
		all++;
		tail += pairs_of(i, n + m) <= least;
	}
	return 2.0 * tail / all < 0.05;
}

static void
test_differs_as_by_counting_all_orders(void **state)
{
	for (uint32_t n = 1; n <= 5; n++)
		for (uint32_t m = 1; m <= 5; m++)
			for (uint32_t mask = 0; mask < 1u << (n + m); mask++) {
				struct bench_series one = { .nr = 0 };
				struct bench_series other = { .nr = 0 };

				if (!is_choice(mask, n))
					continue;
				for (uint32_t i = 0; i < n + m; i++)
					if (mask >> i & 1)
						one.values[one.nr++] = i;
					else
						other.values[other.nr++] = i;
				ASSERT_EQ(bench_differs(&one, &other),
					  differs_by_counting(mask, n, m));
			}
}

static void
test_differs_needs_four_runs_and_no_ties(void **state)
{
	struct bench_series few = SERIES(1, 2, 3);
	struct bench_series more = SERIES(100, 200, 300);
	struct bench_series four = SERIES(1, 2, 3, 4);
	struct bench_series far = SERIES(5, 6, 7, 8);
	struct bench_series same = SERIES(4, 4, 4, 4);
	struct bench_series none = { .nr = 0 };
	struct bench_series low = { .nr = BENCH_RUNS_MAX };
	struct bench_series high = { .nr = BENCH_RUNS_MAX };

	ASSERT_TRUE(!bench_differs(&few, &more));
	ASSERT_TRUE(bench_differs(&four, &far));
	ASSERT_TRUE(!bench_differs(&same, &same));
	ASSERT_TRUE(!bench_differs(&none, &four));
	for (uint32_t i = 0; i < BENCH_RUNS_MAX; i++) {
		low.values[i] = i;
		high.values[i] = i + BENCH_RUNS_MAX / 2;
	}
	ASSERT_TRUE(bench_differs(&low, &high));
	for (uint32_t i = 0; i < BENCH_RUNS_MAX; i++)
		high.values[i] = i + 1;
	ASSERT_TRUE(!bench_differs(&low, &high));
}

/* 10 ms fixed, 40 collect, 20 chunk, 80 count, 4 dedup, 6 select, 16 format. */
static const struct bench_costs costs = {
	.fixed_ns = 10 * MS,
	.stage_ns = { 40 * MS, 20 * MS, 80 * MS, 4 * MS, 6 * MS, 16 * MS },
};

static void
test_predict_is_what_processors_or_a_stage_allow(void **state)
{
	static const struct {
		uint32_t cpu_nr;
		double least; /* ms, of what is shared, */
		double most;
		int limit;
	} want[] = {
		{ 1, 160, 160, BENCH_LIMIT_CPUS },
		{ 2, 80, 80 + 20, BENCH_LIMIT_CPUS },
		{ 4, 40, 40 + 30, BENCH_LIMIT_CPUS },
		{ 5, 40, 32 + 32, STAGE_COLLECT },
		{ 64, 40, 2.5 + 39.375, STAGE_COLLECT },
	};
	struct bench_forecast got;

	for (size_t i = 0; i < ARRAY_LEN(want); i++) {
		bench_predict(&costs, want[i].cpu_nr, &got);
		ASSERT_EQ(got.wall_ns,
			  (uint64_t)((10 + 6 +
				      (want[i].least + want[i].most) / 2) *
				     MS));
		ASSERT_EQ(got.limit, want[i].limit);
	}
	ASSERT_EQ(bench_saturates_at(&costs), 5);
}

static void
test_costs_are_means_of_the_runs(void **state)
{
	struct bench_case it = { .wall_ns = SERIES(100 * MS, 120 * MS) };
	struct bench_costs got;

	for (int i = 0; i < STAGE_NR; i++)
		it.stages[i].cpu_ns = 2 * (uint64_t)(i + 1) * MS;
	it.stages[STAGE_SELECT].busy_ns = 20 * MS;
	it.stages[STAGE_SELECT].wait_ns = 160 * MS;
	bench_costs_of(&it, &got);
	ASSERT_EQ(got.fixed_ns, (110 - 90) * MS);
	for (int i = 0; i < STAGE_NR; i++)
		ASSERT_EQ(got.stage_ns[i], (uint64_t)(i + 1) * MS);
}

static void
test_cases_are_found(void **state)
{
	static struct bench_result result = {
		.case_nr = 3,
		.cases = { { .name = "a", .worker_nr = 2, .io = IO_READ },
			   { .name = "b", .worker_nr = 2, .is_cold = true },
			   { .name = "c", .worker_nr = 2, .io = IO_URING } },
	};

	assert_ptr_equal(bench_case_of(&result, 2), &result.cases[2]);
	assert_null(bench_case_of(&result, 1));
	assert_ptr_equal(bench_case_named(&result, "b"), &result.cases[1]);
	assert_null(bench_case_named(&result, "d"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_median_is_the_middle),
		cmocka_unit_test(test_differs_as_by_counting_all_orders),
		cmocka_unit_test(test_differs_needs_four_runs_and_no_ties),
		cmocka_unit_test(test_predict_is_what_processors_or_a_stage_allow),
		cmocka_unit_test(test_costs_are_means_of_the_runs),
		cmocka_unit_test(test_cases_are_found),
	};

	return cmocka_run_group_tests_name("cli/bench_figures", tests, NULL,
					   NULL);
}
