/* SPDX-License-Identifier: MIT */
/*
 * span.c - counting a part of a text so that it can be joined with the rest.
 *
 * A place begins a new piece whatever surrounds the text if
 *   (a) a byte of ASCII that is neither white space nor a control character
 *       lies before it and a blank or a tab behind it: no pattern has white
 *       space but at the beginning of a piece or in a run of white space,
 *       and such a run has nothing else before it; or
 *   (b) a newline lies before it and such a byte of ASCII behind it: newlines
 *       are at the end of their piece, and no piece goes on behind its
 *       newlines but with more of them, or with slashes. Only for patterns
 *       that end white space at newlines: elsewhere the last character of the
 *       run would be a piece of its own here, but not at the end of a text.
 * In both cases what lies before the place is cut as if the text ended there.
 */
#include <string.h>

#include "tokenizer/pretoken.h"
#include "tokenizer/stream.h"
#include "tokenizer/tokenizer.h"

static bool
is_graphic(uint8_t byte)
{
	return byte > ' ' && byte < 0x7f;
}

static bool
is_border(const struct pretoken_rules *rules, uint8_t before, uint8_t behind)
{
	if (is_graphic(before))
		return behind == ' ' || behind == '\t';
	return rules->newlines && (before == '\n' || before == '\r') &&
	       is_graphic(behind) && behind != '/';
}

void
tokenizer_span(const struct tokenizer *tok, struct tokenizer_cache *cache,
	       const uint8_t *text, size_t len, struct token_span *span)
{
	const struct pretoken_rules *rules = pretoken_rules(tok->pattern);
	size_t head, tail;

	memset(span, 0, sizeof(*span));
	for (head = 1; head < len; head++)
		if (is_border(rules, text[head - 1], text[head]))
			break;
	if (head >= len)
		return;
	for (tail = len - 1; tail > head; tail--)
		if (is_border(rules, text[tail - 1], text[tail]))
			break;
	span->head_len = head;
	span->tail_off = tail;
	span->tokens = tokenizer_count(tok, cache, text + head, tail - head);
	span->found = true;
}

void
token_stream_feed_span(const struct tokenizer *tok,
		       struct tokenizer_cache *cache,
		       struct token_stream *stream, const uint8_t *text,
		       size_t len, const struct token_span *span)
{
	struct stream *state = (struct stream *)stream->opaque;
	uint64_t tokens;

	if (!span->found || span->head_len > span->tail_off ||
	    span->tail_off > len) {
		token_stream_feed(tok, cache, stream, text, len);
		return;
	}
	token_stream_feed(tok, cache, stream, text, (size_t)span->head_len);
	tokens = token_stream_count(tok, stream) + span->tokens;
	token_stream_init(stream);
	state->tokens = tokens;
	token_stream_feed(tok, cache, stream, text + span->tail_off,
			  len - (size_t)span->tail_off);
}
