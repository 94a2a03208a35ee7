/* SPDX-License-Identifier: MIT */
/*
 * select_write_worker.c - what was taken, written as the plan of the gather.
 *
 * Does: puts chunks, signatures and heads in the order of their places, says
 *       why each is there, and in which turn its file comes.
 * Runs in: select, at the end of a plan.
 */
#include <errno.h>
#include <stdlib.h>

#include "stages/select/select_plan_worker.h"

/* A head stands where it does for the best chunk that it is there for. */
static void
explain_head(const struct catalogue *catalogue, struct plan_entry *head,
	     const struct plan_entry *end)
{
	uint32_t file_idx =
		catalogue_chunk(catalogue, head->chunk_idx)->file_idx;

	for (const struct plan_entry *at = head + 1; at < end; at++) {
		const struct chunk_record *chunk =
			catalogue_chunk(catalogue, at->chunk_idx);

		if (chunk->file_idx != file_idx)
			break;
		if (at->tier != TIER_FULL || chunk->head != head->head + 1u ||
		    at->score != head->score)
			continue;
		head->factors = at->factors;
		break;
	}
}

static void
explain_heads(const struct catalogue *catalogue, size_t entry_nr)
{
	for (size_t i = 0; i < entry_nr; i++)
		if (catalogue_plan(catalogue, i)->tier == TIER_HEAD)
			explain_head(catalogue, catalogue_plan(catalogue, i),
				     catalogue_plan(catalogue, entry_nr));
}

/* The factors of what is taken, worked out once more: it is in order now. */
static void
explain_plan(struct plan *plan, size_t entry_nr)
{
	const struct catalogue *catalogue = &plan->worker->catalogue;
	uint32_t file_idx = FILE_NONE;

	if (!plan->is_scored)
		return;
	select_scores_rewind(&plan->scores);
	for (size_t i = 0; i < entry_nr; i++) {
		struct plan_entry *entry = catalogue_plan(catalogue, i);
		uint32_t of =
			catalogue_chunk(catalogue, entry->chunk_idx)->file_idx;
		uint8_t category;
		uint32_t score;

		if (of != file_idx)
			select_scores_file(&plan->scores, of);
		file_idx = of;
		score = select_scores_chunk(
			&plan->scores,
			(uint32_t)(entry->chunk_idx -
				   catalogue_facts(catalogue, of)->chunk_first),
			&category, &entry->factors);
		if (entry->score == SCORE_NONE) {
			entry->score = score;
			entry->category = category;
		}
	}
	explain_heads(catalogue, entry_nr);
}

/* By the best score in the file; signatures and lines of it side by side. */
static int
by_rank(const void *a, const void *b)
{
	return select_is_before(a, b) ? -1 : 1;
}

/*
 * The order of the sections in gather: a file is as good as the best of what
 * is taken of it. The plan lies in place order; of the candidates, only the
 * memory is used.
 */
static uint64_t
write_turns(const struct catalogue *catalogue, size_t entry_nr,
	    struct select_candidate *turns)
{
	size_t nr = 0;
	size_t of_file = 0; /* the first section of the file */
	bool signs = false;

	for (size_t i = 0; i < entry_nr; i++) {
		const struct plan_entry *entry = catalogue_plan(catalogue, i);
		uint32_t file_idx =
			catalogue_chunk(catalogue, entry->chunk_idx)->file_idx;
		bool is_new = nr == 0 || turns[of_file].file_idx != file_idx;

		if (is_new)
			of_file = nr;
		if (is_new || signs != (entry->tier == TIER_SIGNATURES))
			turns[nr++] = (struct select_candidate){
				.score = is_new ? entry->score
						: turns[of_file].score,
				.file_idx = file_idx,
				.chunk_idx = i,
			};
		signs = entry->tier == TIER_SIGNATURES;
		for (size_t k = of_file; k < nr; k++)
			if (turns[k].score < entry->score)
				turns[k].score = entry->score;
	}
	qsort(turns, nr, sizeof(*turns), by_rank);
	for (size_t i = 0; i < nr; i++)
		catalogue_plan(catalogue, i)->turn =
			(uint32_t)turns[i].chunk_idx;
	return nr;
}

static uint8_t
tier_of(uint8_t unit)
{
	switch (unit) {
	case SELECT_SIGNATURES:
		return TIER_SIGNATURES;
	case SELECT_HEAD:
		return TIER_HEAD;
	default:
		return TIER_FULL;
	}
}

/*
 * Behind the chunks that are taken, the heads that they are to have, each
 * once; how many there are of both.
 */
static size_t
add_heads(struct plan *plan, struct select_candidate *order)
{
	size_t nr = plan->chunk_nr;

	for (size_t i = 0; i < plan->chunk_nr; i++) {
		const struct file_facts *facts = catalogue_facts(
			&plan->worker->catalogue, order[i].file_idx);
		const struct chunk_record *head;
		uint64_t idx;

		head = plan_head(plan, &order[i], &idx);
		if (head == NULL || !select_bits_has(&plan->heads, idx))
			continue;
		select_bits_clear(&plan->heads, idx);
		order[nr] = order[i];
		order[nr].unit = SELECT_HEAD;
		order[nr].chunk_idx = facts->chunk_first + head->head;
		order[nr++].tokens = (uint32_t)(idx - facts->head_first);
	}
	return nr;
}

int
plan_write(struct plan *plan)
{
	struct catalogue *catalogue = &plan->worker->catalogue;
	struct control_shm *control = plan->worker->run->segment.control;
	struct select_candidate *order =
		calloc(2 * plan->chunk_nr + 1, sizeof(*order));
	int error =
		table_reserve(&catalogue->plan,
			      2 * plan->chunk_nr * sizeof(struct plan_entry));
	uint64_t turn_nr = 0;
	size_t order_nr;
	size_t nr = 0;

	if (order == NULL)
		error = -ENOMEM;
	if (error != 0) {
		free(order);
		return error;
	}
	for (size_t i = 0; i < plan->chunk_nr; i++)
		order[i] = plan->chunks[i].candidate;
	/* the best first: a head has the best score of its chunks */
	order_nr = add_heads(plan, order);
	select_sort_place(order, order_nr);
	for (size_t i = 0; i < order_nr; i++) {
		*catalogue_plan(catalogue, nr++) = (struct plan_entry){
			.chunk_idx = order[i].chunk_idx,
			.score = order[i].score,
			.category = order[i].category,
			.tier = tier_of(order[i].unit),
			.head = order[i].unit == SELECT_HEAD
					? (uint16_t)order[i].tokens
					: 0,
		};
	}
	explain_plan(plan, nr);
	if (plan->worker->run->options.by_rank)
		turn_nr = write_turns(catalogue, nr, order);
	free(order);
	/* relaxed: the store of `pass` or `done` publishes them */
	atomic_store_explicit(&control->plan_nr, nr, memory_order_relaxed);
	atomic_store_explicit(&control->plan_turns, turn_nr,
			      memory_order_relaxed); /* as above */
	return 0;
}
