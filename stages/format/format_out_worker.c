/* SPDX-License-Identifier: MIT */
/*
 * format_out_worker.c - counting and writing of what format makes.
 *
 * Does: keeps the pieces of a step, content straight from the slabs where it
 *       is written as it is; counts them as one text; writes them.
 * Runs in: format.
 * Invariants:
 * 1. A step writes at offsets that its state names: done again, it writes
 *    the same bytes in the same place.
 */
#include "stages/format/format_out_worker.h"

#include <errno.h>
#include <stdlib.h>

#include "base/fault.h"
#include "stages/format/format_io_output.h"

void
format_out_begin(struct worker *worker)
{
	struct format_scratch *scratch = worker->scratch;

	scratch->piece_nr = 0;
	scratch->bytes = 0;
	scratch->escaped_nr = 0;
	scratch->text.at = scratch->text_bytes;
	scratch->text.room = sizeof(scratch->text_bytes);
	scratch->text.short_of_room = false;
	scratch->text.options = &worker->run->job.markup;
	scratch->text_start = scratch->text.at;
}

uint64_t
format_out_at(const struct worker *worker)
{
	const struct format_state *state = worker->state;
	const struct format_scratch *scratch = worker->scratch;

	return state->offset + scratch->bytes +
	       (uint64_t)(scratch->text.at - scratch->text_start);
}

static int
write_pieces(struct worker *worker)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;
	int error = format_write_all(worker->run->output_fd, scratch->pieces,
				     scratch->piece_nr, state->offset);

	FAULT("written");
	if (error != 0)
		return error;
	stat_add(worker->shm, STAT_bytes, scratch->bytes);
	state->offset += scratch->bytes;
	return 0;
}

/*
 * What waits goes out before its step is over. Where is a matter of the
 * state, so done again it lands in the same place.
 */
static void
flush_pieces(struct worker *worker)
{
	struct format_scratch *scratch = worker->scratch;
	int error;

	format_out_text(worker);
	error = write_pieces(worker);
	if (scratch->error == 0)
		scratch->error = error;
	format_out_begin(worker);
}

static void
spill(struct markup_text *text)
{
	flush_pieces(((struct format_scratch *)(void *)text)->worker);
}

static void
add_piece(struct format_scratch *scratch, void *bytes, size_t nr)
{
	ASSERT(scratch->piece_nr < FORMAT_PIECES_MAX);
	scratch->pieces[scratch->piece_nr++] =
		(struct iovec){ .iov_base = bytes, .iov_len = nr };
	scratch->bytes += nr;
}

void
format_out_text(struct worker *worker)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;
	size_t nr = (size_t)(scratch->text.at - scratch->text_start);

	ASSERT(!scratch->text.short_of_room);
	if (nr == 0)
		return;
	token_stream_feed(worker->run->tokenizer, NULL, &state->stream,
			  (const uint8_t *)scratch->text_start, nr);
	add_piece(scratch, scratch->text_start, nr);
	scratch->text_start = scratch->text.at;
}

/* Room for two more pieces, and for so many bytes of what is escaped. */
static uint8_t *
make_room(struct worker *worker, size_t nr)
{
	struct format_scratch *scratch = worker->scratch;

	if (scratch->piece_nr + 2 >= FORMAT_PIECES_MAX ||
	    nr > sizeof(scratch->escaped) - scratch->escaped_nr)
		flush_pieces(worker);
	return scratch->escaped + scratch->escaped_nr;
}

static void
feed(struct worker *worker, uint8_t *bytes, size_t nr,
     const struct token_span *span)
{
	struct format_state *state = worker->state;

	token_stream_feed_span(worker->run->tokenizer, NULL, &state->stream,
			       bytes, nr, span);
	add_piece(worker->scratch, bytes, nr);
}

static void
add_escaped(struct worker *worker, const struct desc *in,
	    const uint8_t *content, struct token_span *span)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;
	const uint8_t *end = content + in->bytes;
	/* what count made the span of fits half of the room */
	size_t room = span->found ? sizeof(scratch->escaped) / 2
				  : sizeof(scratch->escaped) / 8;

	/* count knows nothing of what came before this run */
	if (!markup_flow_is_fresh(&scratch->rules, &state->flow,
				  in->line_first))
		span->found = false;
	while (content < end) {
		uint8_t *to = make_room(worker, room);
		size_t nr = markup_escape_run(&scratch->rules, &state->flow,
					      &content, end, to, room);

		/* R7: of another process, and checked here */
		ASSERT(!span->found ||
		       (content == end && span->tail_off <= nr));
		feed(worker, to, nr, span);
		scratch->escaped_nr += nr;
	}
}

void
format_out_content(struct worker *worker, const struct desc *in,
		   uint8_t *content)
{
	struct token_span span = {
		.head_len = in->span_head,
		.tail_off = in->span_tail,
		.tokens = in->tokens,
		.found = in->span_head < in->span_tail,
	};

	if (!span.found)
		span = (struct token_span){ .found = false };
	if (!markup_is_identity(&worker->run->job.markup)) {
		add_escaped(worker, in, content, &span);
		return;
	}
	ASSERT(span.tail_off <= in->bytes);
	make_room(worker, 0);
	feed(worker, content, in->bytes, &span);
}

void
format_out_content_end(struct worker *worker)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;
	uint8_t held[MARKUP_STEP_BYTES];

	if (markup_is_identity(&worker->run->job.markup))
		return;
	markup_add(&scratch->text, held,
		   markup_escape_end(&scratch->rules, &state->flow, held));
	format_out_text(worker);
}

int
format_out_end(struct worker *worker)
{
	const struct format_scratch *scratch = worker->scratch;

	return scratch->error != 0 ? scratch->error : write_pieces(worker);
}

int
format_reserve(const struct worker *worker, const struct table *table,
	       uint64_t bytes)
{
	const struct format_scratch *scratch = worker->scratch;
	int error = table_reserve(table, bytes);

	if (error == 0)
		return 0;
	if (scratch->error != -ENOBUFS)
		worker_say_no_room(error);
	return -ENOBUFS;
}

int
format_out_init(struct worker *worker)
{
	struct format_scratch *scratch = malloc(sizeof(*scratch));

	if (scratch == NULL)
		return -ENOMEM;
	scratch->text = (struct markup_text){ .spill = spill };
	scratch->worker = worker;
	scratch->error = 0;
	markup_rules_init(&scratch->rules, &worker->run->job.markup);
	worker->scratch = scratch;
	return 0;
}
