/* SPDX-License-Identifier: MIT */
/*
 * select_take.c - what a candidate costs; taking it.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stages/select/select_plan_parts.h"

#define BITS_MIN 4096
#define MARK_TOKENS_MAX 1024

/* ---- bits -------------------------------------------------------------- */

bool
select_bits_has(const struct select_bits *bits, uint64_t idx)
{
	return idx < bits->nr && (bits->bytes[idx / 8] >> idx % 8 & 1);
}

int
select_bits_set(struct select_bits *bits, uint64_t idx)
{
	if (idx >= bits->nr) {
		uint64_t nr = max_u64(bits->nr, BITS_MIN);
		uint8_t *bytes;

		while (nr <= idx)
			nr *= 2;
		bytes = realloc(bits->bytes, nr / 8);
		if (bytes == NULL)
			return -ENOMEM;
		memset(bytes + bits->nr / 8, 0, (nr - bits->nr) / 8);
		bits->bytes = bytes;
		bits->nr = nr;
	}
	bits->bytes[idx / 8] |= (uint8_t)(1u << idx % 8);
	return 0;
}

void
select_bits_free(struct select_bits *bits)
{
	free(bits->bytes);
	*bits = (struct select_bits){ 0 };
}

void
select_bits_clear(struct select_bits *bits, uint64_t idx)
{
	if (idx < bits->nr)
		bits->bytes[idx / 8] &= (uint8_t) ~(1u << idx % 8);
}

/* The bit of its file that says whether it has a section. */
static struct select_bits *
section_bits(struct plan *plan, const struct rank_candidate *candidate)
{
	return candidate->unit == RANK_SIGNATURES ? &plan->set.signs
						  : &plan->set.files;
}

static bool
has_section(const struct plan *plan, uint32_t file_idx)
{
	return select_bits_has(&plan->set.signs, file_idx) ||
	       select_bits_has(&plan->set.files, file_idx);
}

/* ---- costs ------------------------------------------------------------- */

/* The part of its file that a candidate is. */
static struct select_part
part_of(const struct plan *plan, const struct rank_candidate *candidate)
{
	const struct catalogue *catalogue = plan->planner->catalogue;
	const struct chunk_record *chunk =
		catalogue_chunk(catalogue, candidate->chunk_idx);
	bool signs = candidate->unit == RANK_SIGNATURES;

	return (struct select_part){
		.file_idx = candidate->file_idx,
		.lines.signatures = signs,
		.lines.in_part =
			signs && plan->overview.breadth > 0 &&
			plan_signatures(plan, candidate->file_idx).lines > 0,
		.lines.first = chunk->line_first,
		.lines.last =
			chunk->line_first + max_u64(chunk->line_nr, 1) - 1,
	};
}

const struct chunk_record *
plan_signature_line(const struct plan *plan,
		    const struct rank_candidate *candidate, uint64_t *idx)
{
	const struct catalogue *catalogue = plan->planner->catalogue;
	const struct chunk_record *chunk =
		catalogue_chunk(catalogue, candidate->chunk_idx);
	const struct chunk_record *line;
	const struct file_facts *facts;

	if (candidate->unit != RANK_CHUNK || chunk->signature_line == 0)
		return NULL;
	facts = catalogue_facts(catalogue, candidate->file_idx);
	*idx = facts->signature_line_first + (uint64_t)chunk->signature_line -
	       1;
	line = catalogue_signature_line(catalogue, *idx);
	if (select_bits_has(&plan->set.chunks,
			    facts->chunk_first + line->in_chunk))
		return NULL;
	return line;
}

/* What a signature line adds; nothing if it is there for another chunk. */
static uint64_t
signature_line_cost(struct plan *plan, const struct rank_candidate *candidate)
{
	const struct chunk_record *line;
	struct select_part part = { .file_idx = candidate->file_idx };
	uint64_t idx;

	if (!plan->planner->job->keeps_signature_lines)
		return 0;
	line = plan_signature_line(plan, candidate, &idx);
	if (line == NULL || select_bits_has(&plan->set.signature_lines, idx))
		return 0;
	part.lines.first = line->line_first;
	part.lines.last = line->line_first + line->line_nr - 1;
	return line->tokens + select_cost_gap(&plan->cost, &part);
}

/*
 * More marks for lines that are left out, or less: -1, 0 or 1, as many with or
 * without signatures. Chunks of a file lie side by side; of a part only one end
 * may be that of the chunk.
 */
static int
more_gaps(const struct plan *plan, const struct rank_candidate *candidate,
	  bool from_first, bool to_last)
{
	const struct file_facts *facts =
		catalogue_facts(plan->planner->catalogue, candidate->file_idx);
	uint64_t idx = candidate->chunk_idx;
	uint64_t end = facts->chunk_first + facts->chunk_nr;
	bool before = idx > facts->chunk_first &&
		      select_bits_has(&plan->set.chunks, idx - 1);
	bool behind =
		idx + 1 < end && select_bits_has(&plan->set.chunks, idx + 1);

	if (candidate->unit != RANK_CHUNK)
		return 0;
	before &= from_first;
	behind &= to_last;
	/* the signature of what follows is the next line, most often */
	if (select_bits_has(&plan->set.signs, candidate->file_idx))
		return (idx > facts->chunk_first && !before) - behind;
	return 1 - before - behind;
}

/* Whether no mark goes if it is taken: something beside it is not. */
static bool
saves_nothing(const struct plan *plan, const struct rank_candidate *candidate)
{
	uint64_t idx = candidate->chunk_idx;

	return candidate->unit != RANK_CHUNK || idx == 0 ||
	       !select_bits_has(&plan->set.chunks, idx - 1) ||
	       !select_bits_has(&plan->set.chunks, idx + 1);
}

/* With so many more marks, or less. */
static uint64_t
with_marks(uint64_t cost, int more, uint64_t mark)
{
	if (more >= 0)
		return add_sat_u64(cost, (uint64_t)more * mark);
	return cost - min_u64(cost - 1, (uint64_t)-more * mark);
}

uint64_t
plan_needless_signatures(const struct plan *plan, uint64_t chunk_idx)
{
	const struct catalogue *catalogue = plan->planner->catalogue;
	const struct chunk_record *chunk =
		catalogue_chunk(catalogue, chunk_idx);
	const struct plan_signatures signatures =
		plan_signatures(plan, chunk->file_idx);
	uint64_t tokens;

	tokens = scale_u64(
		signatures.thought, chunk->bytes,
		max_u64(catalogue_facts(catalogue, chunk->file_idx)->bytes, 1));
	return signatures.lines > 0 ? tokens / 2 : tokens;
}

/* Signatures of its file that go for a candidate. */
static uint64_t
needless_signatures(struct plan *plan, const struct rank_candidate *candidate)
{
	if (candidate->unit != RANK_CHUNK ||
	    !select_bits_has(&plan->set.signs, candidate->file_idx))
		return 0;
	if (plan->overview.breadth > 0)
		select_scores_file(&plan->scores, candidate->file_idx);
	return plan_needless_signatures(plan, candidate->chunk_idx);
}

uint64_t
plan_cost(struct plan *plan, const struct rank_candidate *candidate,
	  uint64_t room)
{
	uint64_t cost = candidate->tokens;
	struct select_part part;
	uint64_t mark;
	int gaps;

	/* for most of them without a look at the catalogue */
	if (cost > room &&
	    (cost - room > MARK_TOKENS_MAX || saves_nothing(plan, candidate)))
		return cost;
	cost += signature_line_cost(plan, candidate);
	if (!has_section(plan, candidate->file_idx)) {
		if (cost > room)
			return cost;
		part = part_of(plan, candidate);
		return cost + select_cost_section(&plan->cost, &part);
	}
	cost -= min_u64(cost - 1, needless_signatures(plan, candidate));
	gaps = more_gaps(plan, candidate, true, true);
	if (gaps == 0 || (gaps > 0 && cost > room))
		return cost;
	part = part_of(plan, candidate);
	mark = select_cost_gap(&plan->cost, &part);
	return with_marks(cost, gaps, mark);
}

uint64_t
plan_cost_around(struct plan *plan, const struct rank_candidate *candidate,
		 const struct select_lines *lines)
{
	struct select_part part = part_of(plan, candidate);
	uint64_t cost = signature_line_cost(plan, candidate);
	int gaps;

	part.lines.in_part = !lines->is_all;
	if (candidate->unit == RANK_CHUNK && !lines->is_all) {
		part.lines.first += lines->from;
		part.lines.last = part.lines.first + lines->nr - 1;
	}
	if (!has_section(plan, candidate->file_idx))
		return cost + select_cost_section(&plan->cost, &part);
	gaps = more_gaps(plan, candidate, lines->from == 0, lines->is_all);
	if (gaps > 0)
		cost += (uint64_t)gaps * select_cost_gap(&plan->cost, &part);
	return cost;
}

/* ---- taking ------------------------------------------------------------ */

int
plan_put(struct plan *plan, const struct rank_candidate *candidate)
{
	uint64_t line;
	int result = 0;

	if (plan_signature_line(plan, candidate, &line) != NULL)
		result = select_bits_set(&plan->set.signature_lines, line);
	if (result == 0)
		result = select_bits_set(section_bits(plan, candidate),
					 candidate->file_idx);
	if (result == 0 && candidate->unit == RANK_CHUNK)
		result = select_bits_set(&plan->set.chunks,
					 candidate->chunk_idx);
	plan->set.nr++;
	return result;
}

int
plan_take(struct plan *plan, const struct rank_candidate *candidate,
	  uint64_t cost)
{
	ASSERT(rank_budget_take(&plan->tokens.budget, candidate->category,
				cost));
	min_chunk_reserve_taken(&plan->tokens.least, candidate->chunk_idx);
	return plan_put(plan, candidate);
}

int
plan_consider(struct plan *plan, const struct rank_candidate *candidate)
{
	uint64_t room =
		rank_budget_left(&plan->tokens.budget, candidate->category);
	uint64_t cost = plan_cost(plan, candidate, room);
	uint64_t kept = min_chunk_reserve_reserve(&plan->tokens.least,
						  candidate->chunk_idx);
	int result;

	if (cost > room || add_sat_u64(cost, kept) > plan_unused(plan)) {
		plan_leave(plan, candidate);
		return 0;
	}
	result = plan_know(plan, candidate);
	return result <= 0 ? result : plan_take(plan, candidate, cost);
}
