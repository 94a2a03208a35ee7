/* SPDX-License-Identifier: MIT */
/*
 * count_avx512.c - the hot loop for processors with AVX-512 (VBMI2).
 */
#include <immintrin.h>

#include "tokenizer/batch.h"
#include "tokenizer/scan.h"

static const uint8_t class_table[128] __attribute__((aligned(64))) =
	SCAN_CLASS_TABLE;

static const uint8_t numbers[64] __attribute__((aligned(64))) = {
	0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
	16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31,
	32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47,
	48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63
};

/* Code points of more than one byte. */
SCAN_INLINE void
classify_runes(struct scan_block *b, __m512i v, uint64_t high, uint32_t pattern)
{
	__m512i first = _mm512_set1_epi8((char)0xc0);
	uint64_t leads = _mm512_cmpge_epu8_mask(v, first);
	/* U+4E00 to U+9FFF are all letters without case. */
	uint64_t han = _mm512_cmplt_epu8_mask(
		_mm512_sub_epi8(v, _mm512_set1_epi8((char)0xe5)),
		_mm512_set1_epi8(5));

	han |= _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8((char)0xe4)) &
	       _mm512_cmpge_epu8_mask(v, _mm512_set1_epi8((char)0xb8)) >> 1;

	b->more = high & ~leads;
	b->four = _mm512_cmpge_epu8_mask(v, _mm512_set1_epi8((char)0xf0)) &
		  b->more << 1;
	b->letter = han | han << 1 | han << 2;
	scan_add_runes(b, leads & ~han, pattern);
}

SCAN_INLINE void
scan_classify(struct scan_block *b, const uint8_t *text, uint32_t pattern)
{
	__m512i v = _mm512_loadu_si512(text);
	uint64_t high = _mm512_movepi8_mask(v);
	__m512i c = _mm512_maskz_permutex2var_epi8(
		~high, _mm512_load_si512(class_table), v,
		_mm512_load_si512(class_table + 64));

	b->text = text;
	b->upper = _mm512_test_epi8_mask(c, _mm512_set1_epi8(SCAN_UPPER));
	b->lower = _mm512_test_epi8_mask(c, _mm512_set1_epi8(SCAN_LOWER));
	b->number = _mm512_test_epi8_mask(c, _mm512_set1_epi8(SCAN_NUMBER));
	b->space = _mm512_test_epi8_mask(c, _mm512_set1_epi8(SCAN_SPACE));
	b->newline = _mm512_test_epi8_mask(c, _mm512_set1_epi8(SCAN_NEWLINE));
	b->punct = _mm512_test_epi8_mask(c, _mm512_set1_epi8(SCAN_PUNCT));
	b->blank = _mm512_test_epi8_mask(c, _mm512_set1_epi8(SCAN_BLANK));
	b->apostrophe = _mm512_movepi8_mask(c);
	b->letter = 0;
	b->more = 0;
	b->hard = 0;
	b->four = 0;
	if (__builtin_expect(high != 0, 0))
		classify_runes(b, v, high, pattern);
}

/* Adds the pieces that begin and end where these bits are set. */
SCAN_INLINE void
scan_pieces(struct batch *batch, uint32_t base, uint64_t starts, uint64_t ends)
{
	__m512i all = _mm512_load_si512(numbers);
	__m256i from =
		_mm512_castsi512_si256(_mm512_maskz_compress_epi8(starts, all));
	__m256i to =
		_mm512_castsi512_si256(_mm512_maskz_compress_epi8(ends, all));
	__m512i add = _mm512_set1_epi32((int)base);
	uint32_t *places = batch->places + batch->nr;

	_mm256_storeu_si256((void *)(batch->lens + batch->nr),
			    _mm256_sub_epi8(to, from));
	_mm512_storeu_si512(
		places,
		_mm512_add_epi32(add, _mm512_cvtepu8_epi32(
					      _mm256_castsi256_si128(from))));
	_mm512_storeu_si512(
		places + 16,
		_mm512_add_epi32(add,
				 _mm512_cvtepu8_epi32(
					 _mm256_extracti128_si256(from, 1))));
	batch->nr += (uint32_t)__builtin_popcountll(starts);
}

SCAN_INLINE __m128i
load16(const void *p)
{
	return _mm_loadu_si128(p);
}

SCAN_INLINE __m512i
join4(__m128i a, __m128i b, __m128i c, __m128i d)
{
	__m256i low = _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1);
	__m256i high = _mm256_inserti128_si256(_mm256_castsi128_si256(c), d, 1);

	return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

/* Four at a time, each in its quarter; see batch.h. */
SCAN_INLINE void
batch_ask(struct batch *batch, const struct tokenizer_cache *cache,
	  const uint8_t *text)
{
	const __m512i all = _mm512_set1_epi8((char)0xff);
	/* The last byte of an entry is not of the piece. */
	const __m512i in_quarter = _mm512_broadcast_i32x4(_mm_setr_epi8(
		0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, -1));
	const __m512i quarter =
		_mm512_set_epi64(0x0303030303030303, 0x0303030303030303,
				 0x0202020202020202, 0x0202020202020202,
				 0x0101010101010101, 0x0101010101010101, 0, 0);
	const __m512i factors = _mm512_broadcast_i32x4(_mm_set_epi64x(
		(long long)CACHE_HASH_HI, (long long)CACHE_HASH_LO));
	const __m512i mask = _mm512_set1_epi64((long long)cache->short_mask);
	const __m128i shift = _mm_cvtsi64_si128((long long)cache->short_shift);
	const uint8_t *entries = (const uint8_t *)cache->shorts;
	uint32_t i, j;

	/* What fills up the last four has no length and is never found. */
	for (i = batch->nr; i % 4 != 0; i++) {
		batch->places[i] = 0;
		batch->lens[i] = 0;
	}
	for (i = 0; i < batch->nr; i += 4) {
		const uint32_t *places = batch->places + i;
		__m512i bytes = join4(
			load16(text + places[0]), load16(text + places[1]),
			load16(text + places[2]), load16(text + places[3]));
		__m512i lens = _mm512_shuffle_epi8(
			_mm512_set1_epi32((int)vocab_load32(batch->lens + i)),
			quarter);
		__mmask64 inside = _mm512_mask_cmplt_epu8_mask(
			_mm512_cmple_epu8_mask(
				lens, _mm512_set1_epi8(CACHE_SHORT_BYTES)),
			in_quarter, lens);
		__m512i key = _mm512_maskz_sub_epi8(inside, all, bytes);
		__m512i hash = _mm512_mullo_epi64(key, factors);

		hash = _mm512_add_epi64(
			hash, _mm512_shuffle_epi32(hash, _MM_PERM_BADC));
		hash = _mm512_and_si512(_mm512_srl_epi64(hash, shift), mask);
		_mm512_store_si512(&batch->keys[i], key);
		_mm256_storeu_si256((void *)(batch->offs + 2 * i),
				    _mm512_cvtepi64_epi32(hash));
		for (j = 0; j < 4; j++)
			__builtin_prefetch(entries + batch->offs[2 * (i + j)]);
	}
}

SCAN_INLINE uint64_t
batch_look(struct batch *batch, const struct tokenizer_cache *cache)
{
	const __m512i is_key =
		_mm512_broadcast_i32x4(_mm_set_epi64x(0x00ffffffffffffff, -1));
	const uint8_t *entries = (const uint8_t *)cache->shorts;
	uint8_t *missed = (uint8_t *)batch->missed;
	__m512i tokens = _mm512_setzero_si512();
	uint32_t i;

	for (i = 0; i < batch->nr; i += 4) {
		const uint32_t *offs = batch->offs + 2 * i;
		__m512i entry = join4(batch_entry(entries + offs[0]),
				      batch_entry(entries + offs[2]),
				      batch_entry(entries + offs[4]),
				      batch_entry(entries + offs[6]));
		/* (entry ^ key) & is_key */
		__m512i differ = _mm512_ternarylogic_epi64(
			entry, _mm512_load_si512(&batch->keys[i]), is_key,
			0x28);
		__m512i found;

		differ = _mm512_or_si512(
			differ, _mm512_shuffle_epi32(differ, _MM_PERM_BADC));
		/* The tokens are the last byte of the second word. */
		found = _mm512_maskz_srli_epi64(
			_mm512_testn_epi64_mask(differ, differ) & 0xaa, entry,
			56);
		tokens = _mm512_add_epi64(tokens, found);
		missed[i / 4] = _mm512_testn_epi64_mask(found, found) & 0xaa;
	}
	/* Not those behind the last. */
	if (batch->nr % 32 != 0)
		batch->missed[batch->nr / 32] &=
			(UINT64_C(1) << batch->nr % 32 * 2) - 1;
	return (uint64_t)_mm512_reduce_add_epi64(tokens);
}

/* The smallest number. */
SCAN_INLINE uint32_t
bpe_least(const uint32_t *pairs, size_t len)
{
	__m512i least = _mm512_load_si512(pairs);
	size_t i;

	for (i = 16; i < len; i += 16)
		least = _mm512_min_epu32(least, _mm512_load_si512(pairs + i));
	return _mm512_reduce_min_epu32(least);
}

#include "tokenizer/count_loop.h"

size_t
count_avx512(const struct tokenizer *tok, struct tokenizer_cache *cache,
	     const struct count_text *text, uint64_t *tokens)
{
	return loop_begin(tok, cache, text, tokens);
}
