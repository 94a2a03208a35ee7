/* SPDX-License-Identifier: MIT */
/*
 * count_loop.h - the hot loop: blocks to pieces, pieces to cache entries.
 *
 * Included by one file per instruction set, which brings scan_classify().
 * Pieces of some blocks are collected first, so that the misses of the
 * processor's caches and the ends of short loops overlap.
 */
#ifndef TOKENIZER_COUNT_LOOP_H
#define TOKENIZER_COUNT_LOOP_H

#include <stdatomic.h>

#include "tokenizer/bpe_merge.h"
#include "tokenizer/cache.h"
#include "tokenizer/count.h"
#include "tokenizer/scan.h"

/* Pieces are counted when there are so many. */
#define LOOP_PIECES 448
#define LOOP_PLACES (LOOP_PIECES + 2 * SCAN_BLOCK_BYTES)

/*
 * What a piece of n bytes needs to be looked up: all ones in its first n
 * bytes, the length where the cache has it, and its part of the hash. A piece
 * that is too long takes number 0, which no entry is equal to.
 */
struct loop_len {
	struct vocab_key mask;
	uint64_t len_bits;
	uint64_t salt;
};

#define LOW_BYTES(n) (n >= 8 ? UINT64_MAX : (UINT64_C(1) << (8 * (n & 7))) - 1)
#define HIGH_BYTES(n) \
	(n <= 8 ? UINT64_C(0) : (UINT64_C(1) << (8 * ((n - 8) & 7))) - 1)
#define LEN(n)                                                      \
	{                                                           \
		{ LOW_BYTES(n), HIGH_BYTES(n) }, UINT64_C(n) << 56, \
			VOCAB_SALT(n)                               \
	}

static const struct loop_len loop_lens[16] = {
	LEN(0), LEN(1), LEN(2),  LEN(3),  LEN(4),  LEN(5),  LEN(6),  LEN(7),
	LEN(8), LEN(9), LEN(10), LEN(11), LEN(12), LEN(13), LEN(14), LEN(15)
};

struct loop {
	const struct tokenizer *tok;
	struct tokenizer_cache *cache;
	const uint8_t *text;
	uint64_t tokens;
	uint32_t misses_nr;
	uint32_t places[LOOP_PLACES]; /* [0] is where the first piece begins */
	uint32_t misses[LOOP_PLACES]; /* piece i is from places[i] on */
	uint64_t hashes[LOOP_PLACES]; /* of misses */
};

/* The tokens of a piece that is in no cache; remembers them. */
static __attribute__((noinline)) uint64_t
loop_merge(const struct loop *loop, const uint8_t *piece, size_t len,
	   uint64_t hash)
{
	struct bpe_parts parts;
	uint64_t tokens = 1;

	if (len > BPE_SHORT_BYTES)
		return bpe_count(loop->tok, piece, len);
	if (vocab_find_hashed(loop->tok, piece, len, hash) == VOCAB_NONE)
		tokens = bpe_merge(loop->tok, &parts, piece, len);
	if (len <= CACHE_SHORT_BYTES)
		cache_put_short(loop->cache, vocab_key(piece, len), len,
				(uint32_t)tokens);
	else if (len <= CACHE_LONG_BYTES)
		cache_put_long(loop->cache, piece, len, hash, (uint32_t)tokens);
	return tokens;
}

/* The tokens of a part of a piece that no token reaches out of. */
static uint64_t
loop_part(const struct loop *loop, const uint8_t *part, size_t len)
{
	uint64_t tokens = 0, hash;

	if (len <= CACHE_SHORT_BYTES) {
		struct vocab_key key = vocab_key(part, len);

		tokens = cache_get_short(loop->cache, key, len);
		if (tokens != 0)
			return tokens;
		hash = vocab_hash_key(key, len);
		return loop_merge(loop, part, len, hash);
	}
	if (len > CACHE_LONG_BYTES)
		return loop_merge(loop, part, len, 0);
	hash = vocab_hash(part, len);
	tokens = cache_get_long(loop->cache, part, len, hash);
	return tokens ? tokens : loop_merge(loop, part, len, hash);
}

/*
 * The tokens of a piece of a script without blanks, whose pieces are whole
 * clauses: taken apart where no token reaches over, the parts are words, and
 * these do come again.
 */
static __attribute__((noinline)) uint64_t
loop_dense(const struct loop *loop, const uint8_t *piece, size_t len)
{
	uint64_t tokens = 0;
	size_t begin = 0, at = 0;

	while (len - at >= 6) {
		if (!vocab_is_dense(piece + at)) {
			at++;
			continue;
		}
		at += 3;
		if (!vocab_is_dense(piece + at) ||
		    vocab_joins(loop->tok, piece + at - 3))
			continue;
		tokens += loop_part(loop, piece + begin, at - begin);
		begin = at;
	}
	return tokens + loop_part(loop, piece + begin, len - begin);
}

/* Pieces that are long or not in the cache: all hashes, then all lookups. */
static __attribute__((noinline)) void
loop_misses(struct loop *loop)
{
	const uint32_t nr = loop->misses_nr;
	uint32_t i;

	for (i = 0; i < nr; i++) {
		const uint32_t *place = &loop->places[loop->misses[i]];
		size_t len = place[1] - place[0];

		if (len > BPE_SHORT_BYTES)
			continue;
		loop->hashes[i] = vocab_hash(loop->text + place[0], len);
		if (len > CACHE_SHORT_BYTES)
			__builtin_prefetch(
				cache_long(loop->cache, loop->hashes[i]));
		else
			vocab_prefetch(loop->tok, loop->hashes[i]);
	}
	for (i = 0; i < nr; i++) {
		const uint32_t *place = &loop->places[loop->misses[i]];
		const uint8_t *piece = loop->text + place[0];
		size_t len = place[1] - place[0];
		uint64_t tokens = 0;

		if (len > CACHE_SHORT_BYTES &&
		    vocab_is_dense(piece + len - 3)) {
			loop->tokens += loop_dense(loop, piece, len);
			continue;
		}
		if (len > CACHE_SHORT_BYTES && len <= CACHE_LONG_BYTES)
			tokens = cache_get_long(loop->cache, piece, len,
						loop->hashes[i]);
		if (tokens == 0)
			tokens = loop_merge(loop, piece, len, loop->hashes[i]);
		loop->tokens += tokens;
	}
	loop->misses_nr = 0;
}

/*
 * Counts the pieces between the places. There is no branch that depends on
 * the text: what is not found is noted for later.
 */
SCAN_INLINE void
loop_count(struct loop *loop, size_t places_nr)
{
	const struct cache_short *entries = loop->cache->shorts;
	const uint64_t mask = loop->cache->short_mask;
	const uint32_t *places = loop->places;
	uint64_t tokens = 0;
	uint32_t misses_nr = 0;
	size_t i;

	for (i = 0; i < places_nr; i++) {
		const uint8_t *piece = loop->text + places[i];
		size_t len = places[i + 1] - places[i];
		const struct loop_len *by_len =
			&loop_lens[len <= CACHE_SHORT_BYTES ? len : 0];
		const struct cache_short *entry;
		struct vocab_key key;
		uint64_t hi, lo, differ;

		key.lo = vocab_load64(piece) & by_len->mask.lo;
		key.hi = vocab_load64(piece + 8) & by_len->mask.hi;
		entry = &entries[vocab_hash_salted(key, by_len->salt) & mask];
		/* Relaxed: see cache_get_short(). */
		hi = atomic_load_explicit(&entry->hi, memory_order_relaxed);
		lo = atomic_load_explicit(&entry->lo, memory_order_relaxed);
		differ = (hi ^ key.hi ^ by_len->len_bits) << 4 |
			 (lo ^ key.lo ^ cache_seal(hi));
		tokens += differ ? 0 : hi >> 60;
		loop->misses[misses_nr] = (uint32_t)i;
		misses_nr += differ != 0;
	}
	loop->tokens += tokens;
	loop->misses_nr = misses_nr;
	if (misses_nr != 0)
		loop_misses(loop);
}

/*
 * Counts closed pieces from the beginning of text as long as whole blocks can
 * be read; returns where it stopped, which is where a piece begins.
 */
SCAN_INLINE size_t
loop_run(struct loop *loop, size_t len, bool is_o200k)
{
	const struct pretoken_rules *rules =
		pretoken_rules(is_o200k ? PRETOKEN_O200K : PRETOKEN_CL100K);
	uint32_t *places = loop->places;
	size_t at = 0, nr = 0;

	/* Places are 32 bits wide. */
	if (len > UINT32_MAX / 2)
		len = UINT32_MAX / 2;
	places[0] = 0;
	while (len - at >= SCAN_READ_BYTES) {
		struct scan_block block;
		uint64_t begins;

		scan_classify(&block, loop->text + at, is_o200k);
		begins = scan_begins(&block, is_o200k);
		if (__builtin_expect(begins == 1, 0)) {
			bool is_open;
			size_t end = pretoken_end(rules, loop->text + at,
						  len - at, &is_open);

			if (is_open)
				break;
			at += end;
			places[++nr] = (uint32_t)at;
		} else {
			nr += scan_places(&places[nr + 1], (uint32_t)at,
					  begins & (begins - 1));
			at += 63 - (unsigned)__builtin_clzll(begins);
		}
		if (nr >= LOOP_PIECES) {
			loop_count(loop, nr);
			places[0] = (uint32_t)at;
			nr = 0;
		}
	}
	loop_count(loop, nr);
	return at;
}

#endif
