/* SPDX-License-Identifier: MIT */
/*
 * chunk_step.c - content in, runs of chunks out.
 *
 * Does: whole files, parts of large files (what a slab's end cuts off goes in
 *       front of the next slab) and planned ranges; facts on each file.
 * Does not: cut (chunk_cut.c).
 * Invariants:
 * 1. What is carried stays in its slab, unreleased, until the step is
 *    committed that has copied it in front of the next one.
 * 2. A step gives at most EMITS_NEEDED descriptors; an entry that has more
 *    stays at the head, and the state says how far it has come.
 */
#include "stages/chunk/chunk_work.h"

#include <errno.h>
#include <string.h>

#include "markup/markup.h"
#include "base/fault.h"
#include "catalogue/files.h"
#include "catalogue/survey.h"

/*
 * Gives a slab back: at once if only count has looked at it, or else behind
 * what is still to be written from it, by format.
 */
static void
emit_slab(struct chunk_work *work, const struct desc *in, uint32_t slab_idx,
	  uint8_t flags)
{
	struct desc desc = desc_slab_back(in->file_idx, slab_idx, flags);

	chunk_emit(work, &desc);
}

static struct desc_file
facts_of(const struct desc *in, const struct chunk_state *state, uint8_t flags)
{
	const struct chunk_tally *tally = &state->tally;
	bool ends = tally->bytes == 0 || tally->last_byte == '\n';
	uint64_t lines = tally->newlines + !ends;
	struct desc_file file = {
		.kind = DESC_FILE,
		.flags = flags,
		.file_idx = in->file_idx,
		.slab_idx = SLAB_NONE,
		.line_nr = (uint32_t)min_u64(lines, UINT32_MAX),
		.mark_run = tally->mark_run,
		.dot_run = tally->dot_run,
		.traits = tally->traits,
	};

	if (!ends)
		file.flags |= DESC_NO_NEWLINE;
	if (state->is_stripped)
		file.traits |= MARKUP_IS_STRIPPED;
	if (in->kind == DESC_WHOLE) {
		file.slab_idx = in->slab_idx;
		file.slab_off = in->slab_off;
		file.bytes = in->bytes;
	}
	return file;
}

static void
emit_file(struct chunk_work *work, const struct desc_file *file)
{
	chunk_emit(work, (const struct desc *)(const void *)file);
}

/* Whether what is written of an entry has to be made of it. */
static bool
is_made(const struct chunk_work *work, const struct desc *in)
{
	return (in->flags & DESC_OUTLINE) || work->rules->job->strips;
}

/*
 * Where the scanner stands is the larger part of the state, and of interest
 * only between two parts of a file that is cut, and two steps of an entry.
 */
static void
set_state_bytes(struct chunk_work *work, const struct desc *in)
{
	const struct chunk_state *state = work->state;
	bool between = state->goes_on ||
		       (in->kind == DESC_PART && !(in->flags & DESC_LAST) &&
			((in->flags & DESC_SCAN) || is_made(work, in)));
	size_t bytes = offsetof(struct chunk_state, words);

	if (between && work->rules->job->strip_comments)
		bytes = sizeof(struct chunk_state);
	else if (between)
		bytes = offsetof(struct chunk_state, comments);
	work->state_bytes = (uint32_t)bytes;
}

static void
begin_file(struct chunk_work *work, uint32_t file_idx)
{
	struct chunk_tally *tally = &work->state->tally;

	chunk_begin_file(work, file_idx);
	/* of the format: the longest run of it decides on fences */
	tally->mark =
		(uint8_t)markup_table[work->rules->job->markup.kind]->mark;
	tally->strips =
		work->rules->job->markup.unicode == MARKUP_UNICODE_STRIP;
}

/* A file of the kept survey, or what of it is read for the words of the query. */
static void
step_surveyed(struct chunk_work *work, const struct desc *in)
{
	const struct survey *survey = &work->catalogue->survey;
	struct chunk_state *state = work->state;
	const struct desc surveyed = {
		.kind = DESC_SURVEYED,
		.flags = DESC_SCAN | DESC_LAST,
		.file_idx = in->file_idx,
		.slab_idx = SLAB_NONE,
		.surveyed = in->surveyed,
	};

	/* R7: of another process */
	ASSERT(in->surveyed - 1 < survey->head.entry_nr);
	if (!state->goes_on && (state->file_idx != in->file_idx ||
				state->surveyed != in->surveyed)) {
		begin_file(work, in->file_idx);
		/* collect has only found it */
		if (!survey_entry_is_whole(survey, in->surveyed - 1)) {
			work->error = -ESTALE;
			return;
		}
		state->surveyed = in->surveyed;
	}
	if (!chunk_terms_emit_surveyed(work, in))
		return;
	if (in->flags & DESC_RELEASE)
		emit_slab(work, in, in->slab_idx, 0);
	if (in->flags & DESC_LAST)
		chunk_emit(work, &surveyed);
}

/* All that is told of a file but its facts has been, except for this. */
static void
end_scan(struct chunk_work *work, uint32_t file_idx)
{
	chunk_words_end(work, file_idx);
	chunk_names_end(work, file_idx);
}

static void
step_whole(struct chunk_work *work, const struct desc *in)
{
	struct chunk_state *state = work->state;
	const uint8_t *text = desc_content(work->slabs, in);
	uint8_t flags = DESC_LAST |
			(in->flags & (DESC_RELEASE | DESC_SCAN | DESC_EMIT));
	struct desc_file file;
	uint32_t left;

	if (!state->goes_on) {
		begin_file(work, in->file_idx);
		chunk_tally_add(&state->tally, text, in->bytes);
	}
	if (!(in->flags & DESC_EMIT) &&
	    !chunk_cut(work, in, in->slab_off, true, &left))
		return;
	file = facts_of(in, state, flags);
	if (!(in->flags & DESC_EMIT))
		end_scan(work, in->file_idx);
	else if (is_made(work, in) && in->bytes > 0)
		chunk_make_whole(work, in, &file);
	/* count makes the run of what is written: one entry, one poison */
	emit_file(work, &file);
}

/* Takes over what was carried: where the text in work begins in the slab. */
static uint32_t
take_carried(struct chunk_work *work, const struct desc *in)
{
	const struct chunk_state *state = work->state;
	const struct slabs *slabs = work->slabs;
	uint32_t off = in->slab_off - state->carry_bytes;

	ASSERT(in->slab_off >= state->carry_bytes);
	ASSERT(state->carry_slab != in->slab_idx + 1);
	if (state->carry_bytes > 0)
		memcpy(slab_at(slabs, in->slab_idx) + off,
		       slab_at(slabs, state->carry_slab - 1) + state->carry_off,
		       state->carry_bytes);
	FAULT("carried");
	return off;
}

/*
 * What is left of a part stays in its slab until the next one is there; the
 * slab before it goes back.
 */
static void
carry(struct chunk_work *work, const struct desc *in, uint32_t left)
{
	struct chunk_state *state = work->state;
	uint32_t bytes = in->slab_off + in->bytes - left;
	bool at_end = in->flags & DESC_LAST;
	uint8_t emits = in->flags & DESC_EMIT;

	if (state->carry_slab != 0)
		emit_slab(work, in, state->carry_slab - 1, emits);
	state->carry_slab = 0;
	state->carry_bytes = bytes;
	if (bytes > 0) {
		state->carry_slab = in->slab_idx + 1;
		state->carry_off = left;
	} else {
		emit_slab(work, in, in->slab_idx,
			  emits && at_end ? emits | DESC_LAST : emits);
	}
}

/* A part of a file that is cut: looked at, or to be written not as it is. */
static void
cut_part(struct chunk_work *work, const struct desc *in)
{
	struct chunk_state *state = work->state;
	bool at_end = in->flags & DESC_LAST;
	uint32_t off = state->goes_on ? 0 : take_carried(work, in);
	uint32_t left;
	struct desc_file file;

	if ((in->flags & DESC_SCAN) && !state->goes_on)
		chunk_tally_add(&state->tally, desc_content(work->slabs, in),
				in->bytes);
	if (!chunk_cut(work, in, off, at_end, &left))
		return;
	carry(work, in, left);
	if (!at_end || !(in->flags & DESC_SCAN))
		return;
	file = facts_of(in, state, DESC_SCAN);
	end_scan(work, in->file_idx);
	/* of everything, it is still to be written */
	if (!work->rules->job->takes_all)
		file.flags |= DESC_LAST;
	else if (work->rules->job->compress)
		file.flags |= DESC_OUTLINE;
	emit_file(work, &file);
}

/* A part of a large file, or a planned range: written as it is. */
static void
emit_part(struct chunk_work *work, const struct desc *in)
{
	struct chunk_state *state = work->state;
	uint8_t flags = in->flags & (DESC_MORE | DESC_RELEASE | DESC_LAST);

	if (in->kind == DESC_RANGE) {
		state->line_next = in->line_first;
		state->file_off = in->file_off;
	}
	chunk_emit_run(work, in, in->slab_off, in->bytes, flags);
	state->in_chain = 0;
}

/*
 * Whether the slab of a file that is passed over may hold others that are
 * still on their way to be written: then it has to go back behind them, by
 * format, and the file keeps its turn until its last entry. A part of a large
 * file has its slab alone.
 */
static bool
keeps_turn(const struct chunk_work *work, const struct desc *in)
{
	return (in->flags & DESC_EMIT) &&
	       (in->kind == DESC_WHOLE || !work->rules->job->takes_all);
}

/* Ends the turn of the file that is passed over. */
static void
emit_end(struct chunk_work *work, const struct desc *in)
{
	const struct chunk_state *state = work->state;
	struct desc_file file =
		desc_end_of_lane(in, (uint8_t)state->dead_reason);

	emit_file(work, &file);
}

/* An entry of a file that is left out: only its slab matters. */
static void
pass_over(struct chunk_work *work, const struct desc *in)
{
	bool keeps = keeps_turn(work, in);

	if (in->flags & DESC_RELEASE)
		emit_slab(work, in, in->slab_idx, keeps ? DESC_EMIT : 0);
	if (keeps && (in->flags & DESC_LAST))
		emit_end(work, in);
}

/* Leaves a file out: a fact instead of its content. */
static void
leave_out(struct chunk_work *work, const struct desc *in, uint8_t reason)
{
	struct chunk_state *state = work->state;

	if (state->carry_slab != 0)
		emit_slab(work, in, state->carry_slab - 1,
			  in->flags & DESC_EMIT);
	chunk_begin_file(work, FILE_NONE);
	state->dead_file = in->file_idx + 1;
	state->dead_reason = reason;
	if (!keeps_turn(work, in))
		emit_end(work, in);
	pass_over(work, in);
}

static void
step_part(struct chunk_work *work, const struct desc *in)
{
	struct chunk_state *state = work->state;

	if (in->reason != REASON_NONE) {
		leave_out(work, in, in->reason);
		return;
	}
	if (!state->goes_on &&
	    (state->file_idx != in->file_idx || in->file_off == 0)) {
		begin_file(work, in->file_idx);
	}
	if ((in->flags & DESC_SCAN) || is_made(work, in)) {
		cut_part(work, in);
	} else {
		emit_part(work, in);
	}
}

void
chunk_step_entry(struct chunk_work *work, const struct desc *in)
{
	/* what a step that was given up has added is gone */
	query_filter_begin(&work->scratch->words);
	if (work->state->dead_file == in->file_idx + 1) {
		pass_over(work, in);
	} else if (in->kind == DESC_WHOLE && in->surveyed != 0) {
		step_surveyed(work, in);
	} else if (in->kind == DESC_WHOLE) {
		step_whole(work, in);
	} else if (in->kind == DESC_PART) {
		step_part(work, in);
	} else {
		ASSERT(in->kind == DESC_RANGE);
		emit_part(work, in);
	}
	set_state_bytes(work, in);
}

void
chunk_step_leave_out(struct chunk_work *work, const struct desc *in,
		     uint8_t reason)
{
	/* an entry of a file that is left out already ends no turn again */
	if (work->state->dead_file == in->file_idx + 1)
		pass_over(work, in);
	else
		leave_out(work, in, reason);
	set_state_bytes(work, in);
}
