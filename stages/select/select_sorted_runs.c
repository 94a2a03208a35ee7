/* SPDX-License-Identifier: MIT */
/*
 * select_sorted_runs.c - runs of candidates, sorted and merged.
 */
#include "stages/select/select_sorted_runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"

#define RUN_BYTES (RANK_CANDIDATES * sizeof(struct rank_candidate))
#define RUN_GROUPS (RUN_BYTES / TABLE_GROUP_BYTES)

#define BLOCK 32 /* candidates of a run that are looked at together */

/* Of a run, what is to be given back next, and where the others are. */
struct run_head {
	struct rank_candidate block[BLOCK];
	uint64_t at; /* behind the block */
	uint64_t end;
	uint32_t next; /* of the block */
	uint32_t nr;   /* in it */
	uint32_t best; /* the run at this place of a heap: the best on top */
};

static struct rank_candidate *
candidate_at(const struct select_runs *runs, uint64_t idx, uint64_t nr)
{
	return table_at(runs->table, idx * sizeof(struct rank_candidate),
			nr * sizeof(struct rank_candidate));
}

static bool
comes_after(const void *context, const void *a, const void *b)
{
	const struct run_head *heads = context;
	const struct run_head *one = &heads[*(const uint32_t *)a];
	const struct run_head *two = &heads[*(const uint32_t *)b];

	return rank_is_before(&two->block[two->next], &one->block[one->next]);
}

/* Sorts candidates from `first` on, a window at most, where they lie. */
static void
sort_run(struct select_runs *runs, uint64_t first)
{
	size_t nr = (size_t)(runs->nr - first);

	HEAP_SORT(candidate_at(runs, first, nr), nr, rank_comes_before);
	table_touched(runs->table, RUN_GROUPS);
}

int
select_runs_add(struct select_runs *runs,
		const struct rank_candidate *candidate)
{
	uint64_t of_run = runs->nr % RANK_CANDIDATES;
	int error = 0;

	if (of_run == 0 && runs->nr > 0)
		sort_run(runs, runs->nr - RANK_CANDIDATES);
	if (of_run == 0)
		error = runs->reserve(
			runs->table, runs->nr * sizeof(*candidate) + RUN_BYTES);
	if (error != 0)
		return error;
	*candidate_at(runs, runs->nr++, 1) = *candidate;
	runs->left++;
	return 0;
}

static struct heap
heap_of(struct select_runs *runs)
{
	return (struct heap){ &runs->heads[0].best, sizeof(runs->heads[0].best),
			      sizeof(runs->heads[0]), comes_after,
			      runs->heads };
}

/* The next block of a run; false: there is none. */
static bool
read_block(const struct select_runs *runs, struct run_head *head)
{
	uint64_t nr = min_u64(head->end - head->at, BLOCK);

	if (nr == 0)
		return false;
	memcpy(head->block, candidate_at(runs, head->at, nr),
	       nr * sizeof(head->block[0]));
	head->at += nr;
	head->nr = (uint32_t)nr;
	head->next = 0;
	return true;
}

int
select_runs_sort(struct select_runs *runs)
{
	uint64_t nr = (runs->nr + RANK_CANDIDATES - 1) / RANK_CANDIDATES;
	struct heap heap;

	if (nr == 0)
		return 0;
	sort_run(runs, (nr - 1) * RANK_CANDIDATES);
	runs->heads = calloc(nr, sizeof(runs->heads[0]));
	if (runs->heads == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < nr; i++) {
		struct run_head *head = &runs->heads[i];

		head->at = (uint64_t)i * RANK_CANDIDATES;
		head->end = min_u64(head->at + RANK_CANDIDATES, runs->nr);
		head->best = i;
		read_block(runs, head);
	}
	runs->head_nr = (uint32_t)nr;
	heap = heap_of(runs);
	heap_make(&heap, nr);
	return 0;
}

bool
select_runs_next(struct select_runs *runs, struct rank_candidate *candidate)
{
	struct run_head *heads = runs->heads;
	struct run_head *best;
	struct heap heap;

	if (runs->left == 0)
		return false;
	runs->left--;
	best = &heads[heads[0].best];
	*candidate = best->block[best->next++];
	if (best->next == best->nr && !read_block(runs, best))
		heads[0].best = heads[--runs->head_nr].best;
	heap = heap_of(runs);
	heap_sift_down(&heap, 0, runs->head_nr);
	return true;
}

void
select_runs_fini(struct select_runs *runs)
{
	free(runs->heads);
	*runs = (struct select_runs){ .table = runs->table,
				      .reserve = runs->reserve };
}
