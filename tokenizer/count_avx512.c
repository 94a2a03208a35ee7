/* SPDX-License-Identifier: MIT */
/*
 * count_avx512.c - the hot loop for processors with AVX-512 (VBMI2).
 */
#include <immintrin.h>

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
classify_runes(struct scan_block *b, __m512i v, uint64_t high, bool is_o200k)
{
	__m512i first = _mm512_set1_epi8((char)0xc0);
	uint64_t leads = _mm512_cmpge_epu8_mask(v, first);
	/* U+5000 to U+9FFF are all letters without case. */
	uint64_t han = _mm512_cmplt_epu8_mask(
		_mm512_sub_epi8(v, _mm512_set1_epi8((char)0xe5)),
		_mm512_set1_epi8(5));

	b->more = high & ~leads;
	b->letter = han | han << 1 | han << 2;
	scan_add_runes(b, leads & ~han, is_o200k);
}

SCAN_INLINE void
scan_classify(struct scan_block *b, const uint8_t *text, bool is_o200k)
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
	if (__builtin_expect(high != 0, 0))
		classify_runes(b, v, high, is_o200k);
}

/* Writes base and the number of each bit that is set; returns how many. */
SCAN_INLINE uint32_t
scan_places(uint32_t *places, uint32_t base, uint64_t bits)
{
	__m512i at =
		_mm512_maskz_compress_epi8(bits, _mm512_load_si512(numbers));
	__m512i add = _mm512_set1_epi32((int)base);
	unsigned nr = (unsigned)__builtin_popcountll(bits), i;

	for (i = 0; i < nr; i += 16) {
		_mm512_storeu_si512(
			places + i,
			_mm512_add_epi32(add,
					 _mm512_cvtepu8_epi32(
						 _mm512_castsi512_si128(at))));
		at = _mm512_alignr_epi64(at, at, 2);
	}
	return nr;
}

/* Where the smallest number is, the leftmost of equal ones. */
SCAN_INLINE unsigned
bpe_least(const uint32_t *pairs, size_t len)
{
	__m512i least = _mm512_loadu_si512(pairs);
	uint32_t value;
	size_t i;

	for (i = 16; i < len; i += 16)
		least = _mm512_min_epu32(least, _mm512_loadu_si512(pairs + i));
	value = _mm512_reduce_min_epu32(least);
	for (i = 0;; i += 16) {
		unsigned at =
			_mm512_cmpeq_epu32_mask(_mm512_loadu_si512(pairs + i),
						_mm512_set1_epi32((int)value));

		if (at != 0)
			return (unsigned)i + (unsigned)__builtin_ctz(at);
	}
}

#include "tokenizer/count_loop.h"

size_t
count_avx512(const struct tokenizer *tok, struct tokenizer_cache *cache,
	     const uint8_t *text, size_t len, uint64_t *tokens)
{
	return loop_begin(tok, cache, text, len, tokens);
}

struct valid_block;
SCAN_INLINE uint64_t
valid_classify(struct valid_block *b, const uint8_t *text);

#include "tokenizer/valid.h"

/* Fills in the block and returns b->high; the rest only if that is not 0. */
SCAN_INLINE uint64_t
valid_classify(struct valid_block *b, const uint8_t *text)
{
	__m512i v = _mm512_loadu_si512(text);
	__m512i signs = _mm512_set1_epi8((char)0x80);
	uint64_t first_e0, first_ed, first_f0, first_f4, low, mid;

	b->high = _mm512_movepi8_mask(v);
	if (b->high == 0)
		return 0;
	b->two = _mm512_cmplt_epu8_mask(
		_mm512_sub_epi8(v, _mm512_set1_epi8((char)0xc2)),
		_mm512_set1_epi8(0xf5 - 0xc2));
	b->three = b->two &
		   _mm512_cmpge_epu8_mask(v, _mm512_set1_epi8((char)0xe0));
	b->four = b->two &
		  _mm512_cmpge_epu8_mask(v, _mm512_set1_epi8((char)0xf0));
	b->more = b->high &
		  _mm512_cmplt_epu8_mask(v, _mm512_set1_epi8((char)0xc0));
	first_e0 = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8((char)0xe0));
	first_ed = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8((char)0xed));
	first_f0 = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8((char)0xf0));
	first_f4 = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8((char)0xf4));
	v = _mm512_xor_si512(v, signs);
	low = _mm512_cmplt_epu8_mask(v, _mm512_set1_epi8(0x10));
	mid = _mm512_cmplt_epu8_mask(v, _mm512_set1_epi8(0x20));
	b->wrong = ((first_e0 << 1) & mid) | ((first_ed << 1) & ~mid) |
		   ((first_f0 << 1) & low) | ((first_f4 << 1) & ~low);
	return b->high;
}

size_t
valid_avx512(const uint8_t *text, size_t len)
{
	return valid_run(text, len);
}
