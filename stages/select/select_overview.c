/* SPDX-License-Identifier: MIT */
/*
 * select_overview.c - the plan of an overview, where nothing says what it is
 *                     for.
 *
 *   1  the frame: README and build manifests at the top, their beginnings
 *   2  breadth: signatures of files of code, the best first; a short file in
 *      full
 *   3  depth: chunks of them, the hottest for their tokens first
 *   4  if all of that is in: chunks of texts, then of tests and the like
 *
 * Does: offers the candidates of these rounds; takes them.
 * Does not: say how much of each (rank/overview.h).
 * Runs in: select.
 * Invariants:
 * 1. No file has more than overview_file_tokens() as long as others are left
 *    that have less.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stages/select/select_plan_parts.h"
#include "rank/heat.h"
#include "rank/kind.h"
#include "rank/overview.h"
#include "rank/priority.h"
#include "rank/section.h"
#include "catalogue/files.h"
#include "catalogue/history.h"
#include "catalogue/names.h"
#include "catalogue/traits.h"

/* Whole signatures do not fill their room: so many thousandths of it are unused,
 * divided by the root of its lines. */
#define PICKED_UNUSED 200
#define TOKENS_MIN 4096 /* files that there is room for, at first */

/* ---- tokens of each file ------------------------------------------------ */

static uint64_t
tokens_of(const struct plan *plan, uint32_t file_idx)
{
	const struct plan_overview *overview = &plan->overview;

	return file_idx < overview->tokens_nr ? overview->tokens[file_idx] : 0;
}

static int
add_tokens(struct plan *plan, uint32_t file_idx, uint64_t tokens)
{
	struct plan_overview *overview = &plan->overview;

	if (file_idx >= overview->tokens_nr) {
		size_t nr = max_u64(overview->tokens_nr, TOKENS_MIN);
		uint32_t *all;

		while (nr <= file_idx)
			nr *= 2;
		all = realloc(overview->tokens, nr * sizeof(*all));
		if (all == NULL)
			return -ENOMEM;
		memset(all + overview->tokens_nr, 0,
		       (nr - overview->tokens_nr) * sizeof(*all));
		overview->tokens = all;
		overview->tokens_nr = nr;
	}
	overview->tokens[file_idx] = (uint32_t)min_u64(
		overview->tokens[file_idx] + tokens, UINT32_MAX);
	return 0;
}

/* ---- candidates --------------------------------------------------------- */

static const struct file_traits *
traits_of(const struct plan *plan, uint32_t file_idx)
{
	return catalogue_traits(plan->planner->catalogue, file_idx);
}

/* A root is a directory of its own. */
uint32_t
plan_frame_place(const struct plan *plan, uint32_t file_idx)
{
	const struct catalogue *catalogue = plan->planner->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	const struct file_traits *traits = traits_of(plan, file_idx);

	if (!plan->planner->job->is_broad ||
	    !(traits->kinds & RANK_KIND_FRAME) ||
	    traits->class == RANK_CLASS_ASIDE ||
	    memchr(catalogue_path(catalogue, file) + file->root_bytes, '/',
		   file->path_bytes - file->root_bytes) != NULL)
		return 0;
	return traits->kinds & RANK_KIND_CONFIG ? 1 : 2;
}

static void
add_frame(struct plan *plan, uint32_t file_idx, const struct file_facts *facts)
{
	uint32_t place = plan_frame_place(plan, file_idx);
	struct rank_candidate whole = { .file_idx = file_idx,
					.chunk_idx = facts->chunk_first,
					.tokens = 1,
					.unit = RANK_FILE };

	whole.score =
		select_scores_chunk(&plan->scores, 0, &whole.category, NULL) +
		place * SCORE_MAX;
	plan_offer(plan, &whole);
}

/* Relevance, of the best of its class. */
static uint32_t
relevance_of(const struct plan *plan)
{
	return rank_relevance_share(plan->scores.about.relevance);
}

static bool
has_history(const struct plan *plan)
{
	return plan->scores.heat_max > 0;
}

/* Tokens of the breadth that a file may have. */
static uint64_t
share_of(const struct plan *plan)
{
	return overview_outline_tokens(plan->overview.breadth,
				       relevance_of(plan), plan->overview.scale,
				       has_history(plan));
}

/* What so many lines of signatures are thought to cost. */
static uint32_t
picked_tokens(uint32_t outline_tokens, uint32_t outline_lines, uint64_t lines)
{
	uint64_t unused = PICKED_UNUSED * 16 / heat_root(lines * 256);

	return (uint32_t)scale_u64(
		scale_u64(outline_tokens, lines, outline_lines), 1000 - unused,
		1000);
}

/* The lines of its signatures that a file has; 0: all. What they are thought to
 * cost, in *tokens. */
static uint32_t
outline_lines(const struct plan *plan, uint32_t file_idx, uint32_t *tokens)
{
	const struct catalogue *catalogue = plan->planner->catalogue;
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	const struct names *names = catalogue_names(catalogue, facts);
	uint64_t most = share_of(plan);
	uint64_t lines;

	*tokens = facts->outline_tokens;
	if (plan->overview.breadth == 0 || names == NULL)
		return 0;
	if (most >= facts->outline_tokens)
		return 0;
	lines = max_u64(
		scale_u64(names->outline_lines, most, facts->outline_tokens),
		1);
	if (lines >= names->outline_lines)
		return 0;
	*tokens = picked_tokens(facts->outline_tokens, names->outline_lines,
				lines);
	return (uint32_t)lines;
}

/* Tokens of so many lines of a file, as an output had such a part of it, or else as
 * they are thought. */
static uint32_t
counted_or(const struct file_traits *traits, uint32_t lines, uint32_t thought)
{
	if (traits->part_tokens == 0 ||
	    (lines == 0) != (traits->part_lines == 0))
		return thought;
	return lines == 0 ? traits->part_tokens - 1
			  : (uint32_t)scale_u64(traits->part_tokens - 1, lines,
						traits->part_lines);
}

struct plan_signatures
plan_signatures(const struct plan *plan, uint32_t file_idx)
{
	const struct file_traits *traits = traits_of(plan, file_idx);
	struct plan_signatures signatures = { 0 };

	signatures.lines = outline_lines(plan, file_idx, &signatures.thought);
	signatures.tokens = plan->overview.breadth == 0
				    ? signatures.thought
				    : counted_or(traits, signatures.lines,
						 signatures.thought);
	return signatures;
}

/* What defines nothing has no signatures, but first lines or imports. */
static bool
has_definitions(const struct plan *plan, const struct file_facts *facts)
{
	const struct names *names =
		catalogue_names(plan->planner->catalogue, facts);

	return names != NULL && names->def_nr > 0;
}

/* Whether a file is hardly longer than its signatures; if it has none, than it
 * may be. */
static bool
is_short(const struct plan *plan, const struct file_facts *facts,
	 uint32_t outline_tokens)
{
	uint64_t most = has_definitions(plan, facts)
				? outline_tokens + outline_tokens / 8
				: share_of(plan);

	return facts->bytes / TOKEN_BYTES <= most;
}

static void
add_breadth(struct plan *plan, uint32_t file_idx,
	    const struct file_facts *facts)
{
	struct rank_candidate file = { .file_idx = file_idx,
				       .chunk_idx = facts->chunk_first,
				       .tokens = 1,
				       .unit = RANK_FILE };

	file.score =
		select_scores_chunk(&plan->scores, 0, &file.category, NULL);
	plan_offer(plan, &file);
}

/* Whether the window is full of what is better than the best that a cold chunk of a
 * file could be: nothing of it needs to be looked at. */
static bool
is_below_window(const struct plan *plan, uint32_t file_idx)
{
	const struct rank_candidates *window = &plan->stream.window;
	const struct overview_chunk best = { .relevance = relevance_of(plan) };
	uint32_t hot_nr;

	if (plan->stream.round != ROUND_DEPTH || !plan_keeps_window(plan) ||
	    plan->scores.best_class != RANK_CLASS_CODE ||
	    window->passed_over == 0 ||
	    overview_depth(&best) >= window->heap[0].score)
		return false;
	catalogue_hot_lines(plan->planner->catalogue, file_idx, &hot_nr);
	return hot_nr == 0;
}

bool
plan_is_in_overview(const struct plan *plan, uint32_t file_idx)
{
	bool is_best =
		traits_of(plan, file_idx)->class == plan->scores.best_class;

	if (plan->stream.round == ROUND_FRAME)
		return plan_frame_place(plan, file_idx) != 0;
	return is_best == (plan->stream.round != ROUND_BEYOND);
}

void
plan_add_overview(struct plan *plan, uint32_t file_idx)
{
	const struct file_facts *facts =
		catalogue_facts(plan->planner->catalogue, file_idx);

	if (plan->stream.round == ROUND_FRAME)
		add_frame(plan, file_idx, facts);
	else if (plan->stream.round == ROUND_BREADTH)
		add_breadth(plan, file_idx, facts);
	else if (!is_below_window(plan, file_idx))
		plan_add_sections(plan, file_idx, facts);
}

uint32_t
plan_section_score(const struct plan *plan, const struct rank_candidate *chunk,
		   uint32_t score)
{
	const struct catalogue *catalogue = plan->planner->catalogue;
	struct overview_chunk about = { .relevance = relevance_of(plan),
					.order = chunk->order };
	const struct chunk_record *record;
	const struct history_lines *lines;
	uint32_t nr;

	/* of texts the beginning is best */
	if (plan->stream.round != ROUND_DEPTH ||
	    plan->scores.best_class != RANK_CLASS_CODE)
		return score;
	record = catalogue_chunk(catalogue, chunk->chunk_idx);
	about.bytes = record->bytes;
	lines = catalogue_hot_lines(catalogue, chunk->file_idx, &nr);
	about.heat = history_heat_between(lines, nr, record->line_first,
					  record->line_first +
						  (uint64_t)record->line_nr);
	return overview_depth(&about);
}

bool
plan_is_over_share(const struct plan *plan, const struct rank_candidate *chunk)
{
	return tokens_of(plan, chunk->file_idx) + chunk->tokens >
	       overview_file_tokens(plan->overview.available);
}

/* ---- taking ------------------------------------------------------------- */

/* The first lines of a chunk, as many as there is room for. */
static int
take_head(struct plan *plan, struct rank_candidate *chunk, uint64_t room)
{
	struct plan_overview *overview = &plan->overview;
	const struct chunk_record *record =
		catalogue_chunk(plan->planner->catalogue, chunk->chunk_idx);
	uint64_t all = max_u64(record->bytes / TOKEN_BYTES, 1);
	uint64_t lines = scale_u64(record->line_nr, room, all);
	uint64_t cost;
	int result;

	if (overview->head_nr == OVERVIEW_HEADS || lines == 0 ||
	    lines >= record->line_nr)
		return 0;
	chunk->tokens = counted_or(
		traits_of(plan, chunk->file_idx), (uint32_t)lines,
		(uint32_t)max_u64(
			scale_u64(record->tokens, lines, record->line_nr), 1));
	cost = plan_cost(plan, chunk, UINT64_MAX);
	result = cost > plan_unused(plan) ? 0 : plan_know(plan, chunk);
	if (result <= 0)
		return result;
	overview->heads[overview->head_nr++] = (struct plan_head){
		.chunk_idx = chunk->chunk_idx,
		.lines = (uint32_t)lines,
		.tokens = chunk->tokens,
	};
	return plan_take(plan, chunk, cost);
}

int
plan_consider_frame(struct plan *plan, const struct rank_candidate *file)
{
	const struct catalogue *catalogue = plan->planner->catalogue;
	const struct file_facts *facts =
		catalogue_facts(catalogue, file->file_idx);
	bool is_manifest =
		traits_of(plan, file->file_idx)->kinds & RANK_KIND_CONFIG;
	uint64_t room =
		overview_frame_tokens(plan->overview.available, is_manifest);
	int error = 0;

	for (uint32_t c = 0; c < facts->chunk_nr && error == 0; c++) {
		struct rank_candidate chunk = plan_chunk_of(plan, file, c);
		uint64_t tokens =
			catalogue_chunk(catalogue, chunk.chunk_idx)->bytes /
			TOKEN_BYTES;

		if (chunk.tokens == 0 || plan_has(plan, &chunk))
			continue;
		if (tokens > room)
			return take_head(plan, &chunk, room);
		room -= tokens;
		error = plan_consider(plan, &chunk);
	}
	return error;
}

int
plan_consider_breadth(struct plan *plan, const struct rank_candidate *file)
{
	const struct file_facts *facts;
	struct rank_candidate candidate = *file;
	struct plan_signatures signatures;
	uint64_t used = plan->tokens.budget.used;
	int error;

	facts = catalogue_facts(plan->planner->catalogue, file->file_idx);
	select_scores_file(&plan->scores, file->file_idx);
	signatures = plan_signatures(plan, file->file_idx);
	if (is_short(plan, facts, signatures.thought)) {
		if (plan_takes_in_full(plan, file))
			error = plan_take_in_full(plan, file);
		else
			error = 0;
	} else {
		candidate.unit = RANK_SIGNATURES;
		candidate.tokens = signatures.tokens;
		plan->stream.more_left = true;
		error = has_definitions(plan, facts)
				? plan_consider(plan, &candidate)
				: 0;
	}
	if (error == 0)
		error = add_tokens(plan, file->file_idx,
				   plan->tokens.budget.used - used);
	return error;
}

int
plan_consider_depth(struct plan *plan, const struct rank_candidate *chunk)
{
	uint64_t used = plan->tokens.budget.used;
	int error;

	/* by the frame, or with all of its file */
	if (select_bits_has(&plan->set.chunks, chunk->chunk_idx))
		return 0;
	if (tokens_of(plan, chunk->file_idx) + chunk->tokens >
	    plan->overview.file_most) {
		plan_leave(plan, chunk);
		return 0;
	}
	error = plan_consider(plan, chunk);
	if (error == 0 && plan->tokens.budget.used > used)
		error = add_tokens(plan, chunk->file_idx,
				   plan->tokens.budget.used - used);
	return error;
}

/* ---- the whole ---------------------------------------------------------- */

/* A round that may have so many tokens of what is left. */
static int
fill_within(struct plan *plan, enum round round, uint64_t tokens)
{
	uint64_t held = plan_unused(plan) - min_u64(tokens, plan_unused(plan));
	int error;

	rank_budget_hold(&plan->tokens.budget, held);
	error = plan_fill_round(plan, round);
	rank_budget_add(&plan->tokens.budget, held);
	return error;
}

/* Of few files, more of each than is one's share. */
static int
fill_in_shares(struct plan *plan, enum round round)
{
	struct plan_overview *overview = &plan->overview;
	int error;

	overview->file_most = overview_file_tokens(overview->available);
	error = plan_fill_sections(plan, round);
	while (error == 0 && plan->stream.more_left && plan_has_room(plan) &&
	       overview->file_most < overview->available) {
		overview->file_most = overview->file_most * 2 + 1;
		error = plan_fill_sections(plan, round);
	}
	overview->file_most = UINT64_MAX;
	return error;
}

/* How generous the signatures may be. */
static uint32_t
find_scale(struct plan *plan)
{
	const struct plan_overview *overview = &plan->overview;
	const struct catalogue *catalogue = plan->planner->catalogue;
	struct overview_sums sums = { .has_history = has_history(plan) };
	uint32_t scale;

	for (uint64_t i = 0; i < plan->planner->file_nr; i++) {
		const struct file_facts *facts = catalogue_facts(catalogue, i);

		if (!select_is_usable(facts) ||
		    catalogue_traits(catalogue, i)->class !=
			    plan->scores.best_class)
			continue;
		select_scores_file(&plan->scores, (uint32_t)i);
		overview_add(&sums, overview->breadth, relevance_of(plan),
			     facts->outline_tokens);
	}
	scale = overview_scale(&sums, overview->breadth);
	return overview_scale(&sums,
			      overview_breadth_at(overview->breadth, scale,
						  sums.has_history));
}

/* As generous as the first plan, and how many tokens they may take. */
static void
begin_breadth(struct plan *plan)
{
	struct plan_overview *overview = &plan->overview;
	struct outline_scale *first = plan->planner->outline_scale;

	overview->breadth =
		overview_breadth_tokens(plan_unused(plan), has_history(plan));
	overview->scale = first->is_known && !plan->is_trial ? first->scale
							     : find_scale(plan);
	if (!plan->is_trial)
		*first = (struct outline_scale){ .scale = overview->scale,
						 .is_known = 1 };
	overview->signature_tokens = overview_breadth_at(
		overview->breadth, overview->scale, has_history(plan));
}

int
plan_fill_overview(struct plan *plan)
{
	struct plan_overview *overview = &plan->overview;
	int error;

	/* a limit may be more: what shares a section is thought to cost more
	 * than it does */
	overview->available = min_u64(plan->tokens.budget.available,
				      plan->planner->job->available_tokens);
	error = fill_within(plan, ROUND_FRAME,
			    overview_frame_all(overview->available));
	begin_breadth(plan);
	if (error == 0)
		error = fill_within(plan, ROUND_BREADTH,
				    overview->signature_tokens);
	if (error == 0)
		error = fill_in_shares(plan, ROUND_DEPTH);
	if (error == 0 && !plan->stream.more_left && plan_has_room(plan))
		error = fill_in_shares(plan, ROUND_BEYOND);
	else
		plan->stream.more_left = true;
	plan->stream.more_left |= overview->head_nr > 0;
	return error;
}

const struct plan_head *
plan_find_head(const struct plan *plan, uint64_t chunk_idx)
{
	for (uint32_t i = 0; i < plan->overview.head_nr; i++)
		if (plan->overview.heads[i].chunk_idx == chunk_idx)
			return &plan->overview.heads[i];
	return NULL;
}
