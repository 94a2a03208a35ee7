/* SPDX-License-Identifier: MIT */
/*
 * select_tier.c - files in full, by their signatures, or in part.
 *
 *   1  by rank: a file in full, if there is room for all of it; or else its
 *      signatures. A large file: its signatures; with few points: nothing
 *   2  what is left: chunks of files that are not in full, those of the
 *      better file first, and of a file in the order of section.h
 *   3  what is still left: chunks of the large files with few points
 *
 * Runs in: select.
 */
#include "stages/select/select_plan_parts.h"
#include "rank/section.h"
#include "catalogue/names.h"

#define LARGE_TOKENS 8000 /* a file with more comes in sections */
#define LARGE_POINTS 30   /* a large one with less is left for the end */

/* Names of a file, gone through beside its chunks. */
struct names_cursor {
	const struct names *names;
	const struct name_entry *entry; /* the next one; NULL: no more */
	uint32_t at;
	bool markers; /* of these, or of definitions */
};

static void
next_name(struct names_cursor *cursor)
{
	bool is_marker;

	do {
		cursor->entry = names_next(cursor->names, &cursor->at);
		if (cursor->entry == NULL)
			return;
		is_marker = cursor->entry->type == NAME_MARKER;
	} while (is_marker != cursor->markers ||
		 (!is_marker && cursor->entry->type != NAME_DEF));
}

static struct names_cursor
names_cursor(const struct names *names, bool markers)
{
	struct names_cursor cursor = { .names = names, .markers = markers };

	if (names != NULL)
		next_name(&cursor);
	return cursor;
}

/* Adds up what begins before a line. */
static void
count_names(struct names_cursor *cursor, uint64_t line_end,
	    struct rank_section *section)
{
	while (cursor->entry != NULL && cursor->entry->line < line_end) {
		section->marker_nr += cursor->markers;
		section->def_nr += !cursor->markers;
		section->export_nr += !cursor->markers &&
				      (cursor->entry->flags & NAME_EXPORTED);
		next_name(cursor);
	}
}

static bool
is_large(const struct file_facts *facts)
{
	return facts->tokens > LARGE_TOKENS;
}

/* Too large for the few points that it has. */
static bool
is_for_the_end(const struct plan *plan, const struct file_facts *facts)
{
	return is_large(facts) && plan->scores.points.sum < LARGE_POINTS &&
	       plan->scores.requested == NULL;
}

void
plan_add_sections(struct plan *plan, uint32_t file_idx,
		  const struct file_facts *facts)
{
	const struct catalogue *catalogue = plan->planner->catalogue;
	const struct names *names = catalogue_names(catalogue, facts);
	struct names_cursor defs = names_cursor(names, false);
	struct names_cursor markers = names_cursor(names, true);
	bool has_branches =
		file_has_branches(catalogue_file(catalogue, file_idx));
	uint8_t order = RANK_ORDER_REST;

	/* all of it had no room, so its only chunk has none; with another
	 * limit it may */
	if (facts->chunk_nr == 1 && plan->stream.round < ROUND_FRAME &&
	    select_bits_has(&plan->set.signs, file_idx)) {
		plan->outlines_left = true;
		return;
	}
	for (uint32_t c = 0; c < facts->chunk_nr; c++) {
		uint64_t idx = facts->chunk_first + c;
		const struct chunk_record *chunk =
			catalogue_chunk(catalogue, idx);
		uint64_t end = chunk->line_first + max_u64(chunk->line_nr, 1);
		struct rank_section section = {
			.branch_nr = has_branches ? chunk->branches : 0,
		};
		struct rank_candidate candidate = {
			.file_idx = file_idx,
			.chunk_idx = idx,
			.tokens = chunk->tokens,
		};

		count_names(&defs, end, &section);
		count_names(&markers, end, &section);
		order = rank_section_order(&section, order);
		if (chunk->tokens == 0 ||
		    (select_bits_has(&plan->set.chunks, idx) &&
		     !plan_keeps_window(plan)))
			continue;
		if (plan_drops(plan, &candidate))
			continue;
		candidate.order = order;
		candidate.score = plan_section_score(
			plan, &candidate,
			select_scores_chunk(&plan->scores, c,
					    &candidate.category, NULL));
		if (plan->scores.is_enough &&
		    plan_may_have(plan, candidate.category))
			plan_offer(plan, &candidate);
	}
}

/* Tokens that a file takes at least, as plan_consider_file() takes it. */
static uint32_t
least_of(const struct plan *plan, const struct file_facts *facts)
{
	if (plan->stream.round == ROUND_PINS)
		return 1;
	if (facts->outline_tokens > 0 && facts->outline_tokens < facts->tokens)
		return facts->outline_tokens;
	return is_large(facts) ? UINT32_MAX : (uint32_t)facts->tokens;
}

/* The file as a whole: as good as the best of its chunks. */
static void
add_whole(struct plan *plan, uint32_t file_idx, const struct file_facts *facts)
{
	struct rank_candidate whole = { .file_idx = file_idx,
					.chunk_idx = facts->chunk_first,
					.tokens = least_of(plan, facts),
					.unit = RANK_FILE };

	bool is_enough = plan->stream.round == ROUND_PINS;

	if (plan_drops(plan, &whole))
		return;
	for (uint32_t c = 0; c < facts->chunk_nr; c++) {
		uint8_t category;
		uint32_t score =
			select_scores_chunk(&plan->scores, c, &category, NULL);

		whole.score = score > whole.score ? score : whole.score;
		whole.category = category;
		is_enough |= plan->scores.is_enough;
		if (plan->scores.query == NULL)
			break; /* all of a file have the same */
	}
	if (is_enough)
		plan_offer(plan, &whole);
}

void
plan_add_tiers(struct plan *plan, uint32_t file_idx)
{
	const struct file_facts *facts =
		catalogue_facts(plan->planner->catalogue, file_idx);
	bool for_the_end = is_for_the_end(plan, facts);

	if (plan->stream.round == ROUND_PINS) {
		add_whole(plan, file_idx, facts);
		return;
	}
	if (plan->stream.round >= ROUND_FRAME) {
		plan_add_overview(plan, file_idx);
		return;
	}
	if (plan->stream.round == ROUND_REST) {
		if (for_the_end)
			plan_add_sections(plan, file_idx, facts);
		return;
	}
	if (for_the_end) {
		plan->rest_left = true;
		return;
	}
	/* what is asked for is asked for by lines, and was by its share */
	if (plan->stream.round == ROUND_SECTIONS ||
	    plan->scores.requested != NULL)
		plan_add_sections(plan, file_idx, facts);
	else
		add_whole(plan, file_idx, facts);
}

/* ---- one file ---------------------------------------------------------- */

struct rank_candidate
plan_chunk_of(const struct plan *plan, const struct rank_candidate *file,
	      uint32_t ordinal)
{
	struct rank_candidate chunk = *file;

	chunk.unit = RANK_CHUNK;
	chunk.chunk_idx = file->chunk_idx + ordinal;
	chunk.tokens =
		catalogue_chunk(plan->planner->catalogue, chunk.chunk_idx)
			->tokens;
	return chunk;
}

/* What all of it would cost, but what is in already; no more than `room` is
 * said for sure. */
static uint64_t
cost_in_full(struct plan *plan, const struct rank_candidate *file,
	     uint32_t chunk_nr, uint64_t room)
{
	const struct select_part part = {
		.file_idx = file->file_idx,
		.lines.first = 1,
		.lines.last = catalogue_facts(plan->planner->catalogue,
					      file->file_idx)
				      ->line_nr,
	};
	struct select_part gap = { .file_idx = file->file_idx };
	uint64_t cost = select_cost_section(&plan->cost, &part);
	bool before = false;

	for (uint32_t c = 0; c < chunk_nr && cost <= room; c++) {
		const struct rank_candidate chunk =
			plan_chunk_of(plan, file, c);
		bool is_in = plan_has(plan, &chunk);

		if (!is_in)
			cost += chunk.tokens;
		/* a mark for what is elsewhere */
		if (is_in && !before) {
			gap.lines.first =
				catalogue_chunk(plan->planner->catalogue,
						chunk.chunk_idx)
					->line_first;
			cost += select_cost_gap(&plan->cost, &gap);
		}
		before = is_in;
	}
	return cost;
}

bool
plan_takes_in_full(struct plan *plan, const struct rank_candidate *file)
{
	const struct file_facts *facts =
		catalogue_facts(plan->planner->catalogue, file->file_idx);
	uint64_t room = rank_budget_left(&plan->tokens.budget, file->category);

	return facts->tokens <= room &&
	       cost_in_full(plan, file, facts->chunk_nr, room) <= room;
}

int
plan_take_in_full(struct plan *plan, const struct rank_candidate *file)
{
	uint32_t chunk_nr =
		catalogue_facts(plan->planner->catalogue, file->file_idx)
			->chunk_nr;
	int error = 0;

	for (uint32_t c = 0; c < chunk_nr && error == 0; c++) {
		const struct rank_candidate chunk =
			plan_chunk_of(plan, file, c);

		if (chunk.tokens > 0)
			error = plan_consider(plan, &chunk);
	}
	return error;
}

/*
 * All of its chunks, also those whose content is in already: who pins a file
 * wants to see it. Each is ranked by itself when the plan is explained.
 */
int
plan_consider_pin(struct plan *plan, const struct rank_candidate *file)
{
	const struct file_facts *facts =
		catalogue_facts(plan->planner->catalogue, file->file_idx);
	const struct select_part part = { .file_idx = file->file_idx,
					  .lines.first = 1,
					  .lines.last = facts->line_nr };
	uint64_t room = plan_unused(plan);
	int error = 0;

	if (facts->tokens > room ||
	    facts->tokens + select_cost_section(&plan->cost, &part) > room)
		return 0;
	for (uint32_t c = 0; c < facts->chunk_nr && error == 0; c++) {
		struct rank_candidate chunk = plan_chunk_of(plan, file, c);
		uint64_t cost;

		chunk.score = SCORE_NONE;
		if (chunk.tokens == 0)
			continue;
		/* what its header says may cost a token more than was thought */
		cost = min_u64(plan_cost(plan, &chunk, UINT64_MAX),
			       plan_unused(plan));
		error = plan_know(plan, &chunk);
		if (error >= 0)
			error = plan_take(plan, &chunk, cost);
	}
	return error != 0 ? error
			  : select_bits_set(&plan->set.pinned, file->file_idx);
}

int
plan_consider_file(struct plan *plan, const struct rank_candidate *file)
{
	const struct file_facts *facts =
		catalogue_facts(plan->planner->catalogue, file->file_idx);
	struct rank_candidate signatures = *file;

	if (!is_large(facts) && plan_takes_in_full(plan, file))
		return plan_take_in_full(plan, file);
	plan->stream.more_left = true;
	signatures.unit = RANK_SIGNATURES;
	signatures.tokens = facts->outline_tokens;
	/* no shorter than its text: that is for the next round */
	if (facts->outline_tokens == 0 ||
	    facts->outline_tokens >= facts->tokens)
		return 0;
	return plan_consider(plan, &signatures);
}

/* Whether each of its chunks is in the plan. */
static bool
is_whole(const struct plan *plan, uint32_t file_idx)
{
	const struct file_facts *facts =
		catalogue_facts(plan->planner->catalogue, file_idx);

	for (uint32_t c = 0; c < facts->chunk_nr; c++)
		if (!select_bits_has(&plan->set.chunks, facts->chunk_first + c))
			return false;
	return true;
}

/* Takes the signatures of a file back, that were taken by their rank. */
static void
drop_signatures(struct plan *plan, uint32_t file_idx)
{
	const struct file_facts *facts =
		catalogue_facts(plan->planner->catalogue, file_idx);
	struct rank_candidate candidate = {
		.file_idx = file_idx,
		.chunk_idx = facts->chunk_first,
		.category = CATEGORY_TREE, /* none that is asked for */
		.unit = RANK_SIGNATURES,
	};

	select_bits_clear(&plan->set.signs, file_idx);
	/* what is around them: its chunks have been cheaper by the rest */
	rank_budget_give_back(&plan->tokens.budget, candidate.category,
			      plan_cost(plan, &candidate, UINT64_MAX));
	plan->set.nr--;
}

size_t
plan_drop_needless(struct plan *plan)
{
	size_t nr = plan->set.nr;

	if (plan_by_signatures(plan))
		return 0;
	for (uint64_t i = 0; i < plan->set.signs.nr; i++) {
		if (!select_bits_has(&plan->set.signs, i) ||
		    !is_whole(plan, (uint32_t)i))
			continue;
		drop_signatures(plan, (uint32_t)i);
	}
	return nr - plan->set.nr;
}
