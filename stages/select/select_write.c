/* SPDX-License-Identifier: MIT */
/*
 * select_write.c - what was taken, written as the plan of the gather.
 *
 * Does: goes through the files once more, in order, and writes what is taken
 *       of each: signatures, signature lines and chunks, why each is there,
 *       and in which turn its file comes.
 * Runs in: select, at the end of a plan.
 * Invariants:
 * 1. Memory does not grow with what is taken, but for its bits.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stages/select/select_plan_parts.h"
#include "catalogue/traits.h"

struct writer {
	struct plan *plan;
	const struct catalogue *catalogue;
	const struct file_facts *facts; /* of the file in work */
	uint32_t file_idx;
	uint64_t nr; /* entries that are written */
	/* signature lines of the file: those before `line_end` may be in the
	 * plan, those before `line_next` are written, at the entries of
	 * `line_at`; 0: one is not */
	uint32_t line_next;
	uint32_t line_end;
	uint64_t *line_at; /* 1 + its entry */
	/* where the section of the file begins; its best score, and the first
	 * of the categories that have it */
	uint64_t section;
	uint32_t best;
	uint8_t category;
	struct select_runs turns; /* sections by rank, if that is asked for */
};

static struct plan_entry *
put(struct writer *writer, uint32_t ordinal, enum tier tier)
{
	struct plan_entry *entry =
		catalogue_plan(writer->catalogue, writer->nr++);

	*entry = (struct plan_entry){
		.chunk_idx = writer->facts->chunk_first + ordinal,
		.score = writer->plan->is_scored ? 0 : SCORE_NONE,
		.tier = (uint8_t)tier,
	};
	return entry;
}

/* Its score, its category and its factors are as good as those of a chunk. */
static void
keep_best(struct plan_entry *entry, const struct plan_entry *chunk,
	  bool is_first)
{
	if (!is_first && chunk->score <= entry->score)
		return;
	entry->score = chunk->score;
	entry->category = chunk->category;
	entry->factors = chunk->factors;
}

/* ---- signature lines ---------------------------------------------------- */

/* The signature lines of a file are numbered; its chunks say the last one. */
static void
find_signature_lines(struct writer *writer)
{
	const struct file_facts *facts = writer->facts;

	writer->line_next = 0;
	writer->line_end = 0;
	if (!writer->plan->planner->job->keeps_signature_lines)
		return;
	for (uint32_t c = 0; c < facts->chunk_nr; c++) {
		uint64_t idx = facts->chunk_first + c;
		uint32_t line;

		if (!select_bits_has(&writer->plan->set.chunks, idx))
			continue;
		line = catalogue_chunk(writer->catalogue, idx)->signature_line;
		if (line > writer->line_end && line <= SIGNATURE_LINES_MAX)
			writer->line_end = line;
	}
	memset(writer->line_at, 0, writer->line_end * sizeof(uint64_t));
}

/* Those of the plan that begin before a chunk, in chunks that are not in it. */
static void
put_signature_lines(struct writer *writer, uint32_t ordinal)
{
	const struct plan *plan = writer->plan;

	for (; writer->line_next < writer->line_end; writer->line_next++) {
		uint64_t idx = writer->facts->signature_line_first +
			       (uint64_t)writer->line_next;
		const struct chunk_record *line;
		struct plan_entry *entry;

		if (!select_bits_has(&plan->set.signature_lines, idx))
			continue;
		line = catalogue_signature_line(writer->catalogue, idx);
		if (line->in_chunk >= ordinal)
			break;
		if (select_bits_has(&plan->set.chunks,
				    writer->facts->chunk_first +
					    line->in_chunk))
			continue;
		writer->line_at[writer->line_next] = writer->nr + 1;
		entry = put(writer, line->in_chunk, TIER_SIGNATURE_LINE);
		entry->signature_line = (uint16_t)writer->line_next;
	}
}

/* A signature line is there for the best of the chunks that need it. */
static void
explain_signature_line(struct writer *writer, const struct plan_entry *chunk)
{
	uint32_t line = catalogue_chunk(writer->catalogue, chunk->chunk_idx)
				->signature_line;
	struct plan_entry *entry;

	if (line == 0 || line > writer->line_end ||
	    writer->line_at[line - 1] == 0)
		return;
	entry = catalogue_plan(writer->catalogue,
			       writer->line_at[line - 1] - 1);
	/* one that nobody has explained yet has no score */
	keep_best(entry, chunk, entry->score == 0);
}

/* ---- files -------------------------------------------------------------- */

static void
explain(struct writer *writer, uint32_t ordinal, struct plan_entry *entry)
{
	if (writer->plan->is_scored)
		entry->score =
			select_scores_chunk(&writer->plan->scores, ordinal,
					    &entry->category, &entry->factors);
}

/* How many lines of it are taken; 0: all. */
static uint32_t
kept_lines(const struct writer *writer, uint32_t ordinal, enum rank_unit unit)
{
	const struct plan *plan = writer->plan;
	uint64_t idx = writer->facts->chunk_first + ordinal;

	if ((unit == RANK_SIGNATURES) == plan_by_signatures(plan) &&
	    select_bits_has(&plan->set.measured, idx))
		return KEPT_MEASURED;
	if (unit == RANK_SIGNATURES && plan->overview.breadth > 0)
		return plan_signatures(plan, writer->file_idx).lines;
	if (unit == RANK_CHUNK && plan_find_head(plan, idx) != NULL)
		return plan_find_head(plan, idx)->lines;
	return plan->set.truncated.unit == unit &&
			       plan->set.truncated.chunk_idx == idx
		       ? plan->set.truncated.lines
		       : 0;
}

/* What the section of a file is ranked by. */
static void
note_best(struct writer *writer, const struct plan_entry *chunk)
{
	if (chunk->score < writer->best ||
	    (chunk->score == writer->best &&
	     chunk->category >= writer->category))
		return;
	writer->best = chunk->score;
	writer->category = chunk->category;
}

/* The tokens that parts of an overview are thought to have: the signatures of a
 * file, less what its chunks save of them, or its first lines. */
static void
add_parts(struct writer *writer, bool has_signs)
{
	struct plan *plan = writer->plan;
	const struct file_facts *facts = writer->facts;
	struct file_traits *traits =
		catalogue_traits(writer->catalogue, writer->file_idx);
	uint64_t saved = 0;

	if (plan->overview.breadth == 0)
		return;
	for (uint32_t c = 0; c < facts->chunk_nr; c++) {
		uint64_t idx = facts->chunk_first + c;
		const struct plan_head *head = plan_find_head(plan, idx);

		if (head != NULL)
			plan->overview.parts += head->tokens;
		if (has_signs && select_bits_has(&plan->set.chunks, idx))
			saved += plan_needless_signatures(plan, idx);
	}
	if (!has_signs)
		return;
	traits->saved_tokens = (uint32_t)min_u64(saved, UINT32_MAX);
	plan->overview.parts +=
		(int64_t)plan_signatures(plan, writer->file_idx).tokens -
		traits->saved_tokens;
}

/*
 * Signatures, then signature lines and chunks of a file in the order of their
 * places, which are one section. All of its chunks say what its signatures are worth.
 */
static void
put_file(struct writer *writer, bool has_signs, bool has_lines)
{
	const struct file_facts *facts = writer->facts;
	struct plan_entry *signs = NULL;

	add_parts(writer, has_signs);
	if (has_signs) {
		signs = put(writer, 0, TIER_SIGNATURES);
		signs->kept_lines = kept_lines(writer, 0, RANK_SIGNATURES);
	}
	if (has_lines)
		find_signature_lines(writer);
	for (uint32_t c = 0; c < facts->chunk_nr; c++) {
		struct plan_entry chunk = { .score = SCORE_NONE };
		bool is_in = select_bits_has(&writer->plan->set.chunks,
					     facts->chunk_first + c);

		if (!is_in && signs == NULL)
			continue;
		explain(writer, c, &chunk);
		if (signs != NULL)
			keep_best(signs, &chunk, c == 0);
		note_best(writer, &chunk);
		if (!is_in)
			continue;
		put_signature_lines(writer, c);
		chunk.chunk_idx = facts->chunk_first + c;
		chunk.kept_lines = kept_lines(writer, c, RANK_CHUNK);
		*put(writer, c, TIER_FULL) = chunk;
		explain_signature_line(writer, &chunk);
	}
}

/* A file stands where the best of what is taken of it does; what an overview
 * begins with, before all others. */
static int
add_turn(struct writer *writer)
{
	uint32_t place = plan_frame_place(writer->plan, writer->file_idx);
	const struct rank_candidate turn = {
		.score = writer->best + place * SCORE_MAX,
		.file_idx = writer->file_idx,
		.chunk_idx = writer->section,
		.category = writer->category,
	};

	return select_runs_add(&writer->turns, &turn);
}

static int
write_file(struct writer *writer, uint32_t file_idx)
{
	const struct plan *plan = writer->plan;
	bool has_signs = select_bits_has(&plan->set.signs, file_idx);
	bool has_lines = select_bits_has(&plan->set.files, file_idx);

	if (!has_signs && !has_lines)
		return 0;
	writer->file_idx = file_idx;
	writer->facts = catalogue_facts(writer->catalogue, file_idx);
	writer->section = writer->nr;
	writer->best = 0;
	writer->category = CATEGORY_TREE;
	if (plan->is_scored)
		select_scores_file(&writer->plan->scores, file_idx);
	put_file(writer, has_signs, has_lines);
	return plan->planner->job->by_rank ? add_turn(writer) : 0;
}

/* ---- the whole --------------------------------------------------------- */

/* The order of the sections in gather. */
static int
write_turns(struct writer *writer)
{
	struct planner *planner = writer->plan->planner;
	struct rank_candidate turn;
	int error = select_runs_sort(&writer->turns);

	planner->section_nr = 0;
	while (error == 0 && select_runs_next(&writer->turns, &turn))
		catalogue_plan(writer->catalogue, planner->section_nr++)->turn =
			(uint32_t)turn.chunk_idx;
	return error;
}

int
plan_write(struct plan *plan)
{
	struct planner *planner = plan->planner;
	struct writer writer = {
		.plan = plan,
		.catalogue = planner->catalogue,
		.turns = { .table = &planner->catalogue->runs,
			   .reserve = planner->reserve },
	};
	/* no more signature lines than chunks */
	int error =
		planner->reserve(&planner->catalogue->plan,
				 2 * plan->set.nr * sizeof(struct plan_entry));

	if (error != 0)
		return error;
	writer.line_at =
		malloc(SIGNATURE_LINES_MAX * sizeof(writer.line_at[0]));
	if (writer.line_at == NULL)
		error = -ENOMEM;
	for (uint64_t i = 0; i < planner->file_nr && error == 0; i++)
		error = write_file(&writer, (uint32_t)i);
	if (error == 0)
		error = write_turns(&writer);
	select_runs_fini(&writer.turns);
	free(writer.line_at);
	planner->plan_nr = writer.nr;
	return error;
}
