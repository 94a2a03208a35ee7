/* SPDX-License-Identifier: MIT */
/*
 * cache.h - how many tokens a piece has, remembered.
 *
 * Two tables in the caller's memory. A key has one place, and in the short
 * table a second one beside it for what was there before:
 *
 *   short  16 bytes: up to 15 bytes of the piece, zero behind its end, and a
 *          last byte with the length (low four bits) and the tokens (high)
 *   long   64 bytes: a word with the length, the tokens and 48 bits of the
 *          hash, and up to 56 bytes of the piece, zero behind its end. The
 *          rest of a longer piece, up to 112 bytes, is in the entry beside it,
 *          with the same hash and a length that no piece has
 *
 * The key is compared in full, so a hit is always right.
 *
 * Crash note: an entry may be torn between its words by a writer that died or
 * is at work, and may be changed while it is read. The first word of a short
 * entry is stored mixed with the second; a long entry has the hash beside the
 * tokens. So parts that were not written together do not look like any key.
 */
#ifndef TOKENIZER_CACHE_H
#define TOKENIZER_CACHE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tokenizer/vocab.h"

#define CACHE_SHORT_BYTES 15
#define CACHE_PART_BYTES 56
#define CACHE_LONG_BYTES (2 * CACHE_PART_BYTES)
#define CACHE_LONG_WORDS (CACHE_PART_BYTES / 8)

struct cache_short {
	_Atomic uint64_t lo;
	_Atomic uint64_t hi;
};

struct cache_long {
	_Atomic uint64_t head; /* hash (48 bits), tokens (8), length (8) */
	_Atomic uint64_t words[CACHE_LONG_WORDS];
};

struct tokenizer_cache {
	uint64_t short_mask;
	uint64_t long_mask;
	uint64_t long_off; /* from the beginning of this struct */
	uint64_t pad[5];
	struct cache_short shorts[];
};

static inline uint64_t
cache_seal(uint64_t hi)
{
	return hi * UINT64_C(0x9e3779b97f4a7c15) + 1;
}

static inline struct cache_long *
cache_long(const struct tokenizer_cache *cache, uint64_t hash)
{
	struct cache_long *longs = (void *)((uintptr_t)cache + cache->long_off);

	return &longs[hash & cache->long_mask];
}

static inline uint64_t
cache_long_head(uint64_t hash, size_t len)
{
	return (hash & ~UINT64_C(0xffff)) | len;
}

/*
 * shape:  the tokens of a piece, 0 if they are not known
 * units:  len in bytes, 1 to CACHE_SHORT_BYTES
 */
uint32_t
cache_get_short(struct tokenizer_cache *cache, struct vocab_key key,
		size_t len);

/*
 * shape:  remembers the tokens of a piece in the place of another one
 * units:  len in bytes, 1 to CACHE_SHORT_BYTES; tokens is 1 to len
 */
void
cache_put_short(struct tokenizer_cache *cache, struct vocab_key key, size_t len,
		uint32_t tokens);

/*
 * The same for 1 to CACHE_LONG_BYTES, with the piece's vocab_hash().
 */
uint32_t
cache_get_long(const struct tokenizer_cache *cache, const uint8_t *piece,
	       size_t len, uint64_t hash);

void
cache_put_long(struct tokenizer_cache *cache, const uint8_t *piece, size_t len,
	       uint64_t hash, uint32_t tokens);

#endif
