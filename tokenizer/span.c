/* SPDX-License-Identifier: MIT */
/*
 * span.c - counting a part of a text so that it can be joined with the rest.
 */
#include <string.h>

#include "tokenizer/pretoken.h"
#include "tokenizer/stream.h"
#include "tokenizer/tokenizer.h"

void
tokenizer_span(const struct tokenizer *tok, struct tokenizer_cache *cache,
	       const uint8_t *text, size_t len, struct token_span *span)
{
	const struct pretoken_rules *rules = pretoken_rules(tok->pattern);
	size_t head, tail;

	memset(span, 0, sizeof(*span));
	if (tokenizer_is_estimate(tok))
		return;
	for (head = 1; head < len; head++)
		if (pretoken_is_boundary(rules, text[head - 1], text[head]))
			break;
	if (head >= len)
		return;
	for (tail = len - 1; tail > head; tail--)
		if (pretoken_is_boundary(rules, text[tail - 1], text[tail]))
			break;
	span->head_len = head;
	span->tail_off = tail;
	span->tokens = tokenizer_count(tok, cache, text + head, tail - head);
	span->found = true;
}

void
token_stream_feed_span(const struct tokenizer *tok, struct token_stream *stream,
		       const uint8_t *text, size_t len,
		       const struct token_span *span)
{
	struct stream *state = (struct stream *)stream->opaque;
	uint64_t tokens;

	if (!span->found || span->head_len > span->tail_off ||
	    span->tail_off > len) {
		token_stream_feed(tok, NULL, stream, text, len);
		return;
	}
	token_stream_feed(tok, NULL, stream, text, (size_t)span->head_len);
	tokens = token_stream_count(tok, stream) + span->tokens;
	token_stream_init(stream);
	state->tokens = tokens;
	token_stream_feed(tok, NULL, stream, text + span->tail_off,
			  len - (size_t)span->tail_off);
}
