/* SPDX-License-Identifier: MIT */
/*
 * format_section.c - runs into sections: their headers, what is left out
 * between runs, their ends.
 *
 * Does not: know what a section looks like (markup/).
 * Runs in: format.
 */
#include "stages/format/format.h"

#include "base/diag.h"
#include "catalogue/files.h"
#include "catalogue/plan.h"

static void
open_section(struct format *format, uint32_t file_idx,
	     const struct section_lines *lines)
{
	struct format_state *state = format->state;
	struct markup_section section =
		format_describe(format, file_idx, lines);

	section.is_first = state->section_nr == 0;
	format_describe_all(format);
	/* each part has a beginning of its own */
	if (!state->begun && !format_splits(format))
		format->markup->begin(&format->text, &format->job->markup,
				      NULL);
	state->begun = 1;
	format_cut_file(format, file_idx, &section);
	format->markup->open(&format->text, &format->job->markup, &section);
	format_out_text(format);
	format_cut_content(format);
	state->section_nr++;
	state->file_idx = file_idx;
	state->open = !section.empty && section.same_path == NULL;
	state->mutes = format->text.drops_content;
	state->lines = *lines;
	state->chunk_line = lines->first;
	state->gap_last = 0;
	if (!state->open)
		format_cut_end(format, false);
	state->line_next = lines->first;
	state->last_byte = '\n';
	state->flow = markup_flow_at(lines->first);
	state->mid_chunk = 0;
	state->mid_outline = 0;
	state->in_lines = 0;
}

/* The open section. */
static struct markup_section
section_of(struct format *format)
{
	const struct format_state *state = format->state;
	struct markup_section section =
		format_describe(format, state->file_idx, &state->lines);

	section.is_first = state->section_nr == 1;
	section.chunk_line = state->chunk_line;
	section.gap_first = state->gap_first;
	section.gap_last = state->gap_last;
	return section;
}

/* The lines that the plan takes of a file from an entry on. */
static struct section_lines
planned_lines(const struct format *format, uint32_t file_idx, uint64_t at)
{
	const struct catalogue *catalogue = format->catalogue;
	struct section_lines lines = { .first = 0 };

	for (uint64_t i = at; i < format->plan_nr; i++) {
		const struct plan_entry *entry = catalogue_plan(catalogue, i);
		const struct chunk_record *chunk =
			catalogue_planned(catalogue, entry);
		uint64_t first =
			chunk->line_first +
			(uint64_t)job_part_from(format->job, catalogue, entry);

		ASSERT(plan_entry_valid(entry));
		if (i == at)
			lines.first = first;
		else if (chunk->file_idx != file_idx)
			break;
		lines.last =
			first + catalogue_planned_lines(catalogue, entry) - 1;
	}
	return lines;
}

/* Lines that are left out, up to this one. */
static void
add_gap(struct format *format, uint64_t line_last)
{
	struct format_state *state = format->state;
	const struct markup_section section = section_of(format);

	format_out_content_end(format);
	format->markup->gap(&format->text, &section, state->line_next,
			    line_last);
	format_out_text(format);
	state->flow = markup_flow_at(line_last + 1);
	state->chunk_line = line_last + 1;
	state->gap_first = state->line_next;
	state->gap_last = line_last;
	state->line_next = line_last + 1;
}

/* Behind lines among signatures, how many are left out there. */
static void
end_lines(struct format *format)
{
	const struct format_state *state = format->state;

	if (!state->mutes && state->lines.signatures && state->in_lines &&
	    state->line_next <= state->lines.last)
		add_gap(format, state->lines.last);
}

static void
close_section(struct format *format)
{
	struct format_state *state = format->state;
	bool half_line = state->last_byte != '\n';
	struct markup_section section;

	/* there may be no file that one could be of */
	if (!state->open)
		return;
	end_lines(format);
	section = section_of(format);
	format_out_content_end(format);
	format_cut_end(format, half_line);
	markup_close(&format->text, format->markup, &section, half_line);
	format_out_text(format);
	format_cut_content(format);
	state->open = 0;
}

/* ---- what comes from select -------------------------------------------- */

static struct section_lines
lines_of_all(const struct format *format, uint32_t file_idx, bool signatures)
{
	return (struct section_lines){
		.first = 1,
		.last = catalogue_facts(format->catalogue, file_idx)->line_nr,
		.signatures = signatures,
	};
}

/* What of a file is written; its signatures stand before its chunks. */
static struct section_lines
lines_of(const struct format *format, const struct desc *in)
{
	const struct catalogue *catalogue = format->catalogue;
	uint64_t at;

	if (format->job->takes_all)
		return lines_of_all(format, in->file_idx,
				    (in->flags & DESC_OUTLINE) != 0);
	at = catalogue_plan_first(catalogue, format->plan_nr, in->file_idx);
	return catalogue_plan(catalogue, at)->tier == TIER_SIGNATURES
		       ? lines_of_all(format, in->file_idx, true)
		       : planned_lines(format, in->file_idx, at);
}

static void
begin_file(struct format *format, const struct desc *in)
{
	struct section_lines lines = lines_of(format, in);

	close_section(format);
	open_section(format, in->file_idx, &lines);
}

static void
add_content(struct format *format, const struct desc *in)
{
	struct format_state *state = format->state;
	uint8_t *text = desc_content(format->slabs, in);

	state->last_byte = text[in->bytes - 1];
	if (state->mutes)
		return;
	format_special_run(format, in, text);
	if (in->is_measured)
		format_cost_lines(format, in, text);
	else
		format_out_content(format, in, text);
}

/* What is left out before a run, if anything is. Before signatures that is only
 * said behind lines, and if it is known where they begin. */
static void
add_gap_before(struct format *format, const struct desc *in)
{
	const struct format_state *state = format->state;
	bool signatures = (in->flags & DESC_OUTLINE) != 0;

	if (state->mutes || in->line_first <= state->line_next)
		return;
	if (!signatures || (state->in_lines && in->line_nr > 0))
		add_gap(format, in->line_first - 1ull);
}

/* The next line behind a run; signatures say which ones they are of. */
static void
set_line_next(struct format_state *state, const struct desc *in)
{
	bool goes_on = (in->flags & DESC_MORE) != 0;
	uint64_t next = in->line_first + (uint64_t)in->line_nr;

	if (in->flags & DESC_OUTLINE)
		state->line_next = max_u64(state->line_next, next);
	else /* a run that ends within a line is gone on with on that line */
		state->line_next = next - (goes_on && state->last_byte != '\n');
}

/* Numbers of lines go on with a chunk, or a text, among signatures, whose lines
 * have theirs. */
static void
set_flow_line(struct format_state *state, const struct desc *in)
{
	if (state->lines.signatures && !desc_is_numbered(in) &&
	    !state->flow.mid_line)
		state->flow.line = in->line_first;
}

static void
take_run(struct format *format, const struct desc *in)
{
	struct format_state *state = format->state;
	bool signatures = (in->flags & DESC_OUTLINE) != 0;
	uint32_t *mid = signatures ? &state->mid_outline : &state->mid_chunk;
	bool begins = !state->open || state->file_idx != in->file_idx;
	bool goes_on;

	if (begins)
		begin_file(format, in);
	goes_on = *mid;
	if (!begins && !goes_on)
		format_cut_chunk(format, in->line_first);
	add_gap_before(format, in);
	if (!begins && !goes_on)
		format_cut_content(format);
	if (in->is_measured && !goes_on)
		format_cost_begin(format, in);
	*mid = (in->flags & DESC_MORE) != 0;
	if (in->bytes > 0) {
		if (signatures || !goes_on)
			set_flow_line(state, in);
		add_content(format, in);
		state->in_lines = !signatures;
	}
	set_line_next(state, in);
	if (in->flags & DESC_LAST)
		close_section(format);
}

static void
take_file(struct format *format, const struct desc *in)
{
	struct format_state *state = format->state;

	if (in->reason == REASON_NONE) {
		struct section_lines lines = lines_of_all(
			format, in->file_idx, (in->flags & DESC_OUTLINE) != 0);

		close_section(format);
		open_section(format, in->file_idx, &lines);
	} else if (state->open && state->file_idx == in->file_idx) {
		const struct markup_section section = section_of(format);

		/* it was being written when it went bad */
		format_out_content_end(format);
		format->markup->broken(&format->text, &section,
				       reason_text(in->reason));
		format_out_text(format);
		state->last_byte = '\n';
		state->in_lines = 0;
		close_section(format);
	}
}

void
format_take(struct format *format, const struct desc *in)
{
	if (in->kind == DESC_RUN)
		take_run(format, in);
	else if (in->kind == DESC_FILE)
		take_file(format, in);
}

/* What stands after the last section. */
static void
end_output(struct format *format)
{
	struct format_state *state = format->state;

	close_section(format);
	if (!state->begun || format_splits(format))
		return;
	format->markup->files_end(&format->text, &format->job->markup,
				  state->section_nr);
	format_extras(format, &format->text, NULL);
	markup_end(&format->text, format->markup);
	format_out_text(format);
}

int
format_finish(struct format *format, uint64_t pass)
{
	struct format_state *state = format->state;
	uint64_t end;
	int error;

	end_output(format);
	error = format_out_end(format);
	if (error == 0)
		error = format_special_end(format);
	if (error != 0)
		return error;
	end = state->offset;
	state->verdict_pass = pass;
	state->verdict.bytes = end;
	state->verdict.tokens = end == 0 ? 0
					 : token_stream_count(format->tokenizer,
							      &state->stream);
	if (format_splits(format))
		error = format_split(format, &end);
	if (error == 0)
		error = format->truncate(format->fd, end);
	if (error == 0 && !format->job->takes_all)
		*state = (struct format_state){
			.verdict_pass = state->verdict_pass,
			.verdict = state->verdict,
		};
	return error;
}
