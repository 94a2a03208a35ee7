/* SPDX-License-Identifier: MIT */
/*
 * count.c - counting text that is valid UTF-8.
 *
 * Does: puts pre-tokenising, cache and merging together, with the fastest loop
 *       that the processor has, and a portable one for what that leaves.
 */
#include "tokenizer/count.h"

#include "tokenizer/bpe.h"
#include "tokenizer/cache.h"
#include "tokenizer/cpu.h"
#include "tokenizer/pretoken.h"
#include "tokenizer/vocab.h"

static uint64_t
count_piece(const struct tokenizer *tok, struct tokenizer_cache *cache,
	    const uint8_t *piece, size_t len)
{
	struct vocab_key key;
	uint64_t tokens, hash;

	if (cache == NULL || len > CACHE_LONG_BYTES)
		return bpe_count(tok, piece, len);
	if (len > CACHE_SHORT_BYTES) {
		hash = vocab_hash(piece, len);
		tokens = cache_get_long(cache, piece, len, hash);
		if (tokens == 0) {
			tokens = bpe_count(tok, piece, len);
			cache_put_long(cache, piece, len, hash,
				       (uint32_t)tokens);
		}
		return tokens;
	}
	key = cache_key(piece, len);
	tokens = cache_get_short(cache, key);
	if (tokens == 0) {
		tokens = bpe_count(tok, piece, len);
		cache_put_short(cache, key, (uint32_t)tokens);
	}
	return tokens;
}

/* Less than this is not worth the beginning of a fast loop. */
#define FAST_OPEN_BYTES 128
#define FAST_WHOLE_BYTES 48

/* As far as the processor's fastest loop goes. */
static size_t
count_fast(const struct tokenizer *tok, struct tokenizer_cache *cache,
	   const struct count_text *text, uint64_t *tokens)
{
	if (cache == NULL ||
	    text->len < (text->at_end ? FAST_WHOLE_BYTES : FAST_OPEN_BYTES))
		return 0;
	switch (cpu_level()) {
	case CPU_AVX512:
		return count_avx512(tok, cache, text, tokens);
	case CPU_AVX2:
		return count_avx2(tok, cache, text, tokens);
	case CPU_PORTABLE:
		break;
	}
	return 0;
}

static size_t
count_pieces(const struct tokenizer *tok, struct tokenizer_cache *cache,
	     const struct count_text *text, uint64_t *tokens)
{
	const struct pretoken_rules *rules = pretoken_rules(tok->pattern);
	size_t at = count_fast(tok, cache, text, tokens);

	while (at < text->len) {
		const uint8_t *piece = text->bytes + at;
		bool is_open;
		size_t end =
			pretoken_end(rules, piece, text->len - at, &is_open);

		if (is_open && !text->at_end)
			break;
		*tokens += count_piece(tok, cache, piece, end);
		at += end;
	}
	return at;
}

size_t
count_closed(const struct tokenizer *tok, struct tokenizer_cache *cache,
	     const uint8_t *text, size_t len, uint64_t *tokens)
{
	struct count_text open = { text, len, false };

	return count_pieces(tok, cache, &open, tokens);
}

uint64_t
count_valid(const struct tokenizer *tok, struct tokenizer_cache *cache,
	    const uint8_t *text, size_t len)
{
	struct count_text whole = { text, len, true };
	uint64_t tokens = 0;

	count_pieces(tok, cache, &whole, &tokens);
	return tokens;
}
