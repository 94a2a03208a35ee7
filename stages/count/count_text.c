/* SPDX-License-Identifier: MIT */
/*
 * count_text.c - tokens of texts as they are written: escaped, and with spans.
 */
#include "stages/count/count_entry.h"

#include <string.h>

#define ESCAPED_BYTES (512u << 10) /* what becomes longer has no span */

/* Scratch of a step: too large for the stack, one worker a process. */
static uint8_t escaped[ESCAPED_BYTES];

uint32_t
count_u32(uint64_t tokens)
{
	return (uint32_t)min_u64(tokens, UINT32_MAX);
}

/* Whether what is written of a text is the text. */
static bool
is_identity(const struct counting *counting)
{
	return counting->job->whole_files ||
	       markup_is_identity(&counting->job->markup);
}

/*
 * Tokens of a whole chunk, counted only if its content is new, and has not
 * been counted when it was cut (`tokens`; 0: it has not).
 */
static uint32_t
count_known(struct counting *counting, const uint8_t *text, size_t bytes,
	    uint32_t tokens, const uint8_t *fingerprint)
{
	struct count_cache *cache = counting->cache;
	uint32_t known;

	if (count_cache_find(cache, fingerprint, &known))
		return known;
	if (tokens == 0)
		tokens = count_u32(tokenizer_count(counting->tokenizer,
						   counting->token_cache, text,
						   bytes));
	count_cache_add(cache, fingerprint, tokens);
	return tokens;
}

/* How content of a run is written. */
static void
rules_of(const struct counting *counting, const struct desc *in,
	 struct markup_rules *rules)
{
	markup_rules_init(rules, &counting->job->markup);
	rules->numbers &= !desc_is_numbered(in);
}

/* Tokens of a text of which `bytes` have been escaped, and the rest not yet. */
static uint64_t
count_escaped(struct counting *counting, const struct markup_rules *rules,
	      struct markup_flow *flow, struct markup_rest *rest, size_t bytes)
{
	/* a chunk may be open: not its own */
	static struct token_stream stream;
	const struct tokenizer *tokenizer = counting->tokenizer;

	token_stream_init(&stream);
	for (;;) {
		token_stream_feed(tokenizer, counting->token_cache, &stream,
				  escaped, bytes);
		if (rest->at == rest->end)
			break;
		bytes = markup_escape_run(rules, flow, rest, escaped,
					  sizeof(escaped));
	}
	return token_stream_count(tokenizer, &stream);
}

/*
 * Tokens of a whole chunk as it is written: what is escaped is counted so,
 * and known by what it becomes, which may hang on its line.
 */
uint32_t
count_written(struct counting *counting, const struct desc *in,
	      const uint8_t *text, const uint8_t *digest)
{
	struct markup_rest rest = { text, text + in->bytes };
	struct markup_flow flow = markup_flow_at(in->line_first);
	struct markup_rules rules;
	uint8_t own[SHA256_BYTES];
	size_t bytes;

	if (is_identity(counting))
		return count_known(counting, text, in->bytes, in->tokens,
				   digest);
	rules_of(counting, in, &rules);
	bytes = markup_escape_run(&rules, &flow, &rest, escaped,
				  sizeof(escaped));
	if (rest.at == rest.end) {
		sha256_of(escaped, bytes, own);
		return count_known(counting, escaped, bytes, 0, own);
	}
	return count_u32(count_escaped(counting, &rules, &flow, &rest, bytes));
}

/* A run of a chunk that has several, as it is written. */
void
count_feed_written(struct counting *counting, const uint8_t *text, size_t bytes)
{
	struct count_state *state = counting->state;
	const struct tokenizer *tokenizer = counting->tokenizer;
	struct markup_rest rest = { text, text + bytes };
	struct markup_rules rules;

	if (is_identity(counting)) {
		token_stream_feed(tokenizer, counting->token_cache,
				  &state->stream, text, bytes);
		return;
	}
	markup_rules_init(&rules, &counting->job->markup);
	while (rest.at < rest.end) {
		size_t nr = markup_escape_run(&rules, &state->flow, &rest,
					      escaped, sizeof(escaped));

		token_stream_feed(tokenizer, counting->token_cache,
				  &state->stream, escaped, nr);
	}
}

/* The span of a text, and what it comes to by itself. */
static void
set_span(struct counting *counting, struct desc *out, const uint8_t *text,
	 size_t bytes)
{
	const struct tokenizer *tokenizer = counting->tokenizer;
	struct token_span span;

	tokenizer_span(tokenizer, counting->token_cache, text, bytes, &span);
	if (!span.found || span.tokens > UINT32_MAX) {
		span.head_len = bytes;
		span.tail_off = bytes;
		span.tokens = 0;
	}
	out->span_head = (uint32_t)span.head_len;
	out->span_tail = (uint32_t)span.tail_off;
	out->tokens = (uint32_t)span.tokens;
	/* the ends of a span are piece boundaries in any text */
	out->tokens_alone =
		span.tokens +
		tokenizer_count(tokenizer, counting->token_cache, text,
				span.head_len) +
		tokenizer_count(tokenizer, counting->token_cache,
				text + span.tail_off, bytes - span.tail_off);
}

/*
 * The same of what the format makes of a text that begins a line. What does
 * not fit has no span: format counts all of it.
 */
static void
set_span_escaped(struct counting *counting, struct desc *out,
		 const uint8_t *text)
{
	struct markup_rest rest = { text, text + out->bytes };
	struct markup_flow flow = markup_flow_at(out->line_first);
	struct markup_rules rules;
	size_t bytes;

	rules_of(counting, out, &rules);
	bytes = markup_escape_run(&rules, &flow, &rest, escaped,
				  sizeof(escaped));
	if (rest.at == rest.end) {
		set_span(counting, out, escaped, bytes);
		return;
	}
	out->span_head = 0;
	out->span_tail = 0;
	out->tokens = 0;
	out->tokens_alone =
		count_escaped(counting, &rules, &flow, &rest, bytes);
}

void
count_set_span(struct counting *counting, struct desc *out, const uint8_t *text)
{
	if (markup_is_identity(&counting->job->markup))
		set_span(counting, out, text, out->bytes);
	else
		set_span_escaped(counting, out, text);
}
