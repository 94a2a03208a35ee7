/* SPDX-License-Identifier: MIT */
/*
 * stream_run.c - a piece longer than can be kept, merged as it comes.
 *
 * Does: take as much of a piece as pretoken_go_on() says is sure, in as few
 *       parts as possible, so that bpe_prefix_add() sees what repeats itself.
 * Limits: constant memory, constant time per byte.
 */
#include "tokenizer/pretoken.h"
#include "tokenizer/stream.h"

/* Merges text that is in the piece, or behind its mark. */
static void
take(const struct tokenizer *tok, struct stream *stream,
     const struct piece *piece)
{
	size_t mark = piece->mark;

	stream->has_mark = mark != PIECE_NO_MARK;
	if (!stream->has_mark) {
		bpe_prefix_add(tok, &stream->whole, piece->text, piece->taken);
		return;
	}
	if (mark == PIECE_BEFORE) {
		mark = 0;
	} else {
		bpe_prefix_add(tok, &stream->whole, piece->text, mark);
		stream->mark_tokens = stream->whole.tokens;
		bpe_prefix_init(&stream->rest);
	}
	bpe_prefix_add(tok, &stream->whole, piece->text + mark,
		       piece->taken - mark);
	bpe_prefix_add(tok, &stream->rest, piece->text + mark,
		       piece->taken - mark);
}

size_t
stream_run_begin(const struct tokenizer *tok, struct stream *stream,
		 const uint8_t *text, size_t len)
{
	struct piece piece = { .rules = pretoken_rules(tok->pattern),
			       .text = text,
			       .len = len,
			       .mark = PIECE_NO_MARK };

	piece.taken = pretoken_begin(&piece);
	stream->run = piece.kind;
	bpe_prefix_init(&stream->whole);
	take(tok, stream, &piece);
	return piece.taken;
}

size_t
stream_run_feed(const struct tokenizer *tok, struct stream *stream,
		const uint8_t *text, size_t len, bool is_end)
{
	struct piece piece = { .rules = pretoken_rules(tok->pattern),
			       .text = text,
			       .len = len,
			       .mark = PIECE_NO_MARK,
			       .kind = stream->run,
			       .is_begun = stream->whole.bytes > 0 };
	size_t end;

	if (stream->has_mark)
		piece.mark = stream->rest.bytes > 0 ? PIECE_BEFORE : 0;
	end = pretoken_go_on(&piece, 0);
	stream->run = piece.kind;
	if (piece.is_open && !is_end) {
		take(tok, stream, &piece);
		return piece.taken;
	}
	if (end != PIECE_BEFORE) {
		bpe_prefix_add(tok, &stream->whole, text, end);
		stream->tokens += stream->whole.tokens;
		stream->run = 0;
		return end;
	}
	/* What is behind the mark is a piece of the same kind. */
	stream->tokens += stream->mark_tokens;
	stream->whole = stream->rest;
	stream->has_mark = 0;
	return stream_run_feed(tok, stream, text, len, is_end);
}
