/* SPDX-License-Identifier: MIT */
/*
 * query_find_avx2.c - the same masks, on processors with AVX2.
 */
#include "stages/query_find.h"

#ifdef __AVX2__
#include <immintrin.h>

/* Bytes from first to last, both below 128. */
static uint32_t
between(__m256i bytes, char first, char last)
{
	__m256i above =
		_mm256_cmpgt_epi8(bytes, _mm256_set1_epi8((char)(first - 1)));
	__m256i below =
		_mm256_cmpgt_epi8(_mm256_set1_epi8((char)(last + 1)), bytes);

	return (uint32_t)_mm256_movemask_epi8(_mm256_and_si256(above, below));
}

void
query_masks_avx2(const uint8_t *bytes, struct query_masks *out)
{
	*out = (struct query_masks){ 0 };
	for (unsigned i = 0; i < QUERY_BLOCK; i += 32) {
		__m256i block = _mm256_loadu_si256(
			(const __m256i *)(const void *)(bytes + i));
		uint32_t high = (uint32_t)_mm256_movemask_epi8(block);

		out->lower |= (uint64_t)(between(block, 'a', 'z') | high) << i;
		out->upper |= (uint64_t)between(block, 'A', 'Z') << i;
		out->digit |= (uint64_t)between(block, '0', '9') << i;
	}
}

#endif
