/* SPDX-License-Identifier: MIT */
/*
 * find_avx2.c - masks of 64 bytes, on processors with AVX2.
 */
#include "lang/code.h"

#include <immintrin.h>

static uint32_t
mask32(__m256i low, __m256i bit_of, const uint8_t *bytes)
{
	__m256i text = _mm256_loadu_si256((const __m256i *)(const void *)bytes);
	__m256i nibble = _mm256_and_si256(_mm256_srli_epi16(text, 4),
					  _mm256_set1_epi8(15));
	/* a byte from 128 on looks up 0 here, and so is in no set */
	__m256i groups = _mm256_shuffle_epi8(low, text);
	__m256i bit = _mm256_shuffle_epi8(bit_of, nibble);
	__m256i hit = _mm256_and_si256(groups, bit);

	hit = _mm256_cmpeq_epi8(hit, _mm256_setzero_si256());
	return ~(uint32_t)_mm256_movemask_epi8(hit);
}

uint64_t
lang_mask64_avx2(const struct lang_set *set, const uint8_t *bytes)
{
	__m256i low = _mm256_broadcastsi128_si256(
		_mm_loadu_si128((const __m128i *)(const void *)set->low));
	__m256i bit_of = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, -128, 0, 0, 0,
					  0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64,
					  -128, 0, 0, 0, 0, 0, 0, 0, 0);

	return mask32(low, bit_of, bytes) |
	       (uint64_t)mask32(low, bit_of, bytes + 32) << 32;
}

static uint32_t
equal32(__m256i block, char byte)
{
	return (uint32_t)_mm256_movemask_epi8(
		_mm256_cmpeq_epi8(block, _mm256_set1_epi8(byte)));
}

static uint32_t
suspects32(__m256i block)
{
	uint32_t high = (uint32_t)_mm256_movemask_epi8(block);
	uint32_t found = (uint32_t)_mm256_movemask_epi8(
		_mm256_cmpgt_epi8(_mm256_set1_epi8(0x20), block));
	uint32_t less = equal32(block, '<');

	/* signed: those from 128 on are less than a blank, too */
	found &= ~(high | equal32(block, '\n') | equal32(block, '\t') |
		   equal32(block, '\r') | equal32(block, '\f'));
	found |= equal32(block, 0x7f);
	if (high != 0)
		found |= equal32(block, '\xc2') | equal32(block, '\xd8') |
			 equal32(block, '\xe1') | equal32(block, '\xe2') |
			 equal32(block, '\xef') | equal32(block, '\xf3');
	/* the last one's next byte is not here */
	if (less != 0)
		found |= less & (equal32(block, '|') >> 1 | 1u << 31);
	return found;
}

uint64_t
lang_suspects64_avx2(const uint8_t *bytes)
{
	const __m256i *blocks = (const __m256i *)(const void *)bytes;

	return suspects32(_mm256_loadu_si256(blocks)) |
	       (uint64_t)suspects32(_mm256_loadu_si256(blocks + 1)) << 32;
}

size_t
lang_gap_next_avx2(const uint8_t *text, size_t at, size_t bytes)
{
	const __m256i slash = _mm256_set1_epi8('/');
	const __m256i dot = _mm256_set1_epi8('.');

	for (; bytes - at >= 32 + 3; at += 32) {
		const uint8_t *from = text + at;
		__m256i first = _mm256_loadu_si256((const void *)from);
		__m256i second = _mm256_loadu_si256((const void *)(from + 1));
		__m256i fourth = _mm256_loadu_si256((const void *)(from + 3));
		__m256i hit = _mm256_and_si256(
			_mm256_cmpeq_epi8(fourth, dot),
			_mm256_and_si256(_mm256_cmpeq_epi8(first, slash),
					 _mm256_cmpeq_epi8(second, slash)));
		uint32_t mask = (uint32_t)_mm256_movemask_epi8(hit);

		if (mask != 0)
			return at + (size_t)__builtin_ctz(mask);
	}
	return at;
}

/* Where a word's first two letters stand. */
static uint64_t
pairs64(const struct lang_code *code, const uint8_t *bytes)
{
	__m256i low = _mm256_loadu_si256((const void *)bytes);
	__m256i low_next = _mm256_loadu_si256((const void *)(bytes + 1));
	__m256i high = _mm256_loadu_si256((const void *)(bytes + 32));
	__m256i high_next = _mm256_loadu_si256((const void *)(bytes + 33));
	__m256i low_hit = _mm256_setzero_si256();
	__m256i high_hit = _mm256_setzero_si256();

	for (uint32_t i = 0; i < code->pair_nr; i++) {
		__m256i first = _mm256_set1_epi8((char)code->first[i]);
		__m256i second = _mm256_set1_epi8((char)code->second[i]);

		low_hit = _mm256_or_si256(
			low_hit,
			_mm256_and_si256(_mm256_cmpeq_epi8(low, first),
					 _mm256_cmpeq_epi8(low_next, second)));
		high_hit = _mm256_or_si256(
			high_hit,
			_mm256_and_si256(_mm256_cmpeq_epi8(high, first),
					 _mm256_cmpeq_epi8(high_next, second)));
	}
	return (uint32_t)_mm256_movemask_epi8(low_hit) |
	       (uint64_t)(uint32_t)_mm256_movemask_epi8(high_hit) << 32;
}

struct lang_code_masks
lang_code64_avx2(const struct lang_code *code, const uint8_t *bytes)
{
	__m256i low = _mm256_loadu_si256((const void *)bytes);
	__m256i high = _mm256_loadu_si256((const void *)(bytes + 32));

	return (struct lang_code_masks){
		.pairs = pairs64(code, bytes),
		.brackets = equal32(low, '(') | (uint64_t)equal32(high, '(')
							<< 32,
		.ands = equal32(low, '&') | (uint64_t)equal32(high, '&') << 32,
		.ors = equal32(low, '|') | (uint64_t)equal32(high, '|') << 32,
	};
}
