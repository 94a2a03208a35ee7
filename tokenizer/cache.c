/* SPDX-License-Identifier: MIT */
/*
 * cache.c - how many tokens a piece has, remembered.
 *
 * All accesses are relaxed: a stale or torn entry is a miss, never a wrong
 * hit (see the crash note in cache.h).
 */
#include "tokenizer/cache.h"

#include "tokenizer/tokenizer.h"

#define GET(field) atomic_load_explicit(&(field), memory_order_relaxed)
#define PUT(field, value) \
	atomic_store_explicit(&(field), value, memory_order_relaxed)

size_t
tokenizer_cache_bytes(unsigned entries_log2)
{
	return sizeof(struct tokenizer_cache) +
	       (sizeof(struct cache_short) << entries_log2) +
	       (sizeof(struct cache_long) << (entries_log2 - 4));
}

struct tokenizer_cache *
tokenizer_cache_init(void *mem, unsigned entries_log2)
{
	struct tokenizer_cache *cache = mem;

	memset(mem, 0, tokenizer_cache_bytes(entries_log2));
	cache->short_mask = (UINT64_C(1) << entries_log2) - 1;
	cache->long_mask = (UINT64_C(1) << (entries_log2 - 4)) - 1;
	cache->long_off =
		sizeof(*cache) + (sizeof(struct cache_short) << entries_log2);
	return cache;
}

/* Exchanges an entry with the one beside it. */
static void
swap_places(struct tokenizer_cache *cache, uint64_t idx)
{
	struct cache_short *first = &cache->shorts[idx];
	struct cache_short *second = &cache->shorts[idx ^ 1];
	uint64_t lo = GET(first->lo), hi = GET(first->hi);

	PUT(first->lo, GET(second->lo));
	PUT(first->hi, GET(second->hi));
	PUT(second->lo, lo);
	PUT(second->hi, hi);
}

uint32_t
cache_get_short(struct tokenizer_cache *cache, struct vocab_key key, size_t len)
{
	const uint64_t want = key.hi | (uint64_t)len << 56;
	uint64_t idx = vocab_hash_key(key, len) & cache->short_mask;
	unsigned i;

	for (i = 0; i < 2; i++) {
		const struct cache_short *entry = &cache->shorts[idx ^ i];
		uint64_t hi = GET(entry->hi);
		uint64_t lo = GET(entry->lo);

		if ((hi & ~(UINT64_C(0xf) << 60)) != want ||
		    lo != (key.lo ^ cache_seal(hi)))
			continue;
		/* It is wanted again: next time it is found at once. */
		if (i == 1)
			swap_places(cache, idx);
		return (uint32_t)(hi >> 60);
	}
	return 0;
}

/* What was in the place of the key goes to the one beside it. */
void
cache_put_short(struct tokenizer_cache *cache, struct vocab_key key, size_t len,
		uint32_t tokens)
{
	const uint64_t hi =
		key.hi | (uint64_t)len << 56 | (uint64_t)tokens << 60;
	uint64_t idx = vocab_hash_key(key, len) & cache->short_mask;
	struct cache_short *entry = &cache->shorts[idx];
	struct cache_short *second = &cache->shorts[idx ^ 1];

	PUT(second->lo, GET(entry->lo));
	PUT(second->hi, GET(entry->hi));
	PUT(entry->lo, key.lo ^ cache_seal(hi));
	PUT(entry->hi, hi);
}

/* Word i of a piece, zero behind its end. */
static inline uint64_t
word_at(const uint8_t *piece, size_t len, size_t i)
{
	uint64_t word = 0;

	if (len >= 8 * i + 8)
		return vocab_load64(piece + 8 * i);
	if (len > 8 * i)
		memcpy(&word, piece + 8 * i, len - 8 * i);
	return word;
}

/* The length in the head of an entry that has the rest of a piece. */
#define REST_LEN 0xff

static bool
same_words(const struct cache_long *entry, const uint8_t *piece, size_t len)
{
	size_t i;

	for (i = 0; i < CACHE_LONG_WORDS && 8 * i < len; i++)
		if (GET(entry->words[i]) != word_at(piece, len, i))
			return false;
	return true;
}

uint32_t
cache_get_long(const struct tokenizer_cache *cache, const uint8_t *piece,
	       size_t len, uint64_t hash)
{
	struct cache_long *entry = cache_long(cache, hash);
	uint64_t head = GET(entry->head);

	if ((head & ~UINT64_C(0xff00)) != cache_long_head(hash, len) ||
	    !same_words(entry, piece, len))
		return 0;
	if (len > CACHE_PART_BYTES) {
		entry = cache_long(cache, hash ^ 1);
		if (GET(entry->head) != cache_long_head(hash, REST_LEN) ||
		    !same_words(entry, piece + CACHE_PART_BYTES,
				len - CACHE_PART_BYTES))
			return 0;
	}
	return (uint32_t)(head >> 8) & 0xff;
}

void
cache_put_long(struct tokenizer_cache *cache, const uint8_t *piece, size_t len,
	       uint64_t hash, uint32_t tokens)
{
	struct cache_long *entry = cache_long(cache, hash);
	size_t i;

	if (len > CACHE_PART_BYTES) {
		struct cache_long *rest = cache_long(cache, hash ^ 1);

		for (i = 0; i < CACHE_LONG_WORDS; i++)
			PUT(rest->words[i],
			    word_at(piece, len, i + CACHE_LONG_WORDS));
		PUT(rest->head, cache_long_head(hash, REST_LEN));
	}
	for (i = 0; i < CACHE_LONG_WORDS; i++)
		PUT(entry->words[i], word_at(piece, len, i));
	PUT(entry->head, cache_long_head(hash, len) | (uint64_t)tokens << 8);
}
