/* SPDX-License-Identifier: MIT */
/*
 * query_find.c - classes of bytes as masks.
 */
#include "rank/query_find.h"

#include <immintrin.h>

#define LANE_BYTES 16 /* looked at together: SSE2, which x86-64 has */

/* Bytes from first to last, both below 128. */
static uint64_t
between(__m128i bytes, char first, char last)
{
	__m128i above = _mm_cmpgt_epi8(bytes, _mm_set1_epi8((char)(first - 1)));
	__m128i below = _mm_cmplt_epi8(bytes, _mm_set1_epi8((char)(last + 1)));

	return (unsigned)_mm_movemask_epi8(_mm_and_si128(above, below));
}

void
query_masks(const uint8_t *bytes, struct query_masks *out)
{
	*out = (struct query_masks){ 0 };
	for (unsigned i = 0; i < QUERY_BLOCK; i += LANE_BYTES) {
		__m128i lane = _mm_loadu_si128(
			(const __m128i *)(const void *)(bytes + i));
		uint64_t high = (unsigned)_mm_movemask_epi8(lane);

		out->lower |= (between(lane, 'a', 'z') | high) << i;
		out->upper |= between(lane, 'A', 'Z') << i;
		out->digit |= between(lane, '0', '9') << i;
	}
}
