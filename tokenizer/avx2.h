/* SPDX-License-Identifier: MIT */
/*
 * avx2.h - which of 64 bytes are of a kind, a bit each.
 */
#ifndef TOKENIZER_AVX2_H
#define TOKENIZER_AVX2_H

#include <immintrin.h>
#include <stdint.h>

/* The sign bits of 64 bytes. */
static inline uint64_t
mask_of(__m256i low, __m256i high)
{
	return (uint32_t)_mm256_movemask_epi8(low) |
	       (uint64_t)(uint32_t)_mm256_movemask_epi8(high) << 32;
}

/* Bytes from `first` on, `nr` of them. */
static inline __m256i
in_range(__m256i v, int first, int nr)
{
	__m256i off = _mm256_sub_epi8(v, _mm256_set1_epi8((char)first));
	__m256i most = _mm256_set1_epi8((char)(nr - 1));

	return _mm256_cmpeq_epi8(_mm256_min_epu8(off, most), off);
}

/* Those that are this byte. */
static inline __m256i
equals(__m256i v, int byte)
{
	return _mm256_cmpeq_epi8(v, _mm256_set1_epi8((char)byte));
}

#endif
