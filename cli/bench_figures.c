/* SPDX-License-Identifier: MIT */
/*
 * bench_figures.c - what a few measurements say, and what they do not.
 */
#include "cli/bench.h"

#include <stdlib.h>
#include <string.h>

#define RANK_CHANCE 0.05
#define PRODUCTS_MAX (BENCH_RUNS_MAX * BENCH_RUNS_MAX)

static int
compare_u64(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a;
	uint64_t other = *(const uint64_t *)b;

	return (one > other) - (one < other);
}

uint64_t
bench_median(const struct bench_series *series)
{
	uint64_t sorted[BENCH_RUNS_MAX];
	uint32_t nr = series->nr;
	uint64_t low;
	uint64_t high;

	if (nr == 0)
		return 0;
	memcpy(sorted, series->values, nr * sizeof(*sorted));
	qsort(sorted, nr, sizeof(*sorted), compare_u64);
	low = sorted[(nr - 1) / 2];
	high = sorted[nr / 2];
	return low + (high - low) / 2;
}

/*
 * The ways in which n and m values can stand in a row, by how many pairs of
 * them are in order: coefficients of (1-q^(m+1))...(1-q^(m+n)) over
 * (1-q)...(1-q^n), whole numbers of less than 2^53.
 */
static void
count_orders(uint32_t n, uint32_t m, double ways[PRODUCTS_MAX + 1])
{
	uint32_t most = n * m;

	memset(ways, 0, (most + 1) * sizeof(*ways));
	ways[0] = 1;
	for (uint32_t i = 1; i <= n; i++) {
		for (uint32_t u = most; u >= m + i; u--)
			ways[u] -= ways[u - m - i];
		for (uint32_t u = i; u <= most; u++)
			ways[u] += ways[u - i];
	}
}

/* Pairs of which the first is the smaller one, twice; equal ones count half. */
static uint32_t
count_pairs(const struct bench_series *one, const struct bench_series *other)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < one->nr; i++)
		for (uint32_t k = 0; k < other->nr; k++)
			nr += one->values[i] < other->values[k]    ? 2
			      : one->values[i] == other->values[k] ? 1
								   : 0;
	return nr;
}

bool
bench_differs(const struct bench_series *one, const struct bench_series *other)
{
	double ways[PRODUCTS_MAX + 1];
	uint32_t most = one->nr * other->nr;
	uint32_t pairs = count_pairs(one, other);
	uint32_t least = (pairs < 2 * most - pairs ? pairs : 2 * most - pairs);
	double all = 0;
	double tail = 0;

	if (most == 0)
		return false;
	count_orders(one->nr, other->nr, ways);
	for (uint32_t u = 0; u <= most; u++) {
		all += ways[u];
		if (2 * u <= least + 1) /* half a pair is taken for one */
			tail += ways[u];
	}
	return 2 * tail / all < RANK_CHANCE;
}

void
bench_costs_of(const struct bench_case *it, struct bench_costs *costs)
{
	const struct outcome_stage *select = &it->stages[STAGE_SELECT];
	uint64_t runs = max_u64(it->wall_ns.nr, 1);
	uint64_t wall = bench_median(&it->wall_ns);
	/* it lives as long as all workers do */
	uint64_t lived = (select->busy_ns + select->wait_ns) / runs;

	costs->fixed_ns = wall - min_u64(lived, wall);
	for (int i = 0; i < STAGE_NR; i++)
		costs->stage_ns[i] = it->stages[i].cpu_ns / runs;
}

/* What one worker of a stage has to do. */
static uint64_t
worker_ns(const struct bench_costs *costs, int stage, uint32_t lane_nr)
{
	uint64_t ns = costs->stage_ns[stage];

	return stage_table[stage].per_lane ? ns / lane_nr : ns;
}

void
bench_predict(const struct bench_costs *costs, uint32_t cpu_nr,
	      struct bench_forecast *out)
{
	uint64_t alone = costs->stage_ns[STAGE_SELECT];
	uint64_t shared = 0;
	uint64_t busiest = 0; /* worker */
	uint64_t most;

	for (int i = 0; i < STAGE_NR; i++)
		shared += i == STAGE_SELECT ? 0 : costs->stage_ns[i];
	shared /= cpu_nr;
	out->limit = BENCH_LIMIT_CPUS;
	for (int i = 0; i < STAGE_NR; i++) {
		uint64_t ns = worker_ns(costs, i, cpu_nr);

		if (i == STAGE_SELECT || ns <= busiest)
			continue;
		busiest = ns;
		if (ns > shared)
			out->limit = i;
	}
	most = shared + busiest - busiest / cpu_nr;
	/* nobody else has anything to do while select decides */
	out->wall_ns =
		costs->fixed_ns + alone + (max_u64(shared, busiest) + most) / 2;
}

uint32_t
bench_saturates_at(const struct bench_costs *costs)
{
	struct bench_forecast forecast;

	for (uint32_t nr = 1; nr < LANES_MAX; nr++) {
		bench_predict(costs, nr, &forecast);
		if (forecast.limit != BENCH_LIMIT_CPUS)
			return nr;
	}
	return LANES_MAX;
}

const struct bench_case *
bench_case_of(const struct bench_result *result, uint32_t worker_nr)
{
	for (uint32_t i = 0; i < result->case_nr; i++) {
		const struct bench_case *it = &result->cases[i];

		if (it->worker_nr == worker_nr && !it->is_cold &&
		    it->io != IO_READ)
			return it;
	}
	return NULL;
}

const struct bench_case *
bench_case_named(const struct bench_result *result, const char *name)
{
	for (uint32_t i = 0; i < result->case_nr; i++)
		if (strcmp(result->cases[i].name, name) == 0)
			return &result->cases[i];
	return NULL;
}
