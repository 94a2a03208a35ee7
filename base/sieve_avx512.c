/* SPDX-License-Identifier: MIT */
/*
 * sieve_avx512.c - the sieve, on processors with AVX-512.
 */
#include "base/sieve.h"

#include <immintrin.h>

/* A byte's groups at each place, in two registers for 128 bytes. */
struct table {
	__m512i first;
	__m512i second;
};

static inline __attribute__((always_inline)) __m512i
look_up(const struct table *table, __m512i bytes)
{
	return _mm512_permutex2var_epi8(table->first, bytes, table->second);
}

size_t
sieve_next_avx512(const struct sieve *sieve, const uint8_t *text, size_t blocks,
		  uint64_t *mask)
{
	struct table tables[SIEVE_HALVES][SIEVE_PLACES];
	size_t i = 0;

	for (unsigned half = 0; half < SIEVE_HALVES; half++) {
		for (unsigned k = 0; k < SIEVE_PLACES; k++) {
			const uint8_t *from = sieve->whole[half][k];

			tables[half][k].first = _mm512_loadu_si512(from);
			tables[half][k].second = _mm512_loadu_si512(from + 64);
		}
	}
	*mask = 0;
	for (; i < blocks; i++) {
		const uint8_t *at = text + i * SIEVE_BLOCK;
		__m512i groups[SIEVE_HALVES] = { _mm512_set1_epi8(-1),
						 _mm512_set1_epi8(-1) };

		for (unsigned k = 0; k < SIEVE_PLACES; k++) {
			__m512i bytes = _mm512_loadu_si512(at + k);

			for (unsigned half = 0; half < SIEVE_HALVES; half++)
				groups[half] = _mm512_and_si512(
					groups[half],
					look_up(&tables[half][k], bytes));
		}
		groups[0] = _mm512_or_si512(groups[0], groups[1]);
		*mask = _mm512_test_epi8_mask(groups[0], groups[0]);
		if (*mask != 0)
			break;
	}
	return i;
}
