/* SPDX-License-Identifier: MIT */
/*
 * rank.c - scores, and the best of many in bounded memory.
 */
#include "rank/rank.h"

#include "base/heap.h"

#define SCORE_ONE 1000000.0
#define HALF_AGE_NS (30 * 86400e9) /* a month behind the newest: a half */

uint32_t
rank_score(const struct rank_file *file, const struct rank_times *times,
	   const struct rank_weights *weights, struct rank_factors *factors)
{
	double relevance = (double)file->relevance / SCORE_ONE;
	double age = (double)times->newest_ns - (double)file->mtime_ns;
	double recency = age > 0 ? HALF_AGE_NS / (HALF_AGE_NS + age) : 1;
	double source = (double)file->priority / 100;
	double all = (double)weights->relevance + (double)weights->recency +
		     (double)weights->source;

	/* new and beside the point is no better than old and beside it */
	if (file->is_matched)
		recency *= relevance;
	if (factors != NULL)
		*factors = (struct rank_factors){ rank_millionths(relevance),
						  rank_millionths(recency),
						  rank_millionths(source) };
	if (!(all > 0))
		return 0;
	return rank_millionths(((double)weights->relevance * relevance +
				(double)weights->recency * recency +
				(double)weights->source * source) /
			       all);
}

bool
rank_is_before(const struct rank_candidate *a, const struct rank_candidate *b)
{
	if (a->score != b->score)
		return a->score > b->score;
	if (a->category != b->category)
		return a->category < b->category;
	/* chunks of a file lie side by side: the order stays total */
	if (a->file_idx == b->file_idx && a->order != b->order)
		return a->order < b->order;
	return a->chunk_idx < b->chunk_idx;
}

bool
rank_comes_before(const void *context, const void *a, const void *b)
{
	(void)context;
	return rank_is_before(a, b);
}

/* The worst on top. */
static struct heap
heap_of(struct rank_candidates *window)
{
	return (struct heap){ window->heap, sizeof(window->heap[0]),
			      sizeof(window->heap[0]), rank_comes_before,
			      NULL };
}

void
rank_candidates_next(struct rank_candidates *window)
{
	if (window->nr > 0) {
		window->floor = window->heap[window->nr - 1];
		window->has_floor = true;
	}
	window->nr = 0;
	window->passed_over = 0;
}

bool
rank_candidates_is_after(const struct rank_candidates *window,
			 const struct rank_candidate *candidate)
{
	return !window->has_floor || rank_is_before(&window->floor, candidate);
}

void
rank_candidates_add(struct rank_candidates *window,
		    const struct rank_candidate *candidate)
{
	struct heap heap = heap_of(window);

	if (!rank_candidates_is_after(window, candidate))
		return;
	if (window->nr < RANK_CANDIDATES) {
		window->heap[window->nr++] = *candidate;
		heap_sift_up(&heap, window->nr - 1);
		return;
	}
	window->passed_over++;
	if (!rank_is_before(candidate, &window->heap[0]))
		return;
	window->heap[0] = *candidate;
	heap_sift_down(&heap, 0, window->nr);
}

void
rank_candidates_sort(struct rank_candidates *window)
{
	struct heap heap = heap_of(window);

	heap_unmake(&heap, window->nr);
}
