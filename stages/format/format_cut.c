/* SPDX-License-Identifier: MIT */
/*
 * format_cut.c - while an output is written: where it may be cut.
 */
#include "stages/format/format.h"

#include "catalogue/cuts.h"

static struct cut_record *
add_cut(struct format *format, uint8_t kind, uint32_t file_idx)
{
	struct format_state *state = format->state;
	struct cut_record *cut;
	int error;

	if (!format_splits(format))
		return NULL;
	error = format_reserve(format, &format->catalogue->cuts,
			       (state->cut_nr + 1) * sizeof(*cut));
	if (error != 0) {
		format->error = error;
		return NULL;
	}
	cut = catalogue_cut(format->catalogue, state->cut_nr++);
	*cut = (struct cut_record){
		.off = format_out_at(format),
		.content_off = format_out_at(format),
		.file_idx = file_idx,
		.kind = kind,
	};
	return cut;
}

void
format_cut_file(struct format *format, uint32_t file_idx,
		const struct markup_section *section)
{
	struct format_state *state = format->state;
	struct cut_record *cut = add_cut(format, CUT_FILE, file_idx);

	if (cut == NULL)
		return;
	state->file_cut = state->cut_nr - 1;
	cut->line_first = (uint32_t)section->line_first;
	cut->line_last = (uint32_t)section->line_last;
	cut->signatures = section->signatures;
}

void
format_cut_chunk(struct format *format, uint64_t line_first)
{
	struct format_state *state = format->state;
	struct cut_record *cut;

	/* its start would be the end of a line, or there is nothing before; or
	 * there was no room for a place to cut at, which ends the step */
	if (!format_splits(format) || state->cut_nr == 0 ||
	    state->last_byte != '\n' ||
	    format_out_at(format) ==
		    catalogue_cut(format->catalogue, state->cut_nr - 1)
			    ->content_off)
		return;
	cut = add_cut(format, CUT_CHUNK, state->file_idx);
	if (cut == NULL)
		return;
	cut->line_first = (uint32_t)line_first;
	cut->line_before = (uint32_t)(state->line_next - 1);
}

void
format_cut_content(struct format *format)
{
	struct format_state *state = format->state;

	if (format_splits(format) && state->cut_nr > 0)
		catalogue_cut(format->catalogue, state->cut_nr - 1)
			->content_off = format_out_at(format);
}

void
format_cut_end(struct format *format, bool half_line)
{
	struct format_state *state = format->state;
	struct cut_record *cut = add_cut(format, CUT_END, state->file_idx);

	if (cut == NULL)
		return;
	cut->half_line = half_line;
	catalogue_cut(format->catalogue, state->file_cut)->end_cut =
		state->cut_nr - 1;
}
