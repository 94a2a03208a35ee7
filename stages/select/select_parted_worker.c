/* SPDX-License-Identifier: MIT */
/*
 * select_parted_worker.c - one chunk more, up to a line.
 *
 * Whole chunks leave room that none of those left fits: where files are few,
 * or chunks a good part of the budget. Then the best one of the tree that is
 * left is split: its first lines are taken, as many as there is room for. Where
 * files are taken by their signatures, these are.
 *
 * Does: finds the chunk, and how many of its lines are thought to fit.
 * Does not: know how many do: that is for the output to say (select_limit.c).
 * Runs in: select, at the end of a plan.
 */
#include "stages/select/select_plan_worker.h"

/* What a candidate costs beside its own tokens. */
static uint64_t
cost_around(struct plan *plan, const struct select_candidate *candidate)
{
	uint64_t cost = plan_cost(plan, candidate, UINT64_MAX);

	return cost - min_u64(cost, candidate->tokens);
}

/* Lines that it has; of signatures, which are not counted, at most. */
static uint32_t
lines_of(const struct plan *plan, const struct select_candidate *candidate)
{
	if (candidate->unit == SELECT_SIGNATURES)
		return candidate->tokens;
	return catalogue_chunk(&plan->worker->catalogue, candidate->chunk_idx)
		->line_nr;
}

/*
 * Whether a line of it is thought to fit: it has several, and its content is
 * not there in full elsewhere. What a source asks for is there as a whole or
 * not at all.
 */
static bool
may_part(struct plan *plan, const struct select_candidate *candidate,
	 uint64_t room)
{
	uint32_t of;

	if (candidate->category != CATEGORY_TREE)
		return false;
	of = lines_of(plan, candidate);
	return of > 1 && !plan_has(plan, candidate) &&
	       cost_around(plan, candidate) + candidate->tokens / of <= room;
}

/*
 * The candidate of a window before which there are *nth others; NULL: there
 * is none, and *nth is less by those that there are.
 */
static const struct select_candidate *
find(struct plan *plan, uint32_t *nth, uint64_t room)
{
	for (size_t i = 0; i < plan->window.nr; i++)
		if (may_part(plan, &plan->window.heap[i], room) &&
		    (*nth)-- == 0)
			return &plan->window.heap[i];
	return NULL;
}

/* The best that are left of a round. */
static int
fill_window(struct plan *plan, enum round round)
{
	int error;

	plan->window = (struct select_window){ .heap = plan->window.heap };
	plan->round = round;
	plan->is_parting = true;
	error = plan_fill_window(plan);
	plan->is_parting = false;
	return error != 0 ? error : plan_end_windows(plan);
}

/* Takes it: there is room for it in the output, whatever was thought. */
static int
take(struct plan *plan, const struct select_candidate *candidate)
{
	uint64_t head;
	int error = 0;

	plan->chunk_nr++;
	if (candidate->unit == SELECT_SIGNATURES)
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

static int
part(struct plan *plan, const struct select_candidate *candidate,
     const struct select_parted *parted)
{
	uint32_t of = lines_of(plan, candidate);
	uint64_t lines = parted->lines;

	if (lines == 0)
		lines = (parted->room - cost_around(plan, candidate)) * of /
			candidate->tokens;
	plan->parted.chunk_idx = candidate->chunk_idx;
	plan->parted.unit = candidate->unit;
	plan->parted.lines = (uint32_t)min_u64(max_u64(lines, 1), of - 1);
	plan->parted.of = of;
	plan->parted.tokens = candidate->tokens;
	return take(plan, candidate);
}

int
plan_take_parted(struct plan *plan, const struct select_parted *parted)
{
	const struct pack_options *options = &plan->worker->run->options;
	bool is_shared = options->sources.file_nr > 0;
	enum round round = plan->by_tiers ? ROUND_SECTIONS
			   : is_shared && options->no_redistribute ? ROUND_TREE
								   : ROUND_ALL;
	const enum round last = plan->by_tiers ? ROUND_REST : round;
	uint32_t nth = parted->nth;
	int error = plan_know_taken(plan);

	for (; round <= last && error == 0; round++) {
		const struct select_candidate *candidate;

		error = fill_window(plan, round);
		if (error != 0)
			break;
		candidate = find(plan, &nth, parted->room);
		if (candidate != NULL)
			return part(plan, candidate, parted);
	}
	return error;
}
