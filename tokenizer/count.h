/* SPDX-License-Identifier: MIT */
/*
 * count.h - counting text that is valid UTF-8, for this folder only.
 */
#ifndef TOKENIZER_COUNT_H
#define TOKENIZER_COUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tokenizer;
struct tokenizer_cache;

/*
 * shape:  adds the tokens of all pieces of a text to *tokens, except those that
 *         could change if more text followed; returns where these begin
 * units:  len in bytes
 */
size_t
count_closed(const struct tokenizer *tok, struct tokenizer_cache *cache,
	     const uint8_t *text, size_t len, uint64_t *tokens);

/* The input of the fast loops. */
struct count_text {
	const uint8_t *bytes;
	size_t len;
	bool at_end; /* nothing follows: an open piece ends there */
};

/*
 * shape:  like count_closed(), but stops some 80 bytes before the end at the
 *         latest; or at the end, if the text ends there and its last byte is
 *         one that needs no look beyond it. cache is not NULL, text is not
 *         empty, the pattern has a fast loop and the processor has what the
 *         name says
 */
size_t
count_avx2(const struct tokenizer *tok, struct tokenizer_cache *cache,
	   const struct count_text *text, uint64_t *tokens);
size_t
count_avx512(const struct tokenizer *tok, struct tokenizer_cache *cache,
	     const struct count_text *text, uint64_t *tokens);

/*
 * shape:  the tokens of a whole text
 * units:  len in bytes
 */
uint64_t
count_valid(const struct tokenizer *tok, struct tokenizer_cache *cache,
	    const uint8_t *text, size_t len);

#endif
