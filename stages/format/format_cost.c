/* SPDX-License-Identifier: MIT */
/*
 * format_cost.c - what the lines of a chunk come to in the output.
 *
 * Does: feeds the content line by line, and writes down what the output has
 *       come to behind each.
 * Does not: know which part is taken: that is for the next plan to say.
 * Runs in: format.
 * Limits: where a text is cut, its last token may be another one: a record may
 *         be a token or two more than an output that ends there.
 */
#include "stages/format/format.h"

#include <string.h>

#include "catalogue/line_costs.h"

static void
note(struct format *format, uint32_t file_idx)
{
	struct format_state *state = format->state;
	const struct table *table = &format->catalogue->line_costs;
	uint64_t nr = state->verdict.line_cost_nr;

	int error = format_reserve(format, table,
				   (nr + 1) * sizeof(struct line_cost));

	if (error != 0) {
		format->error = error;
		return;
	}
	*catalogue_line_cost(format->catalogue, nr) = (struct line_cost){
		.tokens = token_stream_count(format->tokenizer, &state->stream),
		.file_idx = file_idx,
		.line = state->cost_line,
	};
	state->verdict.line_cost_nr++;
}

void
format_cost_begin(struct format *format, const struct desc *in)
{
	struct format_state *state = format->state;

	if (!state->measures)
		state->verdict.line_cost_nr = 0;
	state->measures = 1;
	state->cost_line = in->line_first - (in->line_first > 0);
	note(format, in->file_idx);
}

void
format_cost_lines(struct format *format, const struct desc *in, uint8_t *text)
{
	struct format_state *state = format->state;
	struct desc line = *in;
	uint32_t nr;

	line.span_head = 0;
	line.span_tail = 0;
	for (uint32_t off = 0; off < in->bytes; off += nr) {
		const uint8_t *end = memchr(text + off, '\n', in->bytes - off);

		nr = end == NULL ? in->bytes - off
				 : (uint32_t)(end + 1 - (text + off));
		line.bytes = nr;
		format_out_content(format, &line, text + off);
		if (end == NULL && (in->flags & DESC_MORE))
			continue;
		state->cost_line++;
		note(format, in->file_idx);
	}
}
