/* SPDX-License-Identifier: MIT */
/*
 * count_avx2.c - the hot loop for processors with AVX2 and BMI2.
 */
#include "tokenizer/avx2.h"
#include "tokenizer/batch.h"
#include "tokenizer/scan.h"

SCAN_INLINE void
scan_classify(struct scan_block *b, const uint8_t *text, uint32_t pattern)
{
	__m256i v0 = _mm256_loadu_si256((const void *)text);
	__m256i v1 = _mm256_loadu_si256((const void *)(text + 32));
	uint64_t high = mask_of(v0, v1);
	uint64_t controls = mask_of(in_range(v0, 9, 5), in_range(v1, 9, 5));

	b->text = text;
	b->upper = mask_of(in_range(v0, 'A', 26), in_range(v1, 'A', 26));
	b->lower = mask_of(in_range(v0, 'a', 26), in_range(v1, 'a', 26));
	b->number = mask_of(in_range(v0, '0', 10), in_range(v1, '0', 10));
	b->blank = mask_of(equals(v0, ' '), equals(v1, ' '));
	b->newline = 0;
	if (controls != 0)
		b->newline = mask_of(
			_mm256_or_si256(equals(v0, '\n'), equals(v0, '\r')),
			_mm256_or_si256(equals(v1, '\n'), equals(v1, '\r')));
	b->space = b->blank | (controls & ~b->newline);
	b->apostrophe = mask_of(equals(v0, '\''), equals(v1, '\''));
	b->punct = ~(high | b->upper | b->lower | b->number | b->space |
		     b->newline);
	b->letter = 0;
	b->more = 0;
	b->hard = 0;
	b->four = 0;
	if (__builtin_expect(high != 0, 0)) {
		uint64_t more =
			mask_of(in_range(v0, 0x80, 64), in_range(v1, 0x80, 64));
		/* U+4E00 to U+9FFF are all letters without case. */
		uint64_t han =
			mask_of(in_range(v0, 0xe5, 5), in_range(v1, 0xe5, 5));

		han |= mask_of(equals(v0, 0xe4), equals(v1, 0xe4)) &
		       mask_of(in_range(v0, 0xb8, 8), in_range(v1, 0xb8, 8)) >>
			       1;

		b->more = more;
		b->four =
			mask_of(in_range(v0, 0xf0, 5), in_range(v1, 0xf0, 5)) &
			more << 1;
		b->letter = han | han << 1 | han << 2;
		scan_add_runes(b, high & ~more & ~han, pattern);
	}
}

/* Adds the pieces that begin and end where these bits are set. */
SCAN_INLINE void
scan_pieces(struct batch *batch, uint32_t base, uint64_t starts, uint64_t ends)
{
	unsigned nr = (unsigned)__builtin_popcountll(starts), i, j;
	uint32_t *places = batch->places + batch->nr;
	uint8_t *lens = batch->lens + batch->nr;

	/* More than needed: a loop of four has fewer ends to guess. */
	for (i = 0; i < nr; i += 4)
		for (j = 0; j < 4; j++) {
			uint32_t from = (uint32_t)_tzcnt_u64(starts);

			places[i + j] = base + from;
			lens[i + j] = (uint8_t)(_tzcnt_u64(ends) - from);
			starts &= starts - 1;
			ends &= ends - 1;
		}
	batch->nr += nr;
}

/* All ones, of which as many are taken as a piece has bytes. */
static const uint8_t ones[32]
	__attribute__((aligned(32))) = { 255, 255, 255, 255, 255, 255, 255, 255,
					 255, 255, 255, 255, 255, 255, 255 };

/* One at a time; see batch.h. */
SCAN_INLINE void
batch_ask(struct batch *batch, const struct tokenizer_cache *cache,
	  const uint8_t *text)
{
	const uint64_t shift = cache->short_shift, mask = cache->short_mask;
	const uint8_t *entries = (const uint8_t *)cache->shorts;
	uint32_t i;

	for (i = 0; i < batch->nr; i++) {
		unsigned len = batch->lens[i];
		__m128i inside = _mm_loadu_si128(
			(const void *)(ones + 15 -
				       (len <= CACHE_SHORT_BYTES ? len : 0)));
		__m128i bytes = _mm_loadu_si128(
			(const void *)(text + batch->places[i]));
		__m128i key = _mm_andnot_si128(bytes, inside);
		uint64_t hash =
			(uint64_t)_mm_cvtsi128_si64(key) * CACHE_HASH_LO +
			(uint64_t)_mm_extract_epi64(key, 1) * CACHE_HASH_HI;

		hash = hash >> shift & mask;
		_mm_store_si128((void *)&batch->keys[i], key);
		batch->offs[2 * i] = (uint32_t)hash;
		__builtin_prefetch(entries + hash);
	}
}

SCAN_INLINE uint64_t
batch_look(struct batch *batch, const struct tokenizer_cache *cache)
{
	const uint8_t *entries = (const uint8_t *)cache->shorts;
	const __m128i is_key = _mm_set_epi64x(0x00ffffffffffffff, -1);
	uint64_t tokens = 0, missed = 0;
	uint32_t i;

	for (i = 0; i < batch->nr; i++) {
		__m128i entry = batch_entry(entries + batch->offs[2 * i]);
		__m128i differ = _mm_xor_si128(
			entry, _mm_load_si128((const void *)&batch->keys[i]));
		uint64_t found = (uint64_t)_mm_extract_epi64(entry, 1) >> 56;

		found = _mm_testz_si128(differ, is_key) ? found : 0;
		tokens += found;
		missed |= (uint64_t)(found == 0) << (2 * i + 1) % 64;
		if (i % 32 == 31) {
			batch->missed[i / 32] = missed;
			missed = 0;
		}
	}
	if (i % 32 != 0)
		batch->missed[i / 32] = missed;
	return tokens;
}

/* The smallest number. */
SCAN_INLINE uint32_t
bpe_least(const uint32_t *pairs, size_t len)
{
	__m256i least = _mm256_load_si256((const void *)pairs);
	__m128i half;
	size_t i;

	for (i = 8; i < len; i += 8)
		least = _mm256_min_epu32(
			least, _mm256_load_si256((const void *)(pairs + i)));
	half = _mm_min_epu32(_mm256_castsi256_si128(least),
			     _mm256_extracti128_si256(least, 1));
	half = _mm_min_epu32(half, _mm_shuffle_epi32(half, 0x4e));
	half = _mm_min_epu32(half, _mm_shuffle_epi32(half, 0xb1));
	return (uint32_t)_mm_cvtsi128_si32(half);
}

#include "tokenizer/count_loop.h"

size_t
count_avx2(const struct tokenizer *tok, struct tokenizer_cache *cache,
	   const struct count_text *text, uint64_t *tokens)
{
	return loop_begin(tok, cache, text, tokens);
}
