/* SPDX-License-Identifier: MIT */
/*
 * select_history.c - past commits as texts about the files they changed.
 *
 * A file has the root of the sum of the squares of what each says; a piece the
 * best of those that its lines came with.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "base/sorted.h"
#include "stages/select/select_query.h"
#include "catalogue/history.h"
#include "rank/message.h"

static struct message
message_of(const struct history_commit *commit,
	   const struct history_term *terms)
{
	return (struct message){ .terms = terms,
				 .term_nr = commit->term_nr,
				 .bytes = commit->text_bytes,
				 .changed_nr = commit->changed_nr };
}

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
		struct message message = message_of(commit, terms);

		message_count(&query->messages, &message);
		if (commit->changed_nr <= MESSAGE_FILES_MAX &&
		    commit->term_nr > 0)
			nr += commit->file_nr;
	}
	return nr;
}

/* One entry for each file that each commit says something of. */
static void
score_messages(struct select_query *query, const struct history_head *head)
{
	uint64_t off = head->commits_off;

	for (uint32_t left = head->commit_nr; left > 0; left--) {
		const uint32_t *files;
		const struct history_term *terms;
		const struct history_commit *commit = history_commit(
			query->planner->catalogue, &off, &files, &terms);
		struct message message = message_of(commit, terms);
		double square = message_square(&query->messages, &message);

		for (uint32_t i = 0; i < commit->file_nr && square > 0; i++)
			query->history_ctx[query->past_nr++] =
				(struct select_past){ .file_idx = files[i],
						      .squares = square };
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
	}
	query->past_nr = nr;
	for (uint32_t i = 0; i < nr; i++)
		if (query->history_ctx[i].squares > query->past_squares)
			query->past_squares = query->history_ctx[i].squares;
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
	HEAP_SORT(query->history_ctx, query->past_nr, is_before);
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
}

void
select_history_pieces(const struct select_query *query, uint32_t file_idx,
		      uint32_t from, uint32_t piece_nr, float *said)
{
	const struct catalogue *catalogue = query->planner->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	uint32_t nr;
	const struct history_lines *lines =
		catalogue_hot_lines(catalogue, file_idx, &nr);

	if (nr == 0) {
		memset(said, 0, piece_nr * sizeof(*said));
		return;
	}
	for (uint32_t i = 0; i < piece_nr; i++) {
		const struct chunk_record *chunk = catalogue_chunk(
			catalogue, facts->chunk_first + from + i);
		uint32_t hottest = history_hottest_between(
			lines, nr, chunk->line_first,
			(uint64_t)chunk->line_first + chunk->line_nr);

		said[i] = (float)match_root((double)hottest / HISTORY_ONE);
	}
}
