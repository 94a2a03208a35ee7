/* SPDX-License-Identifier: MIT */
/*
 * test_tokenizer_ways.h - all ways to count a text have to give one number.
 *
 * Ends the program where they do not, so that a fuzzer notices.
 */
#ifndef TESTS_SUPPORT_TEST_TOKENIZER_WAYS_H
#define TESTS_SUPPORT_TEST_TOKENIZER_WAYS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokenizer/tokenizer.h"

static inline void
ways_differ(const char *way, uint64_t got, uint64_t want)
{
	fprintf(stderr, "%s: got %llu tokens, want %llu\n", way,
		(unsigned long long)got, (unsigned long long)want);
	abort();
}

/* Cuts are drawn from the seed. */
static inline void
ways_check_cuts(const struct tokenizer *tok, struct tokenizer_cache *cache,
		const uint8_t *text, size_t len, uint64_t want, uint32_t seed)
{
	struct token_stream plain, spans;
	struct token_span span;
	size_t at = 0;

	token_stream_init(&plain);
	token_stream_init(&spans);
	while (at < len) {
		size_t some;
		uint8_t *part;

		seed = seed * 1664525u + 1013904223u;
		some = 1 + (seed >> 9) % ((seed >> 30) ? 9 : 700);
		if (some > len - at)
			some = len - at;
		/* As long as it is, so that a sanitizer sees overruns. */
		part = malloc(some);
		if (part == NULL)
			abort();
		memcpy(part, text + at, some);
		token_stream_feed(tok, cache, &plain, part, some);
		tokenizer_span(tok, cache, part, some, &span);
		token_stream_feed_span(tok, &spans, part, some, &span);
		free(part);
		at += some;
	}
	if (token_stream_count(tok, &plain) != want)
		ways_differ("stream", token_stream_count(tok, &plain), want);
	if (token_stream_count(tok, &spans) != want)
		ways_differ("spans", token_stream_count(tok, &spans), want);
}

/* The ids, which the caller frees; *nr is how many. */
static inline uint32_t *
ways_check(const struct tokenizer *tok, struct tokenizer_cache *cache,
	   const uint8_t *text, size_t len, uint32_t seed, size_t *nr)
{
	uint32_t *ids =
		malloc((tokenizer_encode_bound(len) + 1) * sizeof(*ids));
	uint64_t got;

	if (ids == NULL)
		abort();
	*nr = tokenizer_encode(tok, text, len, ids);
	got = tokenizer_count(tok, NULL, text, len);
	if (got != *nr)
		ways_differ("count", got, *nr);
	got = tokenizer_count(tok, cache, text, len);
	if (got != *nr)
		ways_differ("count with a cache", got, *nr);
	ways_check_cuts(tok, cache, text, len, *nr, seed);
	return ids;
}

#endif
