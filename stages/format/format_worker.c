/* SPDX-License-Identifier: MIT */
/*
 * format_worker.c - selected runs into the output, section by section.
 *
 * Does: opens and closes sections, says what is left out between them, gives
 *       slabs back, says what a pass came to.
 * Does not: know what sections look like (markup/), count or write
 *           (format_out_worker.c).
 * Runs in: format.
 * Invariants:
 * 1. `written_bytes` is published only for what is committed.
 * 2. So is the verdict: it lets the next plan be made, and a replacement that
 *    still has the end of this pass to do reads the plan of this one.
 */
#include "stages/format/format_worker.h"

#include <errno.h>
#include <string.h>

#include "base/fault.h"
#include "shm/slab.h"
#include "stages/format/format_cost_worker.h"
#include "stages/format/format_extra_worker.h"
#include "stages/format/format_io_output.h"
#include "stages/format/format_out_worker.h"
#include "stages/format/format_section_worker.h"
#include "stages/format/format_special_worker.h"
#include "stages/format/format_split_worker.h"
#include "catalogue/plan.h"

#define AHEAD_BYTES_MAX (64u << 20) /* of what is written and not yet pumped */

static const struct markup_options *
options_of(const struct worker *worker)
{
	return &worker->run->job.markup;
}

static const struct markup_format *
format_of(const struct worker *worker)
{
	return markup_table[options_of(worker)->kind];
}

/* What stands before the first section; nothing, if there is none. */
static void
begin_output(struct worker *worker)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;

	if (state->begun)
		return;
	state->begun = 1;
	if (format_splits(worker))
		return; /* each part has one of its own */
	format_of(worker)->begin(&scratch->text, options_of(worker), NULL);
}

static void
open_section(struct worker *worker, const struct desc *in, uint64_t line_first,
	     uint64_t line_last)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;
	const struct format_lines lines = {
		.first = line_first,
		.last = line_last,
		.signatures = (in->flags & DESC_OUTLINE) != 0,
	};
	struct markup_section section =
		format_describe(worker, in->file_idx, &lines);

	section.is_first = state->section_nr == 0;
	section.chunk_line = line_first;
	begin_output(worker);
	format_cut_file(worker, in->file_idx, &lines);
	format_of(worker)->open(&scratch->text, options_of(worker), &section);
	format_out_text(worker);
	format_cut_content(worker);
	state->section_nr++;
	state->file_idx = in->file_idx;
	state->open = !section.empty && section.same_path == NULL;
	state->mutes = scratch->text.drops_content;
	state->line_first = line_first;
	state->line_last = line_last;
	state->chunk_line = line_first;
	state->gap_last = 0;
	state->signatures = lines.signatures;
	if (!state->open)
		format_cut_end(worker, false);
	state->mark_run = section.mark_run;
	state->dot_run = section.dot_run;
	state->line_next = line_first;
	state->last_byte = '\n';
	state->flow = markup_flow_at(line_first);
}

/* The open section; of most formats what marks and end depend on is enough. */
static struct markup_section
section_of(struct worker *worker)
{
	const struct format_state *state = worker->state;
	struct markup_section section = { .mark_run = state->mark_run,
					  .dot_run = state->dot_run };

	if (options_of(worker)->kind == MARKUP_TEMPLATE) {
		const struct format_lines lines = {
			.first = state->line_first,
			.last = state->line_last,
			.signatures = state->signatures,
		};

		section = format_describe(worker, state->file_idx, &lines);
		section.is_first = state->section_nr == 1;
		section.chunk_line = state->chunk_line;
		section.gap_first = state->gap_first;
		section.gap_last = state->gap_last;
	}
	return section;
}

static void
close_section(struct worker *worker)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;
	struct markup_section section;

	/* there may be no file that one could be of */
	if (!state->open)
		return;
	section = section_of(worker);
	format_out_content_end(worker);
	format_cut_end(worker, state->last_byte != '\n');
	format_of(worker)->close(&scratch->text, &section,
				 state->last_byte != '\n');
	format_out_text(worker);
	format_cut_content(worker);
	state->open = 0;
}

/* The lines that the plan takes of a file; its signatures stand before. */
static void
planned_lines(struct worker *worker, uint32_t file_idx, uint64_t *first,
	      uint64_t *last)
{
	const struct catalogue *catalogue = &worker->catalogue;
	const struct control_shm *control = worker->run->segment.control;
	/* relaxed: written before this pass was asked for */
	uint64_t nr =
		atomic_load_explicit(&control->plan_nr, memory_order_relaxed);
	uint64_t at = catalogue_plan_first(catalogue, nr, file_idx);
	const struct chunk_record *chunk;
	const struct plan_entry *entry;

	if (catalogue_plan(catalogue, at)->tier == TIER_SIGNATURES)
		at++;
	entry = catalogue_plan(catalogue, at);
	chunk = catalogue_planned(catalogue, entry);
	*first = chunk->line_first + (uint64_t)job_part_from(&worker->run->job,
							     &worker->catalogue,
							     entry);
	for (; at < nr; at++) {
		entry = catalogue_plan(catalogue, at);
		chunk = catalogue_planned(catalogue, entry);
		if (chunk->file_idx != file_idx)
			break;
		*last = chunk->line_first +
			job_part_from(&worker->run->job, &worker->catalogue,
				      entry) +
			catalogue_planned_lines(catalogue, entry) - 1;
	}
}

static void
begin_file(struct worker *worker, const struct desc *in)
{
	const struct file_facts *facts =
		catalogue_facts(&worker->catalogue, in->file_idx);
	uint64_t first = 1;
	uint64_t last = facts->line_nr;

	close_section(worker);
	if (!worker->run->job.takes_all && !(in->flags & DESC_OUTLINE))
		planned_lines(worker, in->file_idx, &first, &last);
	open_section(worker, in, first, last);
}

/* Lines that are left out before the ones of this run. */
static void
add_gap(struct worker *worker, const struct desc *in)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;
	const struct markup_section section = section_of(worker);

	format_out_content_end(worker);
	format_of(worker)->gap(&scratch->text, &section, state->line_next,
			       in->line_first - 1ull);
	format_out_text(worker);
	state->flow = markup_flow_at(in->line_first);
	state->chunk_line = in->line_first;
	state->gap_first = state->line_next;
	state->gap_last = in->line_first - 1ull;
}

static void
take_run(struct worker *worker, const struct desc *in)
{
	struct format_state *state = worker->state;
	uint8_t *text = desc_content(&worker->run->segment.slabs, in);
	/* signatures of a file and lines of it have a section each */
	bool begins =
		!state->open || state->file_idx != in->file_idx ||
		(state->signatures != 0) != ((in->flags & DESC_OUTLINE) != 0);
	bool skips;

	if (begins)
		begin_file(worker, in);
	skips = !state->mutes && !(in->flags & DESC_OUTLINE) &&
		in->line_first > state->line_next;
	if (!begins && !state->mid_chunk)
		format_cut_chunk(worker, in->line_first);
	if (skips)
		add_gap(worker, in);
	if (!begins && !state->mid_chunk)
		format_cut_content(worker);
	if (in->is_measured && !state->mid_chunk)
		format_cost_begin(worker, in);
	state->mid_chunk = (in->flags & DESC_MORE) != 0;
	if (in->bytes > 0) {
		state->last_byte = text[in->bytes - 1];
		if (!state->mutes) {
			format_special_run(worker, in, text);
			if (in->is_measured)
				format_cost_lines(worker, in, text);
			else
				format_out_content(worker, in, text);
		}
	}
	/* a run that ends within a line is gone on with on that line */
	state->line_next =
		in->line_first + in->line_nr -
		((in->flags & DESC_MORE) != 0 && state->last_byte != '\n');
	if (in->flags & DESC_LAST)
		close_section(worker);
}

static void
take_file(struct worker *worker, const struct desc *in)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;

	if (in->reason == REASON_NONE) {
		close_section(worker);
		open_section(worker, in, 1,
			     catalogue_facts(&worker->catalogue, in->file_idx)
				     ->line_nr);
	} else if (state->open && state->file_idx == in->file_idx) {
		const struct markup_section section = section_of(worker);

		/* it was being written when it went bad */
		format_out_content_end(worker);
		format_of(worker)->broken(&scratch->text, &section,
					  reason_text(in->reason));
		format_out_text(worker);
		state->last_byte = '\n';
		close_section(worker);
	}
}

static void
release(struct worker *worker, const struct desc *in)
{
	struct desc slab = { .kind = DESC_SLAB,
			     .flags = DESC_RELEASE,
			     .slab_idx = in->slab_idx };

	if (in->flags & DESC_RELEASE)
		worker_emit(worker, EDGE_FORMAT_SLABS, 0, &slab);
}

/* stdout is slower than we are: let the supervisor catch up. */
static bool
is_far_ahead(const struct worker *worker)
{
	const struct format_state *state = worker->state;
	const struct control_shm *control = worker->run->segment.control;
	/* relaxed: a hint on when to wait; the supervisor wakes us */
	uint64_t pumped = atomic_load_explicit(&control->pumped_bytes,
					       memory_order_relaxed);

	return worker->run->output_streams &&
	       state->offset - min_u64(pumped, state->offset) > AHEAD_BYTES_MAX;
}

static void
publish_written(struct worker *worker)
{
	struct format_state *state = worker->state;

	if (!worker->run->output_streams)
		return;
	/* release: the bytes are in the file */
	atomic_store_explicit(&worker->run->segment.control->written_bytes,
			      state->offset, memory_order_release);
}

static void
publish_verdict(struct worker *worker)
{
	const struct format_state *state = worker->state;
	struct control_shm *control = worker->run->segment.control;

	/* relaxed: written by this process, or by the one it replaces */
	if (atomic_load_explicit(&control->verdict_pass,
				 memory_order_relaxed) == state->verdict_pass)
		return;
	/* relaxed: `verdict_pass` publishes them */
	atomic_store_explicit(&control->verdict_bytes, state->verdict_bytes,
			      memory_order_relaxed);
	atomic_store_explicit(&control->verdict_tokens, state->verdict_tokens,
			      memory_order_relaxed);
	atomic_store_explicit(&control->part_nr, state->part_nr,
			      memory_order_relaxed); /* as above */
	atomic_store_explicit(&control->no_part, state->no_part,
			      memory_order_relaxed); /* as above */
	atomic_store_explicit(&control->line_cost_nr, state->line_cost_nr,
			      memory_order_relaxed); /* as above */
	/* release: all about the pass is whole */
	atomic_store_explicit(&control->verdict_pass, state->verdict_pass,
			      memory_order_release);
	worker_wake_stage(worker, STAGE_SELECT);
}

/*
 * What the step before came to: it is committed. A replacement says it
 * again, with the same words.
 */
static void
publish_committed(struct worker *worker)
{
	publish_written(worker);
	publish_verdict(worker);
	FAULT("told");
}

static int
format_step(struct worker *worker)
{
	struct format_state *state = worker->state;
	struct desc in;
	int taken = 0;
	int error;

	publish_committed(worker);
	if (is_far_ahead(worker))
		return STEP_AGAIN;
	if (state->offset == 0)
		token_stream_init(&state->stream);
	format_out_begin(worker);
	while (taken < FORMAT_ENTRIES_PER_STEP &&
	       worker_room(worker, EDGE_FORMAT_SLABS, 0) > 0 &&
	       worker_peek(worker, EDGE_SELECTED, 0, 0, &in)) {
		worker_position(worker, in.file_idx);
		if (in.kind == DESC_RUN)
			take_run(worker, &in);
		else if (in.kind == DESC_FILE)
			take_file(worker, &in);
		release(worker, &in);
		worker_take(worker, EDGE_SELECTED, 0);
		taken++;
	}
	if (taken == 0)
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	error = format_out_end(worker);
	return error != 0 ? error : STEP_DONE;
}

/* What cannot be written is left out; its slab goes back all the same. */
static int
format_poison(struct worker *worker)
{
	struct desc in;

	publish_committed(worker);
	if (!worker_peek(worker, EDGE_SELECTED, 0, 0, &in))
		return worker_drained(worker) ? STEP_END : STEP_AGAIN;
	if (worker_room(worker, EDGE_FORMAT_SLABS, 0) == 0)
		return STEP_AGAIN;
	release(worker, &in);
	worker_take(worker, EDGE_SELECTED, 0);
	/* relaxed: read when all workers are gone */
	atomic_fetch_add_explicit(&worker->run->segment.control->poisoned, 1,
				  memory_order_relaxed);
	return STEP_DONE;
}

/* What stands after the last section. */
static void
end_output(struct worker *worker)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;

	close_section(worker);
	if (!state->begun || format_splits(worker))
		return;
	format_of(worker)->files_end(&scratch->text, options_of(worker),
				     state->section_nr);
	format_extras(worker, &scratch->text, NULL);
	format_of(worker)->end(&scratch->text);
	format_out_text(worker);
}

/* The pass is over: the verdict, and a fresh start if there is another. */
static int
format_flush(struct worker *worker)
{
	struct format_state *state = worker->state;
	int error;

	if (worker->pass == PASS_FIRST && !worker->run->job.takes_all)
		return STEP_DONE;
	format_out_begin(worker);
	end_output(worker);
	error = format_out_end(worker);
	if (error == 0)
		error = format_special_end(worker);
	if (error == 0)
		error = format_truncate(worker->run->output_fd, state->offset);
	if (error != 0)
		return error;
	state->verdict_bytes = state->offset;
	state->verdict_tokens =
		state->offset == 0 ? 0
				   : token_stream_count(worker->run->tokenizer,
							&state->stream);
	if (format_splits(worker)) {
		error = format_split(worker);
		if (error != 0)
			return error;
	}
	state->verdict_pass = worker->pass;
	if (!worker->run->job.takes_all)
		*state = (struct format_state){
			.verdict_pass = state->verdict_pass,
			.verdict_bytes = state->verdict_bytes,
			.verdict_tokens = state->verdict_tokens,
			.part_nr = state->part_nr,
			.no_part = state->no_part,
			.line_cost_nr = state->line_cost_nr,
		};
	return STEP_DONE;
}

const struct stage_ops format_ops = {
	.init = format_out_init,
	.step = format_step,
	.flush = format_flush,
	.poison = format_poison,
	.state_bytes = sizeof(struct format_state),
};
