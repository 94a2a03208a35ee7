/* SPDX-License-Identifier: MIT */
/*
 * select_candidates.c - the candidates of a round, by rank.
 *
 * The first window is found by a scan of the catalogue: most plans need no more.
 * Where one does, all others are sorted in one more scan (select_sorted_runs.h).
 *
 * Does: walks the catalogue; drops what there is no room for, before it is
 *       ranked and again before it is looked at.
 * Runs in: select.
 * Invariants:
 * 1. Windows come in the order of ranks, however they are found.
 */
#include "stages/select/select_plan_parts.h"
#include "catalogue/traits.h"

/* ---- what is dropped, and what is not ---------------------------------- */

/* Whether it is in the plan, it and not only its content. */
static bool
is_taken(const struct plan *plan, const struct rank_candidate *candidate)
{
	return candidate->unit == RANK_CHUNK
		       ? select_bits_has(&plan->set.chunks,
					 candidate->chunk_idx)
		       : select_bits_has(&plan->set.signs, candidate->file_idx);
}

void
plan_leave(struct plan *plan, const struct rank_candidate *candidate)
{
	if (plan->stream.more_left && plan->stream.wants[candidate->category])
		return;
	if (candidate->unit == RANK_FILE || !plan_has(plan, candidate)) {
		plan->stream.more_left = true;
		plan->stream.wants[candidate->category] = true;
	}
}

bool
plan_keeps_window(const struct plan *plan)
{
	const struct job *job = plan->planner->job;
	enum round round = plan->stream.round;

	/* sources ask for more than their shares hold; pins come before */
	return (round == ROUND_ALL || round == ROUND_FRAME ||
		round == ROUND_BREADTH || round == ROUND_DEPTH) &&
	       !plan->stream.is_edge && !plan->stream.is_sorting &&
	       job->sources.file_nr == 0 && job->pin_nr == 0;
}

bool
plan_drops(struct plan *plan, const struct rank_candidate *candidate)
{
	if (plan->stream.is_edge)
		return is_taken(plan, candidate);
	/* what its category wants is to be known there */
	if (plan->stream.round == ROUND_SHARES || plan_keeps_window(plan) ||
	    candidate->tokens <= plan_unused(plan))
		return false;
	plan_leave(plan, candidate);
	return true;
}

/* Whether its category has no room for it: then it is dropped. */
static bool
category_drops(struct plan *plan, const struct rank_candidate *candidate)
{
	if (plan->stream.is_edge || plan_keeps_window(plan) ||
	    candidate->tokens <=
		    rank_budget_left(&plan->tokens.budget, candidate->category))
		return false;
	plan_leave(plan, candidate);
	return true;
}

void
plan_offer(struct plan *plan, const struct rank_candidate *candidate)
{
	if (category_drops(plan, candidate))
		return;
	if (!plan->stream.is_sorting)
		rank_candidates_add(&plan->stream.window, candidate);
	else if (plan->stream.error == 0 &&
		 rank_candidates_is_after(&plan->stream.window, candidate))
		plan->stream.error =
			select_runs_add(&plan->stream.runs, candidate);
}

/* ---- all there are ------------------------------------------------------ */

/* What has no tokens is never taken. */
static bool
is_of_round(const struct plan *plan, const struct rank_candidate *candidate)
{
	bool of_tree = candidate->category == CATEGORY_TREE;

	if (candidate->tokens == 0 || (of_tree && !plan_takes_tree(plan)))
		return false;
	if (plan->stream.round == ROUND_SHARES)
		return !of_tree ||
		       plan->tokens.budget.shares[CATEGORY_TREE] > 0;
	return plan->stream.round == ROUND_ALL || of_tree;
}

/* The signatures of a file are as good as the best of its chunks. */
static void
keep_best(struct rank_candidate *best, const struct rank_candidate *candidate)
{
	if (best->tokens != 0 && candidate->score <= best->score)
		return;
	best->score = candidate->score;
	best->category = candidate->category;
	best->tokens = 1;
}

/* What all chunks of a file are worth is looked at: the best, for what is said of
 * those that are left out. */
static uint64_t
best_of(uint64_t best, const struct rank_candidate *candidate,
	const struct select_scores *scores)
{
	return best != 0 && candidate->score <= best >> 32
		       ? best
		       : traits_best(candidate->score, scores->relevance);
}

/* Pinned files have a round of their own, before all others. */
static bool
is_file_of_round(const struct plan *plan, uint32_t file_idx)
{
	if (plan->stream.round == ROUND_PINS)
		return catalogue_traits(plan->planner->catalogue, file_idx)
			->is_pinned;
	return !select_bits_has(&plan->set.pinned, file_idx) &&
	       (plan->stream.round < ROUND_FRAME ||
		plan_is_in_overview(plan, file_idx));
}

/* All chunks of a file, as candidates; or the file, by its signatures. */
static void
add_file(struct plan *plan, uint32_t file_idx)
{
	const struct catalogue *catalogue = plan->planner->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	struct rank_candidate whole = { .file_idx = file_idx,
					.chunk_idx = facts->chunk_first,
					.unit = RANK_SIGNATURES };
	uint64_t best = 0;

	if (!is_file_of_round(plan, file_idx))
		return;
	select_scores_file(&plan->scores, file_idx);
	if (plan->stream.round == ROUND_PINS ||
	    plan->stream.round >= ROUND_FILES) {
		plan_add_tiers(plan, file_idx);
		return;
	}
	if (plan->scores.requested == NULL &&
	    plan->stream.round == ROUND_SHARES &&
	    plan->tokens.budget.shares[CATEGORY_TREE] == 0)
		return;
	for (uint32_t c = 0; c < facts->chunk_nr; c++) {
		uint64_t idx = facts->chunk_first + c;
		struct rank_candidate candidate = {
			.file_idx = file_idx,
			.chunk_idx = idx,
			.tokens = catalogue_chunk(catalogue, idx)->tokens,
		};

		if (!plan_by_signatures(plan) && plan_drops(plan, &candidate))
			continue;
		candidate.score = select_scores_chunk(
			&plan->scores, c, &candidate.category, NULL);
		best = best_of(best, &candidate, &plan->scores);
		if (!plan->scores.is_enough)
			continue;
		if (plan_by_signatures(plan))
			keep_best(&whole, &candidate);
		else if (is_of_round(plan, &candidate))
			plan_offer(plan, &candidate);
	}
	if (plan_keeps_window(plan))
		catalogue_traits(catalogue, file_idx)->best = best;
	if (!plan_by_signatures(plan) || whole.tokens == 0)
		return;
	whole.tokens = facts->outline_tokens;
	if (is_of_round(plan, &whole))
		plan_offer(plan, &whole);
}

/* Offers each candidate of the round. */
static int
scan(struct plan *plan)
{
	const struct catalogue *catalogue = plan->planner->catalogue;

	for (uint64_t i = 0;
	     i < plan->planner->file_nr && plan->stream.error == 0; i++) {
		const struct file_facts *facts = catalogue_facts(catalogue, i);

		if (!select_is_usable(facts))
			continue;
		add_file(plan, (uint32_t)i);
	}
	return plan->stream.error;
}

/* ---- window after window ------------------------------------------------ */

/* All that come after the last window. */
static int
sort_rest(struct plan *plan)
{
	int error;

	plan->stream.is_sorting = true;
	error = scan(plan);
	return error != 0 ? error : select_runs_sort(&plan->stream.runs);
}

/* The next of what was sorted; there may be less room by now. */
static void
take_window(struct plan *plan)
{
	struct rank_candidates *window = &plan->stream.window;
	struct rank_candidate candidate;

	while (window->nr < RANK_CANDIDATES &&
	       select_runs_next(&plan->stream.runs, &candidate))
		if (!plan_drops(plan, &candidate) &&
		    !category_drops(plan, &candidate))
			window->heap[window->nr++] = candidate;
	window->passed_over = plan->stream.runs.left;
}

static struct kept_window *
kept_of(const struct plan *plan)
{
	struct kept_window *windows = plan->kept->windows;

	return plan->stream.round == ROUND_FRAME     ? &windows[KEPT_FRAME]
	       : plan->stream.round == ROUND_BREADTH ? &windows[KEPT_BREADTH]
						     : &windows[KEPT_ANY];
}

void
plan_forget_windows(struct select_kept *kept)
{
	for (size_t i = 0; i < KEPT_WINDOWS; i++)
		kept->windows[i].is_kept = false;
}

void
plan_begin_windows(struct plan *plan, enum round round)
{
	plan->stream.round = round;
	plan->stream.window = (struct rank_candidates){
		.heap = kept_of(plan)->candidates,
	};
}

/* If it has been found before, by a scan if not. */
static int
first_window(struct plan *plan)
{
	struct rank_candidates *window = &plan->stream.window;
	struct kept_window *kept = kept_of(plan);
	int error;

	plan->stream.is_kept =
		kept->is_kept && kept->round == plan->stream.round;
	if (plan->stream.is_kept) {
		window->nr = kept->nr;
		window->passed_over = kept->passed_over;
		return 0;
	}
	error = scan(plan);
	rank_candidates_sort(window);
	kept->is_kept = error == 0 && plan_keeps_window(plan);
	kept->round = plan->stream.round;
	kept->nr = window->nr;
	kept->passed_over = window->passed_over;
	return error;
}

int
plan_fill_window(struct plan *plan)
{
	int error = 0;

	rank_candidates_next(&plan->stream.window);
	if (!plan->stream.window.has_floor)
		return first_window(plan);
	kept_of(plan)->is_kept = false;
	if (!plan->stream.is_sorting)
		error = sort_rest(plan);
	if (error == 0)
		take_window(plan);
	return error;
}

void
plan_end_windows(struct plan *plan)
{
	struct rank_candidate candidate;

	/* what has no room in its share wants more of it */
	while (plan->stream.round == ROUND_SHARES &&
	       select_runs_next(&plan->stream.runs, &candidate))
		category_drops(plan, &candidate);
	select_runs_fini(&plan->stream.runs);
	plan->stream.is_sorting = false;
}
