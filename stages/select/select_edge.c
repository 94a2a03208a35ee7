/* SPDX-License-Identifier: MIT */
/*
 * select_edge.c - the edge of a plan: the best chunks that it has no
 * room for.
 *
 * Whole chunks leave room that none of those left fits: where files are few,
 * or chunks a good part of the budget. Then the best ones that are left are
 * taken by rank, each whole if there is room for it by what it came to in an
 * output, and one of them up to a line: of the tree its first lines, of what a
 * source asks for those that source_part_from() says. Where files are taken by
 * their signatures, these are.
 *
 * Does: finds the chunks; says which of them are taken, by what format told of
 *       their lines.
 * Runs in: select, at the end of a plan.
 */
#include <errno.h>
#include <stdlib.h>

#include "stages/select/select_plan_parts.h"
#include "catalogue/line_costs.h"
#include "catalogue/names.h"

#define EDGES_MIN 32  /* that are measured, if there are so many, */
#define EDGES_MAX 256 /* or as many as come to twice the room */
#define MORE_PART 16  /* of what is available, if whole chunks were fewer */
#define LOG_TIMES 4   /* as much unused as elsewhere, with part of a log, */
#define LOG_LINE 32   /* or so many tokens */

struct edge_chunk {
	struct rank_candidate candidate;
	uint64_t costs; /* of its lines: 1 + the record before; 0: none */
	uint32_t cost_nr;
	uint32_t line_nr;
	bool is_taken;
};

/* Those of a plan, by rank. */
struct edges {
	struct plan *plan;
	struct edge_chunk *all;
	uint32_t nr;
	uint64_t tokens; /* of all of them */
};

/* One of them, for rank_fill_lines(). */
struct edge_of {
	const struct edges *edges;
	const struct edge_chunk *edge;
};

/* ---- which ones --------------------------------------------------------- */

/* Lines that it has; of signatures whose lines are not known, at most. */
static uint32_t
lines_of(const struct plan *plan, const struct rank_candidate *candidate)
{
	const struct catalogue *catalogue = plan->planner->catalogue;
	const struct names *names;

	if (candidate->unit != RANK_SIGNATURES)
		return (uint32_t)max_u64(
			catalogue_chunk(catalogue, candidate->chunk_idx)
				->line_nr,
			1);
	names = catalogue_names(
		catalogue, catalogue_facts(catalogue, candidate->file_idx));
	return names == NULL || names->outline_lines == 0
		       ? candidate->tokens
		       : names->outline_lines;
}

/* If a line of it is thought to fit, and its content is not there in full. */
static int
add(struct edges *edges, const struct rank_candidate *candidate, uint64_t room)
{
	struct plan *plan = edges->plan;
	uint32_t of = lines_of(plan, candidate);
	const struct select_lines first = { .nr = 1 };
	int result;

	if (plan_has(plan, candidate) ||
	    plan_cost_around(plan, candidate, &first) + candidate->tokens / of >
		    room)
		return 0;
	result = plan_know(plan, candidate);
	if (result <= 0)
		return result;
	edges->all[edges->nr++] =
		(struct edge_chunk){ .candidate = *candidate, .line_nr = of };
	edges->tokens = add_sat_u64(edges->tokens, candidate->tokens);
	return 0;
}

static bool
is_enough(const struct edges *edges, uint64_t room)
{
	return edges->nr == EDGES_MAX ||
	       (edges->nr >= EDGES_MIN && edges->tokens / 2 >= room);
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

/* What fills the rest of an overview is of files that have less than others, if
 * there are any. */
static bool
is_last(const struct plan *plan, const struct rank_candidate *candidate)
{
	return plan->stream.round == ROUND_DEPTH &&
	       plan_is_over_share(plan, candidate);
}

/* Of a tool's output it is the end that matters: the last chunk comes first. */
static int
add_those(struct edges *edges, uint64_t room, bool lasts)
{
	const struct rank_candidates *window = &edges->plan->stream.window;
	int error = 0;
	size_t end;

	for (size_t from = 0; from < window->nr && error == 0; from = end) {
		end = output_end(window, from);
		for (size_t i = end; i-- > from && error == 0;) {
			struct rank_candidate it = window->heap[i];

			if (is_enough(edges, room))
				return 0;
			if (is_last(edges->plan, &it) != lasts)
				continue;
			it.score = lasts ? 0 : it.score;
			error = add(edges, &it, room);
		}
	}
	return error;
}

static int
add_window(struct edges *edges, uint64_t room)
{
	int error = add_those(edges, room, false);

	return error != 0 ? error : add_those(edges, room, true);
}

/* The best that are left of a round. */
static int
fill_window(struct plan *plan, enum round round)
{
	int error;

	plan_begin_windows(plan, round);
	plan->stream.is_edge = true;
	error = plan_fill_window(plan);
	plan->stream.is_edge = false;
	plan_end_windows(plan);
	return error;
}

/* What is left of a round. A window that was kept has what is taken in it: where
 * the rest is not enough, the round is gone through again. */
static int
add_round(struct edges *edges, enum round round, uint64_t room)
{
	struct plan *plan = edges->plan;
	int error = fill_window(plan, round);

	if (error == 0)
		error = add_window(edges, room);
	if (error != 0 || !plan->stream.is_kept || is_enough(edges, room) ||
	    plan->stream.window.passed_over == 0)
		return error;
	plan_forget_windows(plan->kept);
	error = fill_window(plan, round);
	return error != 0 ? error : add_window(edges, room);
}

static int
find_edges(struct edges *edges, uint64_t room)
{
	struct plan *plan = edges->plan;
	const struct job *job = plan->planner->job;
	bool is_shared = job->sources.file_nr > 0;
	enum round round = plan->by_tiers && job->is_broad     ? ROUND_DEPTH
			   : plan->by_tiers                    ? ROUND_SECTIONS
			   : is_shared && job->no_redistribute ? ROUND_TREE
							       : ROUND_ALL;
	const enum round last = round == ROUND_DEPTH || round == ROUND_SECTIONS
					? (enum round)(round + 1)
					: round;
	int error = 0;

	for (; round <= last && error == 0 && !is_enough(edges, room); round++)
		error = add_round(edges, round, room);
	return error;
}

/* ---- what their lines come to ------------------------------------------- */

static const struct line_cost *
record_at(const struct edges *edges, uint64_t idx)
{
	return catalogue_line_cost(edges->plan->planner->catalogue, idx);
}

/* Whether a record goes on where another one ends. */
static bool
goes_on(const struct line_cost *record, const struct line_cost *next)
{
	return next->file_idx == record->file_idx &&
	       next->line == record->line + 1;
}

/* The line before the first one of an edge, as format counts them. */
static uint32_t
line_before(const struct edges *edges, const struct edge_chunk *edge)
{
	uint32_t first;

	if (edge->candidate.unit == RANK_SIGNATURES)
		return 0;
	first = catalogue_chunk(edges->plan->planner->catalogue,
				edge->candidate.chunk_idx)
			->line_first;
	return first - (first > 0);
}

/* The records from one on are those of an edge, if they begin as one does. */
static void
find_costs_of(struct edges *edges, uint64_t at, uint64_t nr)
{
	const struct line_cost before = *record_at(edges, at);

	for (uint32_t i = 0; i < edges->nr; i++) {
		struct edge_chunk *edge = &edges->all[i];
		uint64_t end = at + 1;

		if (edge->candidate.file_idx != before.file_idx ||
		    line_before(edges, edge) != before.line)
			continue;
		while (end < nr && end - at <= edge->line_nr &&
		       goes_on(record_at(edges, end - 1),
			       record_at(edges, end)))
			end++;
		edge->costs = at + 1;
		edge->cost_nr = (uint32_t)(end - at - 1);
		if (edge->candidate.unit == RANK_SIGNATURES)
			edge->line_nr = edge->cost_nr;
		return;
	}
}

static void
find_costs(struct edges *edges)
{
	uint64_t nr = edges->plan->planner->line_cost_nr;

	for (uint64_t at = 0; at + 1 < nr; at++)
		if (goes_on(record_at(edges, at), record_at(edges, at + 1)) &&
		    (at == 0 ||
		     !goes_on(record_at(edges, at - 1), record_at(edges, at))))
			find_costs_of(edges, at, nr);
}

/* All of its lines; as it was thought if that is not known. */
static uint64_t
cost_of_all(const struct edges *edges, const struct edge_chunk *edge)
{
	if (edge->cost_nr == 0)
		return edge->candidate.tokens;
	return record_at(edges, edge->costs - 1 + edge->cost_nr)->tokens -
	       record_at(edges, edge->costs - 1)->tokens;
}

/* Of so many lines of an edge, those before which are left out. */
static uint32_t
lines_before(const struct edge_of *of, uint32_t lines)
{
	const struct rank_candidate *it = &of->edge->candidate;
	const struct plan_entry entry = {
		.chunk_idx = it->chunk_idx,
		.tier = it->unit == RANK_SIGNATURES ? TIER_SIGNATURES
						    : TIER_FULL,
		.kept_lines = lines,
	};

	return job_part_from(of->edges->plan->planner->job,
			     of->edges->plan->planner->catalogue, &entry);
}

/*
 * With what stands around them. Of what is not written line by line, such as
 * without comments, the mean.
 */
static uint64_t
cost_of_lines(void *chunk, uint32_t nr)
{
	const struct edge_of *of = chunk;
	const struct edges *edges = of->edges;
	const struct edge_chunk *edge = of->edge;
	const struct select_lines lines = { lines_before(of, nr), nr, false };
	uint64_t around =
		plan_cost_around(edges->plan, &edge->candidate, &lines);
	uint64_t at = edge->costs - 1 + lines.from;

	if (edge->cost_nr != edge->line_nr)
		return around + cost_of_all(edges, edge) * nr / edge->line_nr;
	return around + record_at(edges, at + nr)->tokens -
	       record_at(edges, at)->tokens;
}

/* ---- which are taken ---------------------------------------------------- */

static bool
has_outcome(const struct plan *plan, const struct rank_candidate *candidate)
{
	const struct chunk_record *chunk;
	struct source_lines lines;

	if (candidate->category != CATEGORY_TOOL ||
	    candidate->unit == RANK_SIGNATURES)
		return false;
	chunk = catalogue_chunk(plan->planner->catalogue, candidate->chunk_idx);
	lines = (struct source_lines){ .first = chunk->line_first,
				       .nr = chunk->line_nr };
	return source_has_outcome(
		&plan->planner->job->sources,
		planner_requested_for(plan->planner, candidate->file_idx),
		&lines);
}

/* By rank, each that there is room for; what is left of it. */
static int
take_whole(struct edges *edges, uint64_t *room, struct plan_result *made)
{
	struct plan *plan = edges->plan;
	int error = 0;

	for (uint32_t i = 0; i < edges->nr && error == 0; i++) {
		struct edge_chunk *edge = &edges->all[i];
		uint64_t cost = cost_of_all(edges, edge);

		if (cost > *room)
			continue;
		cost += plan_cost(plan, &edge->candidate, UINT64_MAX);
		cost -= min_u64(cost, edge->candidate.tokens);
		if (cost > *room)
			continue;
		edge->is_taken = true;
		made->edge_nr++;
		made->edge_tokens += cost;
		*room -= cost;
		error = plan_put(plan, &edge->candidate);
	}
	return error;
}

/* Whether the chunk behind an edge has its signature line from there. */
static bool
has_signature_line(const struct plan *plan,
		   const struct rank_candidate *candidate)
{
	const struct catalogue *catalogue = plan->planner->catalogue;
	const struct file_facts *facts =
		catalogue_facts(catalogue, candidate->file_idx);
	uint64_t next = candidate->chunk_idx + 1;
	uint64_t line;

	if (candidate->unit != RANK_CHUNK ||
	    next >= facts->chunk_first + facts->chunk_nr ||
	    catalogue_chunk(catalogue, next)->signature_line == 0)
		return false;
	line = facts->signature_line_first +
	       catalogue_chunk(catalogue, next)->signature_line - 1;
	return select_bits_has(&plan->set.signature_lines, line) &&
	       facts->chunk_first + catalogue_signature_line(catalogue, line)
					    ->in_chunk ==
		       candidate->chunk_idx;
}

/*
 * As many lines as there is room for; what they cost, or 0: without comments
 * that is a guess.
 */
static uint64_t
fit(struct edges *edges, const struct edge_chunk *edge, uint64_t room,
    uint32_t *lines)
{
	struct edge_of of = { edges, edge };
	uint64_t cost;

	if (edge->is_taken || edge->line_nr <= 1 ||
	    has_signature_line(edges->plan, &edge->candidate))
		return 0;
	*lines =
		rank_fill_lines(cost_of_lines, &of, edge->line_nr, room, &cost);
	return cost;
}

static bool
is_part(const struct plan_part *part, const struct edge_chunk *edge)
{
	return part->chunk == edge->candidate.chunk_idx + 1 &&
	       part->unit == edge->candidate.unit;
}

/*
 * The best of which some lines fill the room, or else that which fills it best.
 * What came of a tool stays, if it is the best, but for a line of usual length.
 * A chunk that was not measured was in the plan of more chunks: it has been
 * given back, and no chunk of a lower score may take its place.
 */
static int
take_part(struct edges *edges, uint64_t room, const struct plan_target *aim,
	  struct plan_result *made)
{
	struct plan *plan = edges->plan;
	uint64_t few = aim->available / RANK_FULL_PART;
	const struct edge_chunk *best = NULL;
	uint64_t most = 0;
	uint32_t given_back = 0; /* the best score of those that were */

	for (uint32_t i = 0; i < edges->nr && !made->fills && !made->keeps;
	     i++) {
		const struct edge_chunk *edge = &edges->all[i];
		uint32_t lines;
		uint64_t cost;

		if (aim->part.chunk != 0 && !is_part(&aim->part, edge))
			continue;
		if (aim->is_part && edge->cost_nr == 0 &&
		    edge->candidate.score > given_back)
			given_back = edge->candidate.score;
		if (edge->candidate.score < given_back)
			break;
		cost = fit(edges, edge, room, &lines);
		if (cost <= most)
			continue;
		made->fills = room - cost <= few;
		made->keeps = best == NULL &&
			      has_outcome(plan, &edge->candidate) &&
			      room - cost <= max_u64(few * LOG_TIMES, LOG_LINE);
		best = edge;
		most = cost;
		plan->set.truncated.lines = lines;
	}
	if (best == NULL)
		return 0;
	plan->set.truncated.chunk_idx = best->candidate.chunk_idx;
	plan->set.truncated.unit = best->candidate.unit;
	made->part.chunk = best->candidate.chunk_idx + 1;
	made->part.unit = best->candidate.unit;
	made->edge_nr++;
	made->edge_tokens += most;
	return plan_put(plan, &best->candidate);
}

/* Less what is taken off; no less than nothing. */
static uint64_t
less(uint64_t room, int64_t tokens)
{
	return tokens < 0 ? room + (uint64_t)-tokens
			  : room - min_u64(room, (uint64_t)tokens);
}

/* What there is room for. */
static int
take(struct edges *edges, uint64_t room, const struct plan_target *aim,
     struct plan_result *made)
{
	int error = 0;

	find_costs(edges);
	if (!aim->is_part)
		error = take_whole(edges, &room, made);
	made->fills = room <= aim->available / RANK_FULL_PART &&
		      (made->edge_nr > 0 || aim->is_part);
	if (error == 0 && (!made->fills || aim->part.chunk != 0)) {
		made->fills = false;
		error = take_part(edges, less(room, aim->part_wrong), aim,
				  made);
	}
	return error;
}

/* All of them, to learn what their lines come to. */
static int
take_measured(struct edges *edges, struct plan_result *made)
{
	struct plan *plan = edges->plan;
	int error = 0;

	for (uint32_t i = 0; i < edges->nr && error == 0; i++) {
		const struct rank_candidate *it = &edges->all[i].candidate;

		error = plan_put(plan, it);
		if (error == 0)
			error = select_bits_set(&plan->set.measured,
						it->chunk_idx);
	}
	made->edge_nr = edges->nr;
	made->edge_tokens = edges->tokens;
	return error;
}

int
plan_take_edge(struct plan *plan, const struct plan_target *aim,
	       struct plan_result *made)
{
	struct edges edges = { .plan = plan };
	uint64_t room = less(aim->available, (int64_t)made->planned + aim->off);
	int error;

	edges.all = malloc(EDGES_MAX * sizeof(edges.all[0]));
	if (edges.all == NULL)
		return -ENOMEM;
	error = find_edges(&edges, room + aim->available / MORE_PART);
	if (error == 0)
		error = aim->edges == RANK_EDGES_MEASURED
				? take_measured(&edges, made)
				: take(&edges, less(room, aim->wrong), aim,
				       made);
	free(edges.all);
	return error;
}
