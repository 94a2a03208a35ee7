/* SPDX-License-Identifier: MIT */
/*
 * select_min_chunks.c - the cheapest chunks, for --min-chunks.
 *
 * Does: finds as many as there have to be, of contents that differ.
 * Does not: take them: a plan keeps room for them (budget.c).
 * Runs in: select, at the start of a plan.
 */
#include <string.h>

#include "stages/select/select_plan_parts.h"

/* Whether a candidate's content is among the cheapest already; signatures are
 * each file's own. */
static bool
is_least(const struct plan *plan, const struct rank_candidate *candidate)
{
	const struct min_chunk_reserve *least = &plan->tokens.least;
	const struct catalogue *catalogue = plan->planner->catalogue;
	const uint8_t *fingerprint;

	if (candidate->unit == RANK_SIGNATURES)
		return false;
	fingerprint = plan_fingerprint(plan, candidate);
	for (uint32_t i = 0; i < least->nr; i++)
		if (memcmp(fingerprint,
			   catalogue_chunk(catalogue,
					   least->cheapest[i].chunk_idx)
				   ->fingerprint,
			   FINGERPRINT_BYTES) == 0)
			return true;
	return false;
}

static void
add_least(struct plan *plan, const struct rank_candidate *candidate)
{
	struct min_chunk_reserve *least = &plan->tokens.least;

	if (candidate->tokens == 0 ||
	    (least->nr == least->wanted &&
	     least->cheapest[least->nr - 1].cost <= candidate->tokens) ||
	    is_least(plan, candidate))
		return;
	min_chunk_reserve_add(least, plan_cost(plan, candidate, UINT64_MAX),
			      candidate->chunk_idx);
}

const struct source_file *
plan_requested_of(const struct plan *plan, uint32_t file_idx)
{
	return plan_takes_tree(plan)
		       ? NULL
		       : planner_requested_for(plan->planner, file_idx);
}

bool
plan_is_not_requested(const struct plan *plan,
		      const struct source_file *requested,
		      const struct chunk_record *chunk)
{
	return !plan_takes_tree(plan) &&
	       (requested == NULL ||
		source_best(&plan->planner->job->sources, requested,
			    chunk->line_first,
			    chunk->line_first + max_u64(chunk->line_nr, 1) -
				    1) == NULL);
}

void
plan_find_min_chunks(struct plan *plan)
{
	const struct catalogue *catalogue = plan->planner->catalogue;
	bool signs = plan_by_signatures(plan);

	plan->tokens.least.wanted = (uint32_t)plan->planner->job->min_chunks;
	if (plan->tokens.least.wanted <= 1)
		return;
	for (uint64_t f = 0; f < plan->planner->file_nr; f++) {
		const struct file_facts *facts = catalogue_facts(catalogue, f);
		const struct source_file *requested;

		if (!select_is_usable(facts))
			continue;
		requested = plan_requested_of(plan, (uint32_t)f);
		for (uint32_t c = 0; c < (signs ? 1 : facts->chunk_nr); c++) {
			uint64_t idx = facts->chunk_first + c;
			struct rank_candidate candidate = {
				.file_idx = (uint32_t)f,
				.chunk_idx = idx,
				.tokens =
					signs ? facts->outline_tokens
					      : catalogue_chunk(catalogue, idx)
							->tokens,
				.unit = signs ? RANK_SIGNATURES : RANK_CHUNK,
			};

			if (!signs && plan_is_not_requested(
					      plan, requested,
					      catalogue_chunk(catalogue, idx)))
				continue;
			add_least(plan, &candidate);
		}
	}
	min_chunk_reserve_fit(&plan->tokens.least, plan_unused(plan));
}
