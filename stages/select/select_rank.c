/* SPDX-License-Identifier: MIT */
/*
 * select_rank.c - scores, and the best of many in bounded memory.
 */
#include "stages/select/select.h"

#include "shm/heap.h"

#define SCORE_ONE 1000000.0
#define HALF_AGE_NS (30 * 86400e9) /* a month behind the newest: a half */

static uint32_t
millionths(double part)
{
	return (uint32_t)(part * SCORE_ONE + 0.5);
}

uint32_t
select_score(const struct select_file *file, const struct select_times *times,
	     const struct select_weights *weights,
	     struct select_factors *factors)
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
		*factors = (struct select_factors){ millionths(relevance),
						    millionths(recency),
						    millionths(source) };
	if (!(all > 0))
		return 0;
	return millionths(((double)weights->relevance * relevance +
			   (double)weights->recency * recency +
			   (double)weights->source * source) /
			  all);
}

bool
select_is_before(const struct select_candidate *a,
		 const struct select_candidate *b)
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

static bool
comes_before(const void *context, const void *a, const void *b)
{
	(void)context;
	return select_is_before(a, b);
}

/* The worst on top. */
static struct heap
heap_of(struct select_window *window)
{
	return (struct heap){ window->heap, sizeof(window->heap[0]),
			      sizeof(window->heap[0]), comes_before, NULL };
}

void
select_window_next(struct select_window *window)
{
	if (window->nr > 0) {
		window->floor = window->heap[window->nr - 1];
		window->has_floor = true;
	}
	window->nr = 0;
	window->passed_over = 0;
}

bool
select_window_reaches(const struct select_window *window,
		      const struct select_candidate *candidate)
{
	return !window->has_floor ||
	       select_is_before(&window->floor, candidate);
}

void
select_window_add(struct select_window *window,
		  const struct select_candidate *candidate)
{
	struct heap heap = heap_of(window);

	if (!select_window_reaches(window, candidate))
		return;
	if (window->nr < SELECT_WINDOW) {
		window->heap[window->nr++] = *candidate;
		heap_sift_up(&heap, window->nr - 1);
		return;
	}
	window->passed_over++;
	if (!select_is_before(candidate, &window->heap[0]))
		return;
	window->heap[0] = *candidate;
	heap_sift_down(&heap, 0, window->nr);
}

void
select_window_sort(struct select_window *window)
{
	struct heap heap = heap_of(window);

	heap_unmake(&heap, window->nr);
}
