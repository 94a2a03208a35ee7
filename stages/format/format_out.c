/* SPDX-License-Identifier: MIT */
/*
 * format_out.c - counting and writing of what format makes.
 *
 * Does: keeps the pieces of a step, content straight from the slabs where it
 *       is written as it is; counts them as one text; has them written.
 * Runs in: format.
 */
#include "stages/format/format.h"

#include <errno.h>

#include "base/fault.h"
#include "catalogue/history.h"
#include "catalogue/preamble.h"

#define ESCAPE_ROOM (128u << 10) /* for a part of a content */
#define SPAN_ROOM (512u << 10)   /* for one that count made a span of */

static_assert(SPAN_ROOM <= FORMAT_TEXT_BYTES, "or it would never fit");

static void
clear(struct format *format)
{
	format->piece_nr = 0;
	format->bytes = 0;
	format->text.at = format->text_bytes;
	format->text.room = sizeof(format->text_bytes);
	format->text_start = format->text.at;
}

/* What the output says of itself, as the plan of this pass has it. */
static void
begin_preamble(struct format *format)
{
	const struct table *table = &format->catalogue->preamble;
	const struct preamble_head *head;

	format->text.preamble = NULL;
	if (!format->job->writes_preamble)
		return;
	if (!format->job->takes_all) {
		if (format->plan_nr == 0)
			return;
		head = catalogue_preamble(format->catalogue);
		ASSERT(preamble_head_valid(head));
		format->preamble = (struct markup_preamble){
			.text = table_at(table, PREAMBLE_TEXT_OFF,
					 head->text_bytes),
			.text_bytes = head->text_bytes,
		};
		if (head->directories_bytes > 0) {
			format->preamble.directories_bytes =
				head->directories_bytes;
			format->preamble.directories =
				table_at(table, PREAMBLE_DIRECTORIES_OFF,
					 head->directories_bytes);
		}
	}
	format->text.preamble = &format->preamble;
}

void
format_out_begin(struct format *format)
{
	clear(format);
	begin_preamble(format);
	format->written = 0;
	format->no_room = 0;
	if (format->state->offset == 0)
		token_stream_init(&format->state->stream);
}

uint64_t
format_out_at(const struct format *format)
{
	return format->state->offset + format->bytes +
	       (uint64_t)(format->text.at - format->text_start);
}

/* What waits; where is a matter of the state, so done again it lands in the
 * same place. */
static void
write_pieces(struct format *format)
{
	int error = format->write(format->fd, format->pieces, format->piece_nr,
				  format->state->offset);

	FAULT("written");
	if (error == 0) {
		format->state->offset += format->bytes;
		format->written += format->bytes;
	}
	if (format->error == 0)
		format->error = error;
}

static void
flush_pieces(struct format *format)
{
	format_out_text(format);
	write_pieces(format);
	clear(format);
}

static void
spill(struct markup_text *text)
{
	flush_pieces((struct format *)(void *)text);
}

/* Counts bytes, which join those before them if they lie behind them. */
static void
add_piece(struct format *format, void *bytes, size_t nr,
	  const struct token_span *span)
{
	struct iovec *last = format->pieces + format->piece_nr - 1;

	/* headers, of paths that have been counted before, have no span */
	if (span->found)
		token_stream_feed_span(format->tokenizer,
				       &format->state->stream, bytes, nr, span);
	else
		token_stream_feed(format->tokenizer, format->cache,
				  &format->state->stream, bytes, nr);
	format->bytes += nr;
	if (format->piece_nr > 0 &&
	    (char *)last->iov_base + last->iov_len == bytes) {
		last->iov_len += nr;
		return;
	}
	ASSERT(format->piece_nr < FORMAT_PIECES_MAX);
	format->pieces[format->piece_nr++] =
		(struct iovec){ .iov_base = bytes, .iov_len = nr };
}

/* What of the text is not counted yet. */
static void
add_text(struct format *format, const struct token_span *span)
{
	char *from = format->text_start;

	format->text_start = format->text.at;
	add_piece(format, from, (size_t)(format->text.at - from), span);
}

void
format_out_text(struct format *format)
{
	const struct token_span none = { .found = false };

	ASSERT(!format->text.short_of_room);
	if (format->text.at > format->text_start)
		add_text(format, &none);
}

static void
add_escaped(struct format *format, const struct desc *in,
	    const uint8_t *content, struct token_span *span)
{
	struct markup_text *text = &format->text;
	struct markup_rest rest = { content, content + in->bytes };
	const struct markup_rules *rules =
		desc_is_numbered(in) ? &format->numbered_rules : &format->rules;
	size_t room = span->found ? SPAN_ROOM : ESCAPE_ROOM;

	/* count knows nothing of what came before this run */
	if (!markup_flow_is_fresh(rules, &format->state->flow, in->line_first))
		span->found = false;
	while (rest.at < rest.end) {
		size_t nr;

		if (text->room < room)
			flush_pieces(format);
		nr = markup_escape_run(rules, &format->state->flow, &rest,
				       (uint8_t *)text->at, room);
		/* R7: of another process, and checked here */
		ASSERT(!span->found ||
		       (rest.at == rest.end && span->tail_off <= nr));
		text->at += nr;
		text->room -= nr;
		add_text(format, span);
	}
}

void
format_out_content(struct format *format, const struct desc *in,
		   uint8_t *content)
{
	struct token_span span = { .found = false };

	format_out_text(format);
	if (in->span_head < in->span_tail)
		span = (struct token_span){
			.head_len = in->span_head,
			.tail_off = in->span_tail,
			.tokens = in->tokens,
			.found = true,
		};
	if (!markup_is_identity(&format->job->markup)) {
		add_escaped(format, in, content, &span);
		return;
	}
	ASSERT(span.tail_off <= in->bytes);
	/* and one more, for a text behind it */
	if (format->piece_nr + 2 > FORMAT_PIECES_MAX)
		flush_pieces(format);
	add_piece(format, content, in->bytes, &span);
}

void
format_out_content_end(struct format *format)
{
	uint8_t held[MARKUP_STEP_BYTES];

	if (markup_is_identity(&format->job->markup))
		return;
	markup_add(
		&format->text, held,
		markup_escape_end(&format->rules, &format->state->flow, held));
	format_out_text(format);
}

int
format_out_end(struct format *format)
{
	if (format->error == 0)
		write_pieces(format);
	return format->error;
}

int
format_reserve(struct format *format, const struct table *table, uint64_t bytes)
{
	int error = format->reserve(table, bytes);

	if (error == 0)
		return 0;
	format->no_room = error;
	return -ENOBUFS;
}

void
format_out_init(struct format *format)
{
	format->markup = markup_table[format->job->markup.kind];
	format->text = (struct markup_text){
		.spill = spill,
		.options = &format->job->markup,
	};
	markup_rules_init(&format->rules, &format->job->markup);
	format->numbered_rules = format->rules;
	format->numbered_rules.numbers = false;
}
