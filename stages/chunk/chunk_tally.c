/* SPDX-License-Identifier: MIT */
/*
 * chunk_tally.c - counting lines and runs of backticks.
 */
#include "stages/chunk/chunk.h"

#include <immintrin.h>
#include <string.h>

#define LANE_BYTES 16  /* looked at together: SSE2, which x86-64 has */
#define ROUNDS_MAX 255 /* what a counter of a byte holds */

uint64_t
chunk_newlines(const uint8_t *text, size_t bytes)
{
	const __m128i newline = _mm_set1_epi8('\n');
	__m128i total = _mm_setzero_si128();
	uint64_t sum = 0;

	while (bytes >= LANE_BYTES) {
		size_t rounds = min_size(bytes / LANE_BYTES, ROUNDS_MAX);
		__m128i found = _mm_setzero_si128();

		for (size_t i = 0; i < rounds; i++, text += LANE_BYTES) {
			__m128i lane = _mm_loadu_si128(
				(const __m128i *)(const void *)text);

			/* an equal byte is -1 */
			found = _mm_sub_epi8(found,
					     _mm_cmpeq_epi8(lane, newline));
		}
		total = _mm_add_epi64(total,
				      _mm_sad_epu8(found, _mm_setzero_si128()));
		bytes -= rounds * LANE_BYTES;
	}
	for (size_t i = 0; i < bytes; i++)
		sum += text[i] == '\n';
	return sum + (uint64_t)_mm_cvtsi128_si64(total) +
	       (uint64_t)_mm_cvtsi128_si64(_mm_srli_si128(total, 8));
}

static void
add_backticks(struct chunk_tally *tally, const uint8_t *text, size_t bytes)
{
	size_t at = 0;

	while (at < bytes) {
		const uint8_t *tick = text + at;
		uint64_t run;

		if (*tick != '`') {
			tally->backtick_tail = 0;
			tick = memchr(text + at, '`', bytes - at);
			if (tick == NULL)
				return;
			at = (size_t)(tick - text);
		}
		run = tally->backtick_tail;
		while (at < bytes && text[at] == '`') {
			run++;
			at++;
		}
		tally->backtick_tail = (uint32_t)min_u64(run, UINT32_MAX);
		if (tally->backtick_tail > tally->backtick_run)
			tally->backtick_run = tally->backtick_tail;
	}
}

void
chunk_tally_add(struct chunk_tally *tally, const uint8_t *text, size_t bytes)
{
	if (bytes == 0)
		return;
	tally->bytes += bytes;
	tally->newlines += chunk_newlines(text, bytes);
	add_backticks(tally, text, bytes);
	tally->last_byte = text[bytes - 1];
}
