/* SPDX-License-Identifier: MIT */
/*
 * bench_dedup_table.c - what it costs to look for a digest and to put it in.
 *
 * Digests a second into tables half full at the end, then all of them once
 * more: found. From a hundred to four million. Fails where a hundred take
 * longer than they may.
 *
 * verifies: NFR-016-05, NFR-016c-02
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_clock.h"
#include "stages/dedup/dedup.h"

#define HUNDRED_LIMIT_S 0.02

/* Looks for each digest, puts in what is new; how many were. */
static uint64_t
pass(struct dedup_table *table, uint64_t nr)
{
	uint64_t seed = 1;
	uint64_t added = 0;

	for (uint64_t i = 0; i < nr; i++) {
		uint8_t digest[SHA256_BYTES];
		struct dedup_probe probe;
		uint32_t idx;
		bool found = false;

		for (size_t at = 0; at < sizeof(digest); at += sizeof(seed)) {
			seed = seed * 6364136223846793005u +
			       1442695040888963407u;
			memcpy(digest + at, &(uint64_t){ seed ^ seed >> 29 },
			       sizeof(seed));
		}
		dedup_probe_init(&probe, table, digest);
		while (!found && dedup_probe_next(&probe, table, &idx))
			found = idx == i;
		if (!found) {
			dedup_add(&probe, table, (uint32_t)i);
			added++;
		}
	}
	return added;
}

int
main(void)
{
	double hundred = 0;

	for (uint64_t nr = 100; nr <= 4000000; nr *= nr < 1000000 ? 10 : 4) {
		struct dedup_table table = { .slot_nr = 2 };
		double begun;
		double adding;
		double finding;

		while (table.slot_nr < nr * 2)
			table.slot_nr *= 2;
		table.slots = calloc(table.slot_nr, sizeof(*table.slots));
		if (table.slots == NULL)
			return 1;
		begun = now_s();
		if (pass(&table, nr) != nr)
			return 1;
		adding = now_s() - begun;
		begun = now_s();
		if (pass(&table, nr) != 0)
			return 1;
		finding = now_s() - begun;
		printf("%8llu digests: %7.1f ns to put one in, %7.1f ns to "
		       "find it\n",
		       (unsigned long long)nr, adding * 1e9 / (double)nr,
		       finding * 1e9 / (double)nr);
		if (nr == 100)
			hundred = adding + finding;
		free(table.slots);
	}
	printf("a hundred: %.4f ms (%.0f allowed)\n", hundred * 1e3,
	       HUNDRED_LIMIT_S * 1e3);
	return hundred < HUNDRED_LIMIT_S ? 0 : 1;
}
