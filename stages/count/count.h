/* SPDX-License-Identifier: MIT */
/*
 * count.h - tokens and fingerprints of chunks that may come in runs.
 *
 * Does: continues a chunk run by run, and gives its result.
 * Does not: know descriptors. Hash (base/sha256.h).
 * Invariants:
 * 1. All of it is plain data, so that a replacement can continue it.
 */
#ifndef COUNT_COUNT_H
#define COUNT_COUNT_H

#include "base/base.h"
#include "base/sha256.h"
#include "catalogue/desc.h"
#include "tokenizer/tokenizer.h"

struct count_cache_entry {
	uint8_t fingerprint[FINGERPRINT_BYTES];
	uint32_t tokens;
	uint32_t chain; /* the next of its bucket */
	uint32_t newer;
	uint32_t older;
};

/*
 * A cache of counts by content: the least recently used entry is evicted when
 * there is no more room. One block of memory; indices, UINT32_MAX: none.
 */
struct count_cache {
	struct count_cache_entry *entries;
	uint32_t *buckets;
	uint32_t bucket_mask;
	uint32_t entry_max; /* 0: keeps nothing */
	uint32_t entry_nr;
	uint32_t newest;
	uint32_t oldest;
	uint64_t hits;
	uint64_t misses;
	uint64_t evictions;
};

/*
 * shape:  an empty cache for entry_max counts; 0: one that keeps nothing
 * owner:  the caller, one block for free()
 * errors: NULL: no memory
 * calls:  once per process, before the first step
 */
struct count_cache *
count_cache_create(uint32_t entry_max);

/* true: *tokens is what this content came to; it is now the newest. */
bool
count_cache_find(struct count_cache *cache, const uint8_t *fingerprint,
		 uint32_t *tokens);

/* Keeps a count that count_cache_find() did not find. */
void
count_cache_add(struct count_cache *cache, const uint8_t *fingerprint,
		uint32_t tokens);

#endif
