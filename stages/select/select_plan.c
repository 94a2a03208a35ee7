/* SPDX-License-Identifier: MIT */
/*
 * select_plan.c - all chunks of the catalogue, ranked into a plan.
 *
 *   0  all that there is, if it fits: then nothing is ranked
 *      pinned files by rank, in full, before there are shares
 *   1  each category by rank, within its share of the budget
 *   2  what they leave: to the categories by their shares (--balance), then
 *      by rank to all, the tree included; with tiers, file by file
 *   3  if that is known not to be enough: chunks of its edge, one up to a line
 *
 * Does: goes through the rounds, window after window of candidates; takes
 *       what fits.
 * Does not: find the candidates (select_candidates.c); score, sort or share
 *           (the logic files of this folder); write what was taken
 *           (select_write.c).
 * Runs in: select.
 * Invariants:
 * 1. A plan is a pure function of the catalogue and the limit: a replacement
 *    makes the same one.
 * 2. What does not fit is passed over for the next that does.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stages/select/select_plan.h"
#include "stages/select/select_plan_parts.h"
#include "catalogue/kept.h"
#include "catalogue/traits.h"
#include "tokenizer/tokenizer.h"

#define CACHE_LOG2 10 /* entries: the parts of paths, one after the other */
#define CACHE_ALIGNMENT 64
#define WORTH_PART 1000   /* less room than one in so many: full */
#define EDGE_TOKENS 16384 /* its edge can fill so many */

static int
consider(struct plan *plan, const struct rank_candidate *candidate)
{
	switch (plan->stream.round) {
	case ROUND_PINS:
		return plan_consider_pin(plan, candidate);
	case ROUND_FRAME:
		return plan_consider_frame(plan, candidate);
	case ROUND_BREADTH:
		return plan_consider_breadth(plan, candidate);
	case ROUND_DEPTH:
	case ROUND_BEYOND:
		return plan_consider_depth(plan, candidate);
	default:
		break;
	}
	return candidate->unit == RANK_FILE
		       ? plan_consider_file(plan, candidate)
		       : plan_consider(plan, candidate);
}

static bool
is_full(const struct plan *plan)
{
	return plan_unused(plan) <= plan->tokens.budget.available / WORTH_PART;
}

/* All of a window, by rank. */
static int
consider_window(struct plan *plan)
{
	for (size_t i = 0; i < plan->stream.window.nr; i++) {
		int error;

		/* signatures that just fit are of what is worth least */
		if (plan->stream.round == ROUND_BREADTH && is_full(plan)) {
			plan->stream.more_left = true;
			return 0;
		}
		error = consider(plan, &plan->stream.window.heap[i]);

		if (error != 0)
			return error;
	}
	return 0;
}

/* Whether the next window may bring something that the edge would not: that has
 * the best of what is left. Categories have room of their own. */
static bool
is_next_worth_it(const struct plan *plan, size_t taken_before)
{
	if (plan->stream.window.passed_over == 0 || is_full(plan))
		return false;
	return plan_unused(plan) > EDGE_TOKENS ||
	       (plan->stream.round == ROUND_SHARES &&
		plan->set.nr > taken_before);
}

int
plan_fill_round(struct plan *plan, enum round round)
{
	size_t taken;
	int error;

	plan_begin_windows(plan, round);
	plan->stream.more_left = false;
	memset(plan->stream.wants, 0, sizeof(plan->stream.wants));
	do {
		taken = plan->set.nr;
		error = plan_fill_window(plan);
		if (error == 0)
			error = consider_window(plan);
	} while (error == 0 && is_next_worth_it(plan, taken));
	plan->stream.more_left |= plan->stream.window.passed_over > 0;
	plan_end_windows(plan);
	return error;
}

/* ---- everything -------------------------------------------------------- */

static void
free_taken(struct plan *plan)
{
	select_bits_free(&plan->set.files);
	select_bits_free(&plan->set.signs);
	select_bits_free(&plan->set.chunks);
	select_bits_free(&plan->set.signature_lines);
}

/* Nothing is taken, as before. */
static void
clear(struct plan *plan, const struct rank_budget *before)
{
	plan->tokens.budget = *before;
	plan->set.contents = (struct content_set){ 0 };
	free_taken(plan);
	plan->set.nr = 0;
	plan->stream.more_left = false;
}

/* Each chunk of a file, in its place. */
static int
take_file(struct plan *plan, uint32_t file_idx)
{
	const struct catalogue *catalogue = plan->planner->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	int error = 0;

	for (uint32_t c = 0; c < facts->chunk_nr && error == 0; c++) {
		uint64_t idx = facts->chunk_first + c;
		const struct rank_candidate candidate = {
			.score = SCORE_NONE,
			.file_idx = file_idx,
			.chunk_idx = idx,
			.tokens = catalogue_chunk(catalogue, idx)->tokens,
		};

		if (candidate.tokens == 0)
			continue;
		plan->has_duplicates |= plan_has(plan, &candidate);
		error = plan_consider(plan, &candidate);
		if (plan->stream.more_left)
			break;
	}
	return error;
}

/*
 * All that there is, if there is room for it: 1; 0 if not, and nothing is
 * taken. That there is not is found out when the room is used up. Where
 * contents are there twice, ranks say which is taken: 0.
 */
static int
take_all(struct plan *plan)
{
	const struct rank_budget before = plan->tokens.budget;
	int error = 0;

	for (uint64_t i = 0; i < plan->planner->file_nr && error == 0; i++) {
		const struct file_facts *facts =
			catalogue_facts(plan->planner->catalogue, i);

		if (select_is_usable(facts))
			error = take_file(plan, (uint32_t)i);
		if (plan->stream.more_left) {
			plan->has_duplicates = false;
			clear(plan, &before);
			return error;
		}
	}
	if (error == 0 && plan->has_duplicates) {
		clear(plan, &before);
		return 0;
	}
	return error != 0 ? error : 1;
}

/* ---- nothing ------------------------------------------------------------ */

/* Chunks that nothing is left of, side by side: how many from there on. */
static uint32_t
empty_from(const struct plan *plan, const struct file_facts *facts,
	   uint32_t ordinal)
{
	const struct catalogue *catalogue = plan->planner->catalogue;
	uint32_t end = ordinal;

	while (end < facts->chunk_nr &&
	       catalogue_chunk(catalogue, facts->chunk_first + end)->tokens ==
		       0)
		end++;
	return end - ordinal;
}

static bool
is_in_full(const struct plan *plan, uint64_t chunk_idx)
{
	return select_bits_has(&plan->set.chunks, chunk_idx) &&
	       (plan->set.truncated.lines == 0 ||
		plan->set.truncated.chunk_idx != chunk_idx);
}

static int
join_empty_of(struct plan *plan, uint32_t file_idx)
{
	const struct catalogue *catalogue = plan->planner->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	const struct source_file *requested = plan_requested_of(plan, file_idx);

	for (uint32_t c = 0, nr; c < facts->chunk_nr; c += nr + 1) {
		uint64_t idx = facts->chunk_first + c;

		nr = empty_from(plan, facts, c);
		if (nr == 0 ||
		    !((c > 0 && is_in_full(plan, idx - 1)) ||
		      (c + nr < facts->chunk_nr &&
		       select_bits_has(&plan->set.chunks, idx + nr))))
			continue;
		for (uint64_t i = idx; i < idx + nr; i++) {
			if (plan_is_not_requested(
				    plan, requested,
				    catalogue_chunk(catalogue, i)))
				continue;
			if (select_bits_set(&plan->set.chunks, i) != 0)
				return -ENOMEM;
			plan->set.nr++;
		}
	}
	return 0;
}

/*
 * Comments that are left out cost nothing and are no candidates: they go with
 * what stands beside them, or a mark would say that lines are missing.
 */
static int
join_empty(struct plan *plan)
{
	int error = 0;

	if (plan->planner->job->strip_comments)
		for (uint64_t i = 0; i < plan->set.files.nr && error == 0; i++)
			if (select_bits_has(&plan->set.files, i))
				error = join_empty_of(plan, (uint32_t)i);
	return error;
}

/* ---- the whole --------------------------------------------------------- */

/* What the shares leave, by rank. */
static int
fill_by_rank(struct plan *plan)
{
	const struct job *job = plan->planner->job;
	bool has_sources = job->sources.file_nr > 0;

	return plan_fill_round(plan, has_sources && job->no_redistribute
					     ? ROUND_TREE
					     : ROUND_ALL);
}

int
plan_fill_sections(struct plan *plan, enum round round)
{
	int error = plan_fill_round(plan, round);

	if (error == 0 && plan_drop_needless(plan) > 0)
		error = plan_fill_round(plan, round);
	plan_drop_needless(plan);
	return error;
}

/* Sections of files that are not in full; then of those for the end. */
static int
fill_all_sections(struct plan *plan)
{
	int error = 0;

	if (plan->stream.more_left && plan_has_room(plan))
		error = plan_fill_sections(plan, ROUND_SECTIONS);
	if (error != 0 || !plan->rest_left)
		return error;
	/* there is nothing else left */
	if (plan_has_room(plan) && !plan->stream.more_left)
		return plan_fill_sections(plan, ROUND_REST);
	plan->stream.more_left = true;
	return 0;
}

/* The same, file by file: select_tier.c. */
static int
fill_tiers(struct plan *plan)
{
	int error = plan_fill_round(plan, ROUND_FILES);

	return error != 0 ? error : fill_all_sections(plan);
}

/* Pinned files; what they leave is what is shared. */
static int
fill_pins(struct plan *plan)
{
	const struct job *job = plan->planner->job;
	uint64_t shared = plan->tokens.budget.available - plan->tokens.beyond;
	int error;

	if (job->pin_nr == 0)
		return 0;
	error = plan_fill_round(plan, ROUND_PINS);
	/* nothing left: shares of nothing are nobody's */
	if (error != 0 || job->sources.file_nr == 0)
		return error;
	if (plan->tokens.budget.used < shared) {
		plan->tokens.pinned = plan->tokens.budget.used;
		rank_budget_init(&plan->tokens.budget,
				 shared - plan->tokens.budget.used,
				 job->shares);
	} else {
		plan->tokens.beyond = 0;
	}
	return 0;
}

/* A share that nothing is asked for in holds nobody back. */
static void
release_not_requested(struct plan *plan)
{
	const struct sources *sources = &plan->planner->job->sources;
	bool is_requested[CATEGORY_NR] = { [CATEGORY_TREE] = true };

	for (uint32_t i = 0; i < sources->request_nr; i++)
		is_requested[sources->requests[i].category] = true;
	for (uint8_t i = 0; i < CATEGORY_NR; i++)
		if (!is_requested[i])
			rank_budget_release(&plan->tokens.budget, i);
}

/* Shares first, if anything is asked for; then what they leave. */
static int
fill_plan(struct plan *plan)
{
	const struct job *job = plan->planner->job;
	bool has_sources = job->sources.file_nr > 0;
	int error = 0;

	plan_find_min_chunks(plan);
	error = fill_pins(plan);
	if (has_sources && !job->no_redistribute)
		release_not_requested(plan);
	if (error == 0 && has_sources)
		error = plan_fill_round(plan, ROUND_SHARES);
	while (error == 0 && has_sources && job->balance &&
	       !job->no_redistribute &&
	       rank_budget_balance(&plan->tokens.budget, plan->stream.wants))
		error = plan_fill_round(plan, ROUND_SHARES);
	if (error != 0)
		return error;
	rank_budget_add(&plan->tokens.budget, plan->tokens.beyond);
	rank_budget_redistribute(&plan->tokens.budget);
	/* all fits, but for what is there twice: no tiers */
	plan->by_tiers = job->tiers && !plan->has_duplicates;
	if (plan->by_tiers && job->is_broad)
		return plan_fill_overview(plan);
	return plan->by_tiers ? fill_tiers(plan) : fill_by_rank(plan);
}

int
plan_make_scores(struct planner *planner)
{
	struct select_kept *kept = planner->kept;

	if (!kept->has_scores &&
	    select_scores_init(&kept->scores, planner) != 0)
		return -ENOMEM;
	kept->has_scores = true;
	return 0;
}

/* Which of the files of the same content is a candidate. */
static int
find_duplicates(struct plan *plan)
{
	struct select_kept *kept = plan->kept;
	int error = 0;

	if (kept->knows_duplicates || !plan->planner->job->drops_duplicates)
		return 0;
	if (select_has_duplicates(plan->planner)) {
		error = plan_make_scores(plan->planner);
		if (error == 0) {
			select_find_duplicates(&kept->scores);
			select_link_copies(plan->planner);
		}
	}
	kept->knows_duplicates = error == 0;
	return error;
}

/*
 * Whether all there is may fit, as far as that can be said without ranks. What
 * sources ask for is little.
 */
static bool
may_hold_all(struct plan *plan)
{
	const struct job *job = plan->planner->job;
	uint64_t sum = 0;

	/* a category has its share and no more, whatever the others leave */
	if (job->sources.file_nr > 0 && job->no_redistribute)
		return false;
	for (uint64_t i = 0;
	     plan_takes_tree(plan) && i < plan->planner->file_nr; i++) {
		const struct file_facts *facts =
			catalogue_facts(plan->planner->catalogue, i);

		if (select_is_usable(facts))
			sum = add_sat_u64(sum, job->compress
						       ? facts->outline_tokens
						       : facts->tokens);
		if (sum > plan->tokens.budget.available)
			return false;
	}
	return true;
}

/* What fits is not ranked, unless somebody wants to know how it would be. */
static int
rank(struct plan *plan)
{
	const struct job *job = plan->planner->job;
	/* of all that would fit, not all may be wanted */
	bool is_requested =
		job->compress || job->sources.file_nr > 0 || job->enough;
	int result = find_duplicates(plan);

	if (result < 0)
		return result;
	if (!is_requested && !plan->kept->is_too_large)
		result = take_all(plan);
	if (result < 0 || (result > 0 && !job->wants_scores))
		return result < 0 ? result : 0;
	if (plan->is_trial && result == 0 &&
	    !(is_requested ? may_hold_all(plan) : plan->has_duplicates)) {
		plan->kept->is_too_large = true;
		plan->stream.more_left = true;
		return 0;
	}
	if (plan_make_scores(plan->planner) != 0)
		return -ENOMEM;
	plan->scores = plan->kept->scores;
	plan->is_scored = true;
	return result > 0 ? 0 : fill_plan(plan);
}

/*
 * A limit of nothing holds nothing. Shares are of what there is: a limit that
 * is higher, as the output was less than was thought, is not shared.
 */
static void
share_out(struct plan *plan, uint64_t limit)
{
	static const uint32_t none[CATEGORY_NR] = { 0 };
	const struct job *job = plan->planner->job;
	uint64_t frame = select_cost_frame(&plan->cost);
	uint64_t shared =
		min_u64(limit, budget_counted_tokens(job->available_tokens,
						     job->margin_percent));

	if (limit <= frame)
		return;
	if (job->sources.file_nr > 0 && shared > frame)
		plan->tokens.beyond = limit - shared;
	/* before there are shares, all of it is for what is pinned */
	if (job->sources.file_nr == 0 || job->pin_nr > 0)
		rank_budget_init(&plan->tokens.budget, limit - frame, none);
	else
		rank_budget_init(&plan->tokens.budget,
				 limit - plan->tokens.beyond - frame,
				 job->shares);
}

struct planner *
select_planner_create(const struct planner *of)
{
	struct {
		struct planner planner;
		struct select_kept kept;
	} *all = calloc(1, sizeof(*all) + CACHE_ALIGNMENT +
				   tokenizer_cache_bytes(CACHE_LOG2));
	uintptr_t cache = (uintptr_t)(all + 1);

	if (all == NULL)
		return NULL;
	all->planner = *of;
	all->planner.kept = &all->kept;
	/* its own: a planner may write nothing that others count with */
	cache = round_up_u64(cache, CACHE_ALIGNMENT);
	all->planner.cache = tokenizer_cache_init((void *)cache, CACHE_LOG2);
	return &all->planner;
}

void
select_plan_forget(struct planner *planner)
{
	struct select_kept *kept = planner->kept;

	*planner->outline_scale = (struct outline_scale){ 0 };
	if (kept->has_scores)
		select_scores_fini(&kept->scores);
	kept->has_scores = false;
	kept->knows_duplicates = false;
	kept->has_preamble = false;
	plan_forget_windows(kept);
}

/* The sum of a file, where nothing of it is estimated any more. */
static void
add_up(const struct catalogue *catalogue, uint32_t file_idx)
{
	struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	uint64_t tokens = 0;

	for (uint32_t c = 0; c < facts->chunk_nr; c++) {
		const struct chunk_record *chunk =
			catalogue_chunk(catalogue, facts->chunk_first + c);

		if (chunk->is_estimated)
			return;
		tokens = add_sat_u64(tokens, chunk->tokens);
	}
	facts->tokens = tokens;
}

/* Chunks that the next plan begins with are as they were, but for the tokens of
 * those that are counted now. */
static void
count_window(const struct planner *planner, struct kept_window *kept,
	     const struct select_bits *counted)
{
	for (size_t i = 0; kept->is_kept && i < kept->nr; i++) {
		struct rank_candidate *candidate = &kept->candidates[i];

		if (candidate->unit != RANK_CHUNK ||
		    !select_bits_has(counted, candidate->chunk_idx))
			continue;
		candidate->tokens = catalogue_chunk(planner->catalogue,
						    candidate->chunk_idx)
					    ->tokens;
	}
}

int64_t
select_plan_parts(struct planner *planner)
{
	const struct catalogue *catalogue = planner->catalogue;
	uint32_t last = FILE_NONE; /* that has signatures */
	int64_t tokens = 0;

	for (uint64_t i = 0; i < planner->plan_nr; i++) {
		const struct plan_entry *entry = catalogue_plan(catalogue, i);
		const uint64_t kept = catalogue_kept(catalogue, i)->tokens;
		uint32_t file_idx =
			catalogue_chunk(catalogue, entry->chunk_idx)->file_idx;
		bool is_signs = entry->tier == TIER_SIGNATURES;
		struct file_traits *traits;

		if (!is_signs && entry->kept_lines == 0)
			continue;
		tokens += (int64_t)kept;
		if (!is_signs && file_idx == last)
			continue;
		traits = catalogue_traits(catalogue, file_idx);
		traits->part_tokens =
			1 +
			(uint32_t)min_u64(
				kept + (is_signs ? traits->saved_tokens : 0),
				UINT32_MAX - 1);
		traits->part_lines = entry->kept_lines;
		last = file_idx;
	}
	return tokens;
}

void
select_plan_counted(struct planner *planner)
{
	const struct catalogue *catalogue = planner->catalogue;
	struct select_bits counted = { 0 };
	uint32_t last = FILE_NONE;

	for (uint64_t i = 0; i < planner->plan_nr; i++) {
		uint64_t chunk = catalogue_plan(catalogue, i)->chunk_idx;
		uint32_t file = catalogue_chunk(catalogue, chunk)->file_idx;

		if (file != last)
			add_up(catalogue, file);
		last = file;
		if (select_bits_set(&counted, chunk) != 0)
			plan_forget_windows(planner->kept);
	}
	for (size_t i = 0; i < KEPT_WINDOWS; i++)
		count_window(planner, &planner->kept->windows[i], &counted);
	select_bits_free(&counted);
}

/* Whether an entry is a chunk in full whose tokens are estimated. */
static bool
is_estimated(const struct catalogue *catalogue, const struct plan_entry *entry)
{
	return entry->tier == TIER_FULL &&
	       (entry->kept_lines == 0 || entry->kept_lines == KEPT_MEASURED) &&
	       catalogue_chunk(catalogue, entry->chunk_idx)->is_estimated;
}

static bool
has_estimates(const struct planner *planner)
{
	for (uint64_t i = 0; i < planner->plan_nr; i++)
		if (is_estimated(planner->catalogue,
				 catalogue_plan(planner->catalogue, i)))
			return true;
	return false;
}

void
select_plan_keep_estimated(struct planner *planner)
{
	const struct catalogue *catalogue = planner->catalogue;
	uint32_t last = FILE_NONE;
	uint64_t nr = 0;

	planner->section_nr = 0;
	for (uint64_t i = 0; i < planner->plan_nr; i++) {
		const struct plan_entry entry = *catalogue_plan(catalogue, i);
		uint32_t file =
			catalogue_chunk(catalogue, entry.chunk_idx)->file_idx;

		if (!is_estimated(catalogue, &entry))
			continue;
		*catalogue_plan(catalogue, nr) = entry;
		/* sections in the order of their files */
		if (file != last)
			catalogue_plan(catalogue, planner->section_nr++)->turn =
				(uint32_t)nr;
		last = file;
		nr++;
	}
	planner->plan_nr = nr;
}

/* What is around it and what is pinned counts as well. */
static uint64_t
planned(struct plan *plan)
{
	return plan->tokens.budget.used + plan->tokens.pinned +
	       select_cost_frame(&plan->cost);
}

/*
 * One plan, from nothing. A trial, of so many tokens, is to hold all that there
 * is, or it is not written.
 */
static int
make_plan(struct planner *planner, const struct plan_target *aim,
	  uint64_t trial, struct plan_result *made)
{
	struct plan *plan = calloc(1, sizeof(*plan));
	int error;

	if (plan == NULL)
		return -ENOMEM;
	plan->planner = planner;
	plan->kept = planner->kept;
	plan->stream.runs =
		(struct select_runs){ .table = &planner->catalogue->runs,
				      .reserve = planner->reserve };
	plan->is_trial = trial > 0;
	select_cost_init(&plan->cost, planner);
	plan_begin_preamble(plan);
	share_out(plan, trial > 0 ? trial : aim->limit);
	error = rank(plan);
	*made = (struct plan_result){ .planned = planned(plan),
				      .is_all = trial > 0 };
	if (error == 0 && aim->edges != RANK_EDGES_NONE && plan->is_scored)
		error = plan_take_edge(plan, aim, made);
	if (error == 0 && !(trial > 0 && plan->stream.more_left))
		error = join_empty(plan);
	if (error == 0 && !(trial > 0 && plan->stream.more_left)) {
		error = plan_write(plan);
		if (error == 0)
			error = plan_write_preamble(plan);
		if (plan->overview.breadth > 0)
			made->parts = plan->overview.parts;
		made->has_estimates = error == 0 && has_estimates(planner);
	}
	made->more_left = plan->stream.more_left || plan->outlines_left;
	made->is_empty = plan->set.nr == 0;
	free_taken(plan);
	select_bits_free(&plan->set.measured);
	select_bits_free(&plan->set.pinned);
	free(plan->overview.tokens);
	free(plan);
	return error;
}

int
select_make_plan(struct planner *planner, const struct plan_target *aim,
		 uint64_t all, struct plan_result *made)
{
	struct select_kept *kept = planner->kept;
	int error;

	kept->is_too_large = false;
	if (all > aim->limit) {
		error = make_plan(planner, aim, all, made);
		if (error != 0 || !made->more_left)
			return error;
	}
	return make_plan(planner, aim, 0, made);
}
