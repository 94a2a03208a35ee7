/* SPDX-License-Identifier: MIT */
/*
 * cache.c - how many tokens a short piece has, remembered.
 */
#include "tokenizer/cache.h"

#include <stdatomic.h>

#include "tokenizer/tokenizer.h"

size_t
tokenizer_cache_bytes(unsigned entries_log2)
{
	return sizeof(struct tokenizer_cache) +
	       (sizeof(struct cache_entry) << entries_log2);
}

struct tokenizer_cache *
tokenizer_cache_init(void *mem, unsigned entries_log2)
{
	struct tokenizer_cache *cache = mem;

	memset(mem, 0, tokenizer_cache_bytes(entries_log2));
	cache->mask = (UINT64_C(1) << entries_log2) - 1;
	return cache;
}

static uint64_t
seal(uint64_t hi)
{
	return hi * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

uint32_t
cache_get(const struct tokenizer_cache *cache, struct vocab_key key, size_t len)
{
	const struct cache_entry *entry =
		&cache->entries[vocab_hash_key(key, len) & cache->mask];
	/* Relaxed: a stale or torn entry is a miss, never a wrong hit. */
	uint64_t hi = atomic_load_explicit(&entry->hi, memory_order_relaxed);
	uint64_t lo = atomic_load_explicit(&entry->lo, memory_order_relaxed);
	uint64_t want = key.hi | (uint64_t)len << 56;

	if ((hi & ~(UINT64_C(0xf) << 60)) != want || lo != (key.lo ^ seal(hi)))
		return 0;
	return (uint32_t)(hi >> 60);
}

void
cache_put(struct tokenizer_cache *cache, struct vocab_key key, size_t len,
	  uint32_t tokens)
{
	struct cache_entry *entry =
		&cache->entries[vocab_hash_key(key, len) & cache->mask];
	uint64_t hi = key.hi | (uint64_t)len << 56 | (uint64_t)tokens << 60;

	atomic_store_explicit(&entry->lo, key.lo ^ seal(hi),
			      memory_order_relaxed);
	atomic_store_explicit(&entry->hi, hi, memory_order_relaxed);
}
