/* SPDX-License-Identifier: MIT */
/*
 * select_history.c - past commits as texts about the files they changed.
 *
 * A commit that changed n files says 1/sqrt(n) of its BM25 score of each. A
 * file has the root of the sum of their squares, and the best of them.
 *
 * Limits: a commit that changed more than SPREAD_MAX files is about none.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/heap.h"
#include "base/sorted.h"
#include "stages/select/select_query.h"
#include "catalogue/history.h"

#define SPREAD_MAX 30

/* How rare the terms are in messages; how many files could be told of. */
static uint64_t
count_messages(struct select_query *query, const struct history_head *head)
{
	uint64_t off = head->commits_off;
	uint64_t nr = 0;

	for (uint32_t left = head->commit_nr; left > 0; left--) {
		const uint32_t *files;
		const struct history_term *terms;
		const struct history_commit *commit = history_commit(
			query->planner->catalogue, &off, &files, &terms);

		query->messages.nr++;
		query->messages.length += commit->text_bytes;
		for (uint32_t i = 0; i < commit->term_nr; i++)
			if (terms[i].times > 0)
				query->messages.with[terms[i].term]++;
		if (commit->changed_nr <= SPREAD_MAX && commit->term_nr > 0)
			nr += commit->file_nr;
	}
	return nr;
}

static double
score_message(const struct select_query *query,
	      const struct history_commit *commit,
	      const struct history_term *terms)
{
	double score = 0;

	for (uint32_t i = 0; i < commit->term_nr; i++)
		if (terms[i].times > 0)
			score += match_term(&query->messages, terms[i].term,
					    terms[i].times, commit->text_bytes);
	return score;
}

/* One entry for each file that each commit changed. */
static void
score_messages(struct select_query *query, const struct history_head *head)
{
	uint64_t off = head->commits_off;

	for (uint32_t left = head->commit_nr; left > 0; left--) {
		const uint32_t *files;
		const struct history_term *terms;
		const struct history_commit *commit = history_commit(
			query->planner->catalogue, &off, &files, &terms);
		double score;
		double square;

		if (commit->changed_nr > SPREAD_MAX || commit->term_nr == 0)
			continue;
		score = score_message(query, commit, terms);
		square = score * score / commit->changed_nr;
		for (uint32_t i = 0; i < commit->file_nr; i++)
			query->history_ctx[query->past_nr++] =
				(struct select_past){
					.file_idx = files[i],
					.best = (float)match_root(square),
					.squares = square,
				};
	}
}

/* By file; of one file in an order that does not depend on the machine. */
static bool
is_before(const void *context, const void *a, const void *b)
{
	const struct select_past *x = a;
	const struct select_past *y = b;

	(void)context;
	return x->file_idx != y->file_idx ? x->file_idx < y->file_idx
					  : x->squares < y->squares;
}

static void
sort_by_file(struct select_query *query)
{
	struct heap heap = { query->history_ctx, sizeof(*query->history_ctx),
			     sizeof(*query->history_ctx), is_before, NULL };

	heap_make(&heap, query->past_nr);
	heap_unmake(&heap, query->past_nr);
}

/* All entries of a file become one. */
static void
add_up(struct select_query *query)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < query->past_nr; i++) {
		const struct select_past *past = &query->history_ctx[i];
		struct select_past *sum =
			&query->history_ctx[nr > 0 ? nr - 1 : 0];

		if (nr == 0 || sum->file_idx != past->file_idx) {
			query->history_ctx[nr++] = *past;
			continue;
		}
		sum->squares += past->squares;
		if (past->best > sum->best)
			sum->best = past->best;
	}
	query->past_nr = nr;
	for (uint32_t i = 0; i < nr; i++) {
		if (query->history_ctx[i].squares > query->past_squares)
			query->past_squares = query->history_ctx[i].squares;
		if ((double)query->history_ctx[i].best > query->past_best)
			query->past_best = (double)query->history_ctx[i].best;
	}
}

int
select_history_open(struct select_query *query, const double *worth)
{
	const struct history_head *head =
		catalogue_history(query->planner->catalogue);
	uint64_t nr;

	ASSERT(history_head_valid(head));
	nr = count_messages(query, head);
	if (nr == 0)
		return 0;
	query->history_ctx = malloc(nr * sizeof(*query->history_ctx));
	if (query->history_ctx == NULL)
		return -ENOMEM;
	match_weigh(&query->messages, worth, query->query->nr);
	score_messages(query, head);
	sort_by_file(query);
	add_up(query);
	return 0;
}

static bool
is_before_file(const void *past, const void *file_idx)
{
	const struct select_past *it = past;

	return it->file_idx < *(const uint32_t *)file_idx;
}

void
select_history_file(const struct select_query *query, uint32_t file_idx,
		    struct match_file *file)
{
	size_t at = sorted_first(query->history_ctx, query->past_nr,
				 sizeof(query->history_ctx[0]), &file_idx,
				 is_before_file);

	if (at == query->past_nr ||
	    query->history_ctx[at].file_idx != file_idx ||
	    !(query->past_squares > 0))
		return;
	file->history = match_root(query->history_ctx[at].squares /
				   query->past_squares);
	file->newest = (double)query->history_ctx[at].best / query->past_best;
}
