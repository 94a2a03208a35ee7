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

/* Pieces, or parts of pieces, on their way through the lookup. */
struct loop_batch {
	uint32_t nr;
	uint32_t misses_nr;
	uint32_t places[LOOP_PLACES]; /* piece i is from places[i] on */
	uint32_t ends[LOOP_PLACES]; /* of parts; pieces end at places[i + 1] */
	uint32_t entries[LOOP_PLACES];
	uint32_t misses[LOOP_PLACES];
	uint64_t hashes[LOOP_PLACES]; /* of misses */
};

struct loop {
	const struct tokenizer *tok;
	struct tokenizer_cache *cache;
	const uint8_t *text;
	uint64_t tokens;
	struct loop_batch pieces;
	struct loop_batch parts;
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

/* The words of a piece, and what belongs to its length. */
SCAN_INLINE struct vocab_key
loop_key(const uint8_t *piece, size_t len, const struct loop_len **by_len)
{
	struct vocab_key key;

	*by_len = &loop_lens[len <= CACHE_SHORT_BYTES ? len : 0];
	key.lo = vocab_load64(piece) & (*by_len)->mask.lo;
	key.hi = vocab_load64(piece + 8) & (*by_len)->mask.hi;
	return key;
}

/*
 * Looks up the pieces that end at `ends`; 16 bytes behind the beginning of
 * each are readable. There is no branch that depends on the text: what is not
 * found is noted for later. All entries are asked for before the first is
 * looked at.
 */
SCAN_INLINE void
loop_lookup(struct loop *loop, struct loop_batch *batch, const uint32_t *ends)
{
	const struct cache_short *entries = loop->cache->shorts;
	const uint64_t mask = loop->cache->short_mask;
	const struct loop_len *by_len;
	uint64_t tokens = 0;
	uint32_t misses_nr = 0, i;

	for (i = 0; i < batch->nr; i++) {
		uint32_t at = batch->places[i];
		struct vocab_key key =
			loop_key(loop->text + at, ends[i] - at, &by_len);
		uint64_t idx = vocab_hash_salted(key, by_len->salt) & mask;

		batch->entries[i] = (uint32_t)idx;
		__builtin_prefetch(&entries[idx]);
	}
	for (i = 0; i < batch->nr; i++) {
		uint32_t at = batch->places[i];
		struct vocab_key key =
			loop_key(loop->text + at, ends[i] - at, &by_len);
		const struct cache_short *entry = &entries[batch->entries[i]];
		uint64_t hi, lo, differ;

		/* Relaxed: see cache_get_short(). */
		hi = atomic_load_explicit(&entry->hi, memory_order_relaxed);
		lo = atomic_load_explicit(&entry->lo, memory_order_relaxed);
		differ = (hi ^ key.hi ^ by_len->len_bits) << 4 |
			 (lo ^ key.lo ^ cache_seal(hi));
		tokens += differ ? 0 : hi >> 60;
		batch->misses[misses_nr] = i;
		misses_nr += differ != 0;
	}
	loop->tokens += tokens;
	batch->misses_nr = misses_nr;
}

/*
 * What is left of the misses after a look into the second place; asks for what
 * will be looked at next.
 */
SCAN_INLINE void
loop_second_place(struct loop *loop, struct loop_batch *batch,
		  const uint32_t *ends)
{
	uint32_t left = 0, i;

	for (i = 0; i < batch->misses_nr; i++) {
		uint32_t miss = batch->misses[i];
		const uint8_t *piece = loop->text + batch->places[miss];
		size_t len = ends[miss] - batch->places[miss];
		uint64_t hash = 0, tokens = 0;

		if (len <= CACHE_SHORT_BYTES) {
			struct vocab_key key = vocab_key(piece, len);

			hash = vocab_hash_key(key, len);
			tokens = cache_get_short(loop->cache, key, len);
			vocab_prefetch(loop->tok, hash);
		} else if (len <= BPE_SHORT_BYTES) {
			hash = vocab_hash(piece, len);
			__builtin_prefetch(cache_long(loop->cache, hash));
		}
		loop->tokens += tokens;
		batch->misses[left] = miss;
		batch->hashes[left] = hash;
		left += tokens == 0;
	}
	batch->misses_nr = left;
}

/* The tokens of what was not found so far. */
static __attribute__((noinline)) void
loop_misses(struct loop *loop, struct loop_batch *batch, const uint32_t *ends)
{
	uint32_t i;

	loop_second_place(loop, batch, ends);
	for (i = 0; i < batch->misses_nr; i++) {
		uint32_t miss = batch->misses[i];
		const uint8_t *piece = loop->text + batch->places[miss];
		size_t len = ends[miss] - batch->places[miss];
		uint64_t tokens = 0;

		if (len > CACHE_SHORT_BYTES && len <= CACHE_LONG_BYTES)
			tokens = cache_get_long(loop->cache, piece, len,
						batch->hashes[i]);
		if (tokens == 0)
			tokens = loop_merge(loop, piece, len, batch->hashes[i]);
		loop->tokens += tokens;
	}
}

static __attribute__((noinline)) void
loop_parts(struct loop *loop)
{
	struct loop_batch *parts = &loop->parts;

	loop_lookup(loop, parts, parts->ends);
	loop_misses(loop, parts, parts->ends);
	parts->nr = 0;
}

SCAN_INLINE void
loop_add_part(struct loop *loop, size_t begin, size_t end)
{
	struct loop_batch *parts = &loop->parts;

	parts->places[parts->nr] = (uint32_t)begin;
	parts->ends[parts->nr++] = (uint32_t)end;
	if (parts->nr == LOOP_PIECES)
		loop_parts(loop);
}

/*
 * Takes apart a piece of a script without blanks, whose pieces are whole
 * clauses, where no token reaches over: the parts are words, and these do come
 * again.
 */
static __attribute__((noinline)) void
loop_dense(struct loop *loop, size_t begin, size_t end)
{
	const uint8_t *text = loop->text;
	size_t at = begin;

	while (end - at >= 6) {
		if (!vocab_is_dense(text + at)) {
			at++;
			continue;
		}
		at += 3;
		if (!vocab_is_dense(text + at) ||
		    vocab_joins(loop->tok, text + at - 3))
			continue;
		loop_add_part(loop, begin, at);
		begin = at;
	}
	loop_add_part(loop, begin, end);
}

/* Counts the pieces that have been collected. */
static void
loop_pieces(struct loop *loop)
{
	struct loop_batch *pieces = &loop->pieces;
	const uint32_t *ends = pieces->places + 1;
	uint32_t left = 0, i;

	loop_lookup(loop, pieces, ends);
	for (i = 0; i < pieces->misses_nr; i++) {
		uint32_t miss = pieces->misses[i];
		uint32_t at = pieces->places[miss];

		pieces->misses[left] = miss;
		if (ends[miss] - at > CACHE_SHORT_BYTES &&
		    vocab_is_dense(loop->text + ends[miss] - 3))
			loop_dense(loop, at, ends[miss]);
		else
			left++;
	}
	pieces->misses_nr = left;
	if (left != 0)
		loop_misses(loop, pieces, ends);
	pieces->places[0] = pieces->places[pieces->nr];
	pieces->nr = 0;
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
	struct loop_batch *pieces = &loop->pieces;
	size_t at = 0;

	/* Places are 32 bits wide. */
	if (len > UINT32_MAX / 2)
		len = UINT32_MAX / 2;
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
			pieces->places[++pieces->nr] = (uint32_t)at;
		} else {
			pieces->nr += scan_places(
				&pieces->places[pieces->nr + 1], (uint32_t)at,
				begins & (begins - 1));
			at += 63 - (unsigned)__builtin_clzll(begins);
		}
		if (pieces->nr >= LOOP_PIECES)
			loop_pieces(loop);
	}
	loop_pieces(loop);
	loop_parts(loop);
	return at;
}

/*
 * shape:  see count_avx2() in count.h
 */
static inline size_t
loop_begin(const struct tokenizer *tok, struct tokenizer_cache *cache,
	   const uint8_t *text, size_t len, uint64_t *tokens)
{
	struct loop loop;
	size_t at;

	loop.tok = tok;
	loop.cache = cache;
	loop.text = text;
	loop.tokens = 0;
	loop.pieces.nr = 0;
	loop.pieces.places[0] = 0;
	loop.parts.nr = 0;
	/* Two copies of the loop, each for one pattern. */
	if (tok->pattern == PRETOKEN_O200K)
		at = loop_run(&loop, len, true);
	else
		at = loop_run(&loop, len, false);
	*tokens += loop.tokens;
	return at;
}

#endif
