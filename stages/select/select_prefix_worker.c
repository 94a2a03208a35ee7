/* SPDX-License-Identifier: MIT */
/*
 * select_prefix_worker.c - one chunk more, up to a line.
 *
 * Whole chunks leave room that none of those left fits: where files are few,
 * or chunks a good part of the budget. Then the best one that is left is
 * split: of the tree, its first lines are taken, as many as there is room for;
 * of what a source asks for, those that source_part_from() says. Where files
 * are taken by their signatures, these are.
 *
 * Does: finds the chunk, and how many of its lines are thought to fit.
 * Does not: know how many do: that is for the output to say (limit.c).
 * Runs in: select, at the end of a plan.
 */
#include "stages/select/select_plan_worker.h"

/* What a candidate costs beside its own tokens. */
static uint64_t
cost_around(struct plan *plan, const struct rank_candidate *candidate)
{
	uint64_t cost = plan_cost(plan, candidate, UINT64_MAX);

	return cost - min_u64(cost, candidate->tokens);
}

/* Lines that it has; of signatures, which are not counted, at most. */
static uint32_t
lines_of(const struct plan *plan, const struct rank_candidate *candidate)
{
	if (candidate->unit == RANK_SIGNATURES)
		return candidate->tokens;
	return catalogue_chunk(&plan->worker->catalogue, candidate->chunk_idx)
		->line_nr;
}

/*
 * Whether a line of it is thought to fit: it has several, and its content is
 * not there in full elsewhere.
 */
static bool
may_part(struct plan *plan, const struct rank_candidate *candidate,
	 uint64_t room)
{
	uint32_t of = lines_of(plan, candidate);

	return of > 1 && !plan_has(plan, candidate) &&
	       cost_around(plan, candidate) + candidate->tokens / of <= room;
}

/* Where chunks of one output of a tool end that are side by side by rank. */
static size_t
output_end(const struct rank_candidates *window, size_t from)
{
	const struct rank_candidate *first = &window->heap[from];
	size_t end = from + 1;

	while (first->category == CATEGORY_TOOL && end < window->nr &&
	       window->heap[end].category == CATEGORY_TOOL &&
	       window->heap[end].file_idx == first->file_idx &&
	       window->heap[end].score == first->score)
		end++;
	return end;
}

/*
 * The candidate of a window before which there are *nth others; NULL: there
 * is none, and *nth is less by those that there are. Of a tool's output it is
 * the end that matters: the last chunk comes first.
 */
static const struct rank_candidate *
find(struct plan *plan, uint32_t *nth, uint64_t room)
{
	const struct rank_candidates *window = &plan->window;
	size_t end;

	for (size_t from = 0; from < window->nr; from = end) {
		end = output_end(window, from);
		for (size_t i = end; i-- > from;)
			if (may_part(plan, &window->heap[i], room) &&
			    (*nth)-- == 0)
				return &window->heap[i];
	}
	return NULL;
}

/* The best that are left of a round. */
static int
fill_window(struct plan *plan, enum round round)
{
	int error;

	plan->window = (struct rank_candidates){ .heap = plan->window.heap };
	plan->round = round;
	plan->is_truncating = true;
	error = plan_fill_window(plan);
	plan->is_truncating = false;
	return error != 0 ? error : plan_end_windows(plan);
}

/* Takes it: there is room for it in the output, whatever was thought. */
static int
take(struct plan *plan, const struct rank_candidate *candidate)
{
	uint64_t head;
	int error = 0;

	plan->chunk_nr++;
	if (candidate->unit == RANK_SIGNATURES)
		return select_bits_set(&plan->signs, candidate->file_idx);
	if (plan_head(plan, candidate, &head) != NULL)
		error = select_bits_set(&plan->heads, head);
	if (error == 0)
		error = select_bits_set(&plan->files, candidate->file_idx);
	if (error == 0)
		error = select_bits_set(&plan->chunk_bits,
					candidate->chunk_idx);
	return error;
}

static bool
has_outcome(const struct plan *plan, const struct rank_candidate *candidate)
{
	const struct chunk_record *chunk;
	struct source_lines lines;

	if (candidate->category != CATEGORY_TOOL ||
	    candidate->unit == RANK_SIGNATURES)
		return false;
	chunk = catalogue_chunk(&plan->worker->catalogue, candidate->chunk_idx);
	lines = (struct source_lines){ .first = chunk->line_first,
				       .nr = chunk->line_nr };
	return source_has_outcome(
		&plan->worker->run->options.sources,
		worker_requested_for(plan->worker, candidate->file_idx),
		&lines);
}

static int
part(struct plan *plan, const struct rank_candidate *candidate,
     const struct select_truncated *truncated)
{
	uint32_t of = lines_of(plan, candidate);
	uint64_t lines = truncated->lines;

	if (lines == 0)
		lines = (truncated->room - cost_around(plan, candidate)) * of /
			candidate->tokens;
	plan->truncated.chunk_idx = candidate->chunk_idx;
	plan->truncated.unit = candidate->unit;
	plan->truncated.lines = (uint32_t)min_u64(max_u64(lines, 1), of - 1);
	plan->truncated.of = of;
	plan->truncated.tokens = candidate->tokens;
	plan->truncated.has_outcome = has_outcome(plan, candidate);
	return take(plan, candidate);
}

int
plan_take_prefix(struct plan *plan, const struct select_truncated *truncated)
{
	const struct pack_options *options = &plan->worker->run->options;
	bool is_shared = options->sources.file_nr > 0;
	enum round round = plan->by_tiers ? ROUND_SECTIONS
			   : is_shared && options->no_redistribute ? ROUND_TREE
								   : ROUND_ALL;
	const enum round last = plan->by_tiers ? ROUND_REST : round;
	uint32_t nth = truncated->nth;
	int error = plan_know_taken(plan);

	for (; round <= last && error == 0; round++) {
		const struct rank_candidate *candidate;

		error = fill_window(plan, round);
		if (error != 0)
			break;
		candidate = find(plan, &nth, truncated->room);
		if (candidate != NULL)
			return part(plan, candidate, truncated);
	}
	return error;
}
