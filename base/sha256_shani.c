/* SPDX-License-Identifier: MIT */
/*
 * sha256_shani.c - blocks of two messages at once, with the SHA instructions.
 */
#include "base/sha256_shani.h"

#include <immintrin.h>

#define GROUPS 16 /* of four rounds */

static const uint32_t constants[4 * GROUPS] = {
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1,
	0x923f82a4, 0xab1c5ed5, 0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3,
	0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
	0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147,
	0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
	0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b,
	0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
	0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208,
	0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* A message: its state, as the instructions want it, and the words of the
 * schedule that are next. */
struct lane {
	__m128i abef;
	__m128i cdgh;
	__m128i words[4];
};

static inline void
load(struct lane *lane, const uint32_t state[static 8])
{
	const __m128i dcba = _mm_loadu_si128((const __m128i *)state);
	const __m128i hgfe = _mm_loadu_si128((const __m128i *)(state + 4));
	const __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1);
	const __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1b);

	lane->abef = _mm_alignr_epi8(cdab, efgh, 8);
	lane->cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
}

static inline void
store(const struct lane *lane, uint32_t state[static 8])
{
	const __m128i feba = _mm_shuffle_epi32(lane->abef, 0x1b);
	const __m128i dchg = _mm_shuffle_epi32(lane->cdgh, 0xb1);

	_mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
	_mm_storeu_si128((__m128i *)(state + 4),
			 _mm_alignr_epi8(dchg, feba, 8));
}

/* The words of a group: of the block, or from those of the four before it. */
static inline void
make_words(struct lane *lane, const uint8_t *block, unsigned group)
{
	const __m128i swap =
		_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
	__m128i *words = lane->words;
	__m128i last = words[(group + 3) % 4];
	__m128i sum;

	if (group < 4) {
		words[group] = _mm_shuffle_epi8(
			_mm_loadu_si128((const __m128i *)(block + 16 * group)),
			swap);
		return;
	}
	sum = _mm_sha256msg1_epu32(words[group % 4], words[(group + 1) % 4]);
	sum = _mm_add_epi32(sum,
			    _mm_alignr_epi8(last, words[(group + 2) % 4], 4));
	words[group % 4] = _mm_sha256msg2_epu32(sum, last);
}

static inline void
do_rounds(struct lane *lane, unsigned group)
{
	const __m128i *at = (const __m128i *)(constants + 4 * group);
	__m128i sum =
		_mm_add_epi32(lane->words[group % 4], _mm_loadu_si128(at));

	lane->cdgh = _mm_sha256rnds2_epu32(lane->cdgh, lane->abef, sum);
	sum = _mm_shuffle_epi32(sum, 0x0e);
	lane->abef = _mm_sha256rnds2_epu32(lane->abef, lane->cdgh, sum);
}

static inline void
add_state(struct lane *lane, __m128i abef, __m128i cdgh)
{
	lane->abef = _mm_add_epi32(lane->abef, abef);
	lane->cdgh = _mm_add_epi32(lane->cdgh, cdgh);
}

void
sha256_shani_pair(uint32_t one[static 8], const uint8_t *of_one,
		  uint32_t two[static 8], const uint8_t *of_two, size_t blocks)
{
	struct lane a;
	struct lane b;

	load(&a, one);
	load(&b, two);
	for (; blocks > 0; blocks--) {
		const struct lane a_before = a;
		const struct lane b_before = b;

#pragma GCC unroll 16
		for (unsigned group = 0; group < GROUPS; group++) {
			make_words(&a, of_one, group);
			make_words(&b, of_two, group);
			do_rounds(&a, group);
			do_rounds(&b, group);
		}
		add_state(&a, a_before.abef, a_before.cdgh);
		add_state(&b, b_before.abef, b_before.cdgh);
		of_one += SHA256_BLOCK_BYTES;
		of_two += SHA256_BLOCK_BYTES;
	}
	store(&a, one);
	store(&b, two);
}
