/* SPDX-License-Identifier: MIT */
/*
 * bench_select_rank.c - what it costs to score and to keep the best.
 *
 * Candidates a second from their facts to a sorted window, for sets from a
 * hundred to ten million. The best of three. Fails where a small set takes
 * longer than it may.
 *
 * verifies: NFR-016-03, NFR-016-04
 */
#include <stdio.h>
#include <stdlib.h>

#include "bench/bench_clock.h"
#include "rank/rank.h"

#define ROUNDS 3

static struct rank_candidate heap[RANK_CANDIDATES];

static const struct {
	uint64_t nr;
	double limit_s; /* 0: none */
} sizes[] = { { 100, 0.05 }, { 1000, 0.1 },  { 32768, 0 },
	      { 100000, 0 }, { 1000000, 0 }, { 10000000, 0 } };

/* Ranks so many; the seconds it took. */
static double
rank(uint64_t nr)
{
	const struct rank_times times = { 0, INT64_MAX };
	const struct rank_weights weights = { 5, 3, 2 };
	struct rank_candidates window = { .heap = heap };
	uint64_t seed = 1;
	double begun = now_s();

	rank_candidates_next(&window);
	for (uint64_t i = 0; i < nr; i++) {
		struct rank_file file;
		struct rank_candidate candidate = { .chunk_idx = i };

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		file = (struct rank_file){
			.mtime_ns = (int64_t)(seed >> 1),
			.relevance = (uint32_t)(seed >> 20) % 1000000,
			.priority = 40,
		};
		candidate.score = rank_score(&file, &times, &weights, NULL);
		candidate.tokens = (uint32_t)(seed >> 54);
		rank_candidates_add(&window, &candidate);
	}
	rank_candidates_sort(&window);
	return now_s() - begun;
}

int
main(void)
{
	int failed = 0;

	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		double best = 1e9;

		for (int round = 0; round < ROUNDS; round++) {
			double took = rank(sizes[i].nr);

			best = took < best ? took : best;
		}
		printf("%9llu candidates %9.3f ms %8.1f ns each\n",
		       (unsigned long long)sizes[i].nr, best * 1e3,
		       best * 1e9 / (double)sizes[i].nr);
		if (sizes[i].limit_s > 0 && best > sizes[i].limit_s) {
			printf("slower than the %.0f ms allowed\n",
			       sizes[i].limit_s * 1e3);
			failed = 1;
		}
	}
	return failed;
}
