/* SPDX-License-Identifier: MIT */
/*
 * cache.h - a cache of the token counts of pieces.
 *
 * Two tables in the caller's memory:
 *
 *   short  16 bytes: up to 15 bytes of the piece with all bits inverted, zero
 *          after its end, and a last byte with the tokens. No byte of valid
 *          UTF-8 is 0xff, so the zeros also tell the length, and an entry of
 *          zeros is free. Four entries are a line of the processor's cache: a
 *          piece has one place, and a piece that it evicts moves to the others
 *          of the line.
 *   long   64 bytes: a word with the length, the tokens and 48 bits of the
 *          hash, and up to 56 bytes of the piece, zero after its end. The rest
 *          of a longer piece, up to 112 bytes, is in the entry beside it, with
 *          the same hash and a length that no piece has
 *
 * The key is compared in full, so a hit is always right.
 *
 * What is used of a table is a beginning that doubles when half as many pieces
 * were put in as it has entries: a small text touches few pages.
 *
 * Crash note: processors with AVX read and write 16 aligned bytes at once, so
 * a short entry is never torn. On others its two words are mixed with each
 * other (`seal`). A long entry has the hash beside the tokens. So parts that
 * were not written together match no key.
 * source: Intel SDM volume 3, "Guaranteed Atomic Operations"; AMD64
 *         Architecture Programmer's Manual volume 2, "Access Atomicity"
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

/* Bits of a hash that are not in the head of a long entry. */
#define CACHE_LONG_SHIFT 16

/* Entries of a line. */
#define CACHE_WAYS 4

struct cache_short {
	_Alignas(16) _Atomic uint64_t lo;
	_Atomic uint64_t hi;
};

struct cache_long {
	_Atomic uint64_t head; /* hash (48 bits), tokens (8), length (8) */
	_Atomic uint64_t words[CACHE_LONG_WORDS];
};

struct tokenizer_cache {
	_Atomic uint64_t short_mask; /* of offsets of entries, in bytes */
	uint64_t short_shift;        /* from the hash to an offset */
	_Atomic uint64_t long_mask;
	uint64_t long_off;   /* from the beginning of this struct */
	uint64_t seal;       /* 0: entries are read and written at once */
	uint64_t short_most; /* short_mask when all of the table is used */
	uint64_t pad[2];
	/* a line of its own: written while others read the masks */
	_Alignas(64) _Atomic uint64_t puts; /* short pieces put in */
	_Atomic uint64_t grow_at;           /* then the tables double */
	uint64_t pad_2[6];
	struct cache_short shorts[];
};

_Static_assert(sizeof(struct tokenizer_cache) % 64 == 0, "entries fill lines");

/* The seal of processors that do not read and write 16 bytes at once. */
#define CACHE_SEAL UINT64_C(0x9e3779b97f4a7c15)

#define CACHE_HASH_LO UINT64_C(0x9e3779b97f4a7c15)
#define CACHE_HASH_HI UINT64_C(0xd6e8feb86659fd93)

/* The key of a piece, as stored in its entry; len is 1 to 15. */
static inline struct vocab_key
cache_key(const uint8_t *piece, size_t len)
{
	struct vocab_key key = vocab_key(piece, len);
	uint64_t all = UINT64_MAX;

	key.lo ^= len >= 8 ? all : ~(all << 8 * len);
	key.hi ^= len <= 8 ? 0 : ~(all << 8 * (len - 8));
	return key;
}

/* What the place of a key is taken from. */
static inline uint64_t
cache_hash(struct vocab_key key)
{
	return key.lo * CACHE_HASH_LO + key.hi * CACHE_HASH_HI;
}

/* The offset of the entry of a key. */
static inline uint64_t
cache_off(const struct tokenizer_cache *cache, struct vocab_key key)
{
	/* relaxed: any mask that the table had or has is one to look with */
	return cache_hash(key) >> cache->short_shift &
	       atomic_load_explicit(&cache->short_mask, memory_order_relaxed);
}

/* The entry that a hash belongs to, by bits that its head has as well. */
static inline struct cache_long *
cache_long(const struct tokenizer_cache *cache, uint64_t hash)
{
	struct cache_long *longs = (void *)((uintptr_t)cache + cache->long_off);

	/* relaxed: as in cache_off() */
	return &longs[hash >> CACHE_LONG_SHIFT &
		      atomic_load_explicit(&cache->long_mask,
					   memory_order_relaxed)];
}

/* The hash whose entry has the rest of a piece with this one. */
static inline uint64_t
cache_rest_hash(uint64_t hash)
{
	return hash ^ UINT64_C(1) << CACHE_LONG_SHIFT;
}

/* The head of an entry with that hash and length, without its tokens. */
static inline uint64_t
cache_long_head(uint64_t hash, size_t len)
{
	return (hash & ~UINT64_C(0xffff)) | len;
}

/*
 * shape:  the tokens of a piece by its cache_key(), 0 if they are not known
 */
uint32_t
cache_get_short(struct tokenizer_cache *cache, struct vocab_key key);

/*
 * shape:  stores the tokens of a piece; the old content of its place moves to
 *         the other entries of the line, and the last of these is evicted
 * units:  tokens is 1 to CACHE_SHORT_BYTES
 */
void
cache_put_short(struct tokenizer_cache *cache, struct vocab_key key,
		uint32_t tokens);

/*
 * The same for pieces of 1 to CACHE_LONG_BYTES, by vocab_hash().
 */
uint32_t
cache_get_long(const struct tokenizer_cache *cache, const uint8_t *piece,
	       size_t len, uint64_t hash);
void
cache_put_long(struct tokenizer_cache *cache, const uint8_t *piece, size_t len,
	       uint64_t hash, uint32_t tokens);

#endif
