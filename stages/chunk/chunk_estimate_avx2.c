/* SPDX-License-Identifier: MIT */
/*
 * chunk_estimate_avx2.c - tokens by what a text is made of, on processors with
 * AVX2.
 */
#include "stages/chunk/chunk_estimate.h"

#include <immintrin.h>

#define CLASSIFY classify_avx2
#include "stages/chunk/chunk_estimate_loop.h"

static inline __m256i
load(const uint8_t *bytes)
{
	return _mm256_loadu_si256((const __m256i *)(const void *)bytes);
}

static inline uint64_t
mask_of(__m256i low, __m256i high)
{
	return (uint32_t)_mm256_movemask_epi8(low) |
	       (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

/* Bytes that are `first` or one of those up to `last`, without a sign. */
static inline __m256i
within(__m256i bytes, char first, char last)
{
	__m256i off = _mm256_sub_epi8(bytes, _mm256_set1_epi8(first));
	__m256i most = _mm256_set1_epi8((char)(last - first));

	return _mm256_cmpeq_epi8(_mm256_min_epu8(off, most), off);
}

static inline __m256i
letters(__m256i bytes)
{
	return within(_mm256_or_si256(bytes, _mm256_set1_epi8(0x20)), 'a', 'z');
}

static inline struct estimate_kinds
classify_avx2(const uint8_t *block)
{
	__m256i low = load(block);
	__m256i high = load(block + 32);
	struct estimate_kinds kinds = {
		.words = mask_of(letters(low), letters(high)),
		.digits =
			mask_of(within(low, '0', '9'), within(high, '0', '9')),
		.blanks = mask_of(within(low, 0, ' '), within(high, 0, ' ')),
		.foreign = mask_of(low, high),
	};

	kinds.words |= kinds.digits;
	return kinds;
}

uint64_t
chunk_estimate_avx2(const uint8_t *text, size_t bytes)
{
	return estimate(text, bytes);
}
