/* SPDX-License-Identifier: MIT */
/*
 * select_sorted_runs_worker.c - runs of candidates, written and merged.
 */
#include "stages/select/select_sorted_runs_worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "stages/select/select_io_zstd.h"
#include "stages/worker.h"

#define FAN_IN 128
#define LEVELS 4 /* FAN_IN to this power of windows: more than a table holds */
#define RUNS_MAX (FAN_IN * LEVELS)

/* Before each block. */
struct block_head {
	uint32_t bytes; /* of the block, packed */
	uint32_t nr;    /* of its candidates */
};

struct sorted_run {
	uint64_t at; /* its first block, in the table */
	uint64_t end;
	uint32_t level;
};

/* A run that is being read. */
struct cursor {
	struct sorted_run left; /* the blocks that are not read yet */
	uint32_t next;          /* candidate of this block */
	uint32_t nr;
	struct rank_candidate block[SELECT_BLOCK];
};

struct select_runs {
	struct worker *worker;
	const struct table *table;
	struct select_codec codec;
	struct sorted_run runs[RUNS_MAX];
	uint32_t run_nr;
	uint64_t end;  /* of what is written */
	uint64_t left; /* candidates that have not been given back */
	/* to be written: a window that comes in, or a block that was merged */
	struct rank_candidate *window;
	size_t window_nr;
	size_t window_next; /* where all of them fit, the next to be given */
	/* being merged: the cursor with the best candidate comes first */
	struct cursor *cursors;
	uint32_t order[RUNS_MAX];
	uint32_t order_nr;
};

int
select_runs_open(struct worker *worker, struct select_runs **out)
{
	struct select_runs *runs = calloc(1, sizeof(*runs));

	*out = NULL;
	if (runs == NULL)
		return -ENOMEM;
	runs->worker = worker;
	runs->table = &worker->catalogue.runs;
	runs->window = malloc(RANK_CANDIDATES * sizeof(*runs->window));
	if (runs->window == NULL || select_codec_init(&runs->codec) != 0) {
		select_runs_close(runs);
		return -ENOMEM;
	}
	*out = runs;
	return 0;
}

void
select_runs_close(struct select_runs *runs)
{
	if (runs == NULL)
		return;
	select_codec_fini(&runs->codec);
	free(runs->cursors);
	free(runs->window);
	free(runs);
}

uint64_t
select_runs_left(const struct select_runs *runs)
{
	return runs->left;
}

/* ---- writing ----------------------------------------------------------- */

/* The next block of the run that is at the end. */
static int
write_block(struct select_runs *runs, const struct rank_candidate *these,
	    size_t nr)
{
	struct block_head head = { .nr = (uint32_t)nr };
	size_t bytes;
	uint64_t most = sizeof(head) + select_packed_max();
	int error = table_reserve(runs->table, runs->end + most);
	uint8_t *block;

	if (error != 0)
		return error;
	block = table_at(runs->table, runs->end, most);
	error = select_pack(&runs->codec, these, nr, block + sizeof(head),
			    &bytes);
	if (error != 0)
		return error;
	head.bytes = (uint32_t)bytes;
	memcpy(block, &head, sizeof(head));
	runs->end += sizeof(head) + bytes;
	return 0;
}

static int
by_rank(const void *a, const void *b)
{
	return rank_is_before(a, b) ? -1 : rank_is_before(b, a);
}

/* What came in, as a run of its own. */
static int
write_window(struct select_runs *runs)
{
	struct sorted_run run = { .at = runs->end };
	int error = 0;

	qsort(runs->window, runs->window_nr, sizeof(*runs->window), by_rank);
	for (size_t at = 0; at < runs->window_nr && error == 0;
	     at += SELECT_BLOCK)
		error = write_block(
			runs, runs->window + at,
			min_u64(runs->window_nr - at, SELECT_BLOCK));
	runs->window_nr = 0;
	run.end = runs->end;
	runs->runs[runs->run_nr++] = run;
	worker_beat(runs->worker);
	return error;
}

/* ---- merging ----------------------------------------------------------- */

/* The next block of a run, if there is one: 1, 0 or -EIO. */
static int
read_block(struct select_runs *runs, struct cursor *cursor)
{
	struct sorted_run *left = &cursor->left;
	struct block_head head;
	int error;

	cursor->next = 0;
	cursor->nr = 0;
	if (left->at == left->end)
		return 0;
	if (left->end - left->at < sizeof(head))
		return -EIO;
	memcpy(&head, table_at(runs->table, left->at, sizeof(head)),
	       sizeof(head));
	left->at += sizeof(head);
	if (head.bytes > left->end - left->at || head.nr == 0)
		return -EIO;
	error = select_unpack(&runs->codec,
			      table_at(runs->table, left->at, head.bytes),
			      head.bytes, cursor->block, head.nr);
	if (error != 0)
		return error;
	left->at += head.bytes;
	cursor->nr = head.nr;
	return 1;
}

/* Whether the best that is left of a run comes after that of another. */
static bool
comes_after(const void *context, const void *a, const void *b)
{
	const struct cursor *cursors = context;
	const struct cursor *one = &cursors[*(const uint32_t *)a];
	const struct cursor *two = &cursors[*(const uint32_t *)b];

	return rank_is_before(&two->block[two->next], &one->block[one->next]);
}

/* Runs; the one that has the best on top. */
static struct heap
heap_of(struct select_runs *runs)
{
	return (struct heap){ runs->order, sizeof(runs->order[0]),
			      sizeof(runs->order[0]), comes_after,
			      runs->cursors };
}

/* Opens the runs from `first` on, to be merged. */
static int
open_cursors(struct select_runs *runs, uint32_t first)
{
	uint32_t nr = runs->run_nr - first;
	struct heap heap;

	free(runs->cursors);
	runs->order_nr = 0;
	runs->cursors = malloc(nr * sizeof(*runs->cursors));
	if (runs->cursors == NULL)
		return -ENOMEM;
	for (uint32_t i = 0; i < nr; i++) {
		int result;

		runs->cursors[i].left = runs->runs[first + i];
		result = read_block(runs, &runs->cursors[i]);
		if (result < 0)
			return result;
		if (result > 0)
			runs->order[runs->order_nr++] = i;
	}
	heap = heap_of(runs);
	heap_make(&heap, runs->order_nr);
	return 0;
}

/* The best of all open runs: 1, 0: there are no more, or -EIO. */
static int
merge_next(struct select_runs *runs, struct rank_candidate *candidate)
{
	struct heap heap = heap_of(runs);
	struct cursor *cursor;

	if (runs->order_nr == 0)
		return 0;
	cursor = &runs->cursors[runs->order[0]];
	*candidate = cursor->block[cursor->next++];
	if (cursor->next == cursor->nr) {
		int result = read_block(runs, cursor);

		if (result < 0)
			return result;
		if (result == 0)
			runs->order[0] = runs->order[--runs->order_nr];
	}
	heap_sift_down(&heap, 0, runs->order_nr);
	return 1;
}

/* The last FAN_IN runs, all of one level, become one of the next. */
static int
merge_level(struct select_runs *runs)
{
	uint32_t first = runs->run_nr - FAN_IN;
	struct sorted_run merged = { .at = runs->end,
				     .level = runs->runs[first].level + 1 };
	int error = open_cursors(runs, first);
	int result = 1;

	/* the window has just been written: there is room for a block */
	while (error == 0 && result > 0) {
		size_t nr = 0;

		do
			result = merge_next(runs, &runs->window[nr]);
		while (result > 0 && ++nr < SELECT_BLOCK);
		error = result < 0 ? result : 0;
		if (error == 0 && nr > 0)
			error = write_block(runs, runs->window, nr);
		worker_beat(runs->worker);
	}
	merged.end = runs->end;
	runs->run_nr = first;
	runs->runs[runs->run_nr++] = merged;
	return error;
}

static int
put_window(struct select_runs *runs)
{
	int error = write_window(runs);

	while (error == 0 && runs->run_nr >= FAN_IN &&
	       runs->runs[runs->run_nr - FAN_IN].level ==
		       runs->runs[runs->run_nr - 1].level)
		error = merge_level(runs);
	ASSERT(runs->run_nr < RUNS_MAX);
	return error;
}

/* ---- in and out -------------------------------------------------------- */

int
select_runs_add(struct select_runs *runs,
		const struct rank_candidate *candidate)
{
	int error = runs->window_nr == RANK_CANDIDATES ? put_window(runs) : 0;

	if (error != 0)
		return error;
	runs->window[runs->window_nr++] = *candidate;
	runs->left++;
	return 0;
}

int
select_runs_sort(struct select_runs *runs)
{
	int error;

	/* all of them fit: no need to write them */
	if (runs->run_nr == 0) {
		qsort(runs->window, runs->window_nr, sizeof(*runs->window),
		      by_rank);
		return 0;
	}
	error = put_window(runs);
	return error != 0 ? error : open_cursors(runs, 0);
}

int
select_runs_next(struct select_runs *runs, struct rank_candidate *candidate)
{
	int result;

	if (runs->left == 0)
		return 0;
	if (runs->run_nr == 0) {
		*candidate = runs->window[runs->window_next++];
		result = 1;
	} else {
		result = merge_next(runs, candidate);
	}
	if (result == 0)
		return -EIO; /* there are some left */
	runs->left -= result > 0;
	return result;
}
