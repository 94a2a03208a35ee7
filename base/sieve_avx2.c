/* SPDX-License-Identifier: MIT */
/*
 * sieve_avx2.c - the sieve, on processors with AVX2.
 */
#include "base/sieve.h"

#include <immintrin.h>

/* A table of 16 bytes, in both halves. */
static __m256i
table(const uint8_t *bytes)
{
	return _mm256_broadcastsi128_si256(
		_mm_loadu_si128((const __m128i *)(const void *)bytes));
}

static inline __attribute__((always_inline)) uint64_t
sieve_block(const __m256i low[SIEVE_PLACES], const __m256i high[SIEVE_PLACES],
	    const uint8_t *bytes)
{
	const __m256i nibble = _mm256_set1_epi8(15);
	uint64_t mask = 0;

	for (unsigned i = 0; i < SIEVE_BLOCK; i += 32) {
		__m256i groups = _mm256_set1_epi8(-1);
		__m256i none;

		for (unsigned k = 0; k < SIEVE_PLACES; k++) {
			__m256i block = _mm256_loadu_si256(
				(const __m256i *)(const void *)(bytes + i + k));
			__m256i first = _mm256_and_si256(block, nibble);
			__m256i second = _mm256_and_si256(
				_mm256_srli_epi16(block, 4), nibble);

			first = _mm256_shuffle_epi8(low[k], first);
			second = _mm256_shuffle_epi8(high[k], second);
			groups = _mm256_and_si256(
				groups, _mm256_and_si256(first, second));
		}
		none = _mm256_cmpeq_epi8(groups, _mm256_setzero_si256());
		mask |= (uint64_t) ~(uint32_t)_mm256_movemask_epi8(none) << i;
	}
	return mask;
}

size_t
sieve_next_avx2(const struct sieve *sieve, const uint8_t *text, size_t blocks,
		uint64_t *mask)
{
	__m256i low[SIEVE_PLACES];
	__m256i high[SIEVE_PLACES];
	size_t i = 0;

	for (unsigned k = 0; k < SIEVE_PLACES; k++) {
		low[k] = table(sieve->low[k]);
		high[k] = table(sieve->high[k]);
	}
	*mask = 0;
	for (; i < blocks; i++) {
		*mask = sieve_block(low, high, text + i * SIEVE_BLOCK);
		if (*mask != 0)
			break;
	}
	return i;
}
