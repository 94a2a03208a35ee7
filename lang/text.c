/* SPDX-License-Identifier: MIT */
/*
 * text.c - lines of a text, by vectors where the text is long.
 */
#include "lang/text.h"

#include <immintrin.h>
#include <string.h>

#define LANE_BYTES 16     /* looked at together: SSE2, which x86-64 has */
#define ROUNDS_MAX 255    /* what a counter of a byte holds */
#define VISIBLE_ROUNDS 25 /* so many lanes between two looks at the sum */

size_t
lang_skip_space(const uint8_t *text, size_t at, size_t end)
{
	while (at < end) {
		uint8_t next = end - at > 1 ? text[at + 1] : 0;
		const uint8_t *close = NULL;

		if (text[at] == ' ' || (text[at] >= '\t' && text[at] <= '\r'))
			close = text + at + 1;
		else if (text[at] != '/' || (next != '/' && next != '*'))
			break;
		else if (next == '/')
			close = memchr(text + at, '\n', end - at);
		else if ((close = memmem(text + at + 2, end - at - 2, "*/",
					 2)) != NULL)
			close += 2;
		at = close == NULL ? end : (size_t)(close - text);
	}
	return at;
}

size_t
lang_skip_string(const uint8_t *text, size_t at, size_t end)
{
	uint8_t quote = text[at++];

	while (at < end && text[at] != quote && text[at] != '\n')
		at += text[at] == '\\' ? 2 : 1;
	return at < end ? at + 1 : end;
}

size_t
lang_skip_text(const uint8_t *text, size_t at, size_t end)
{
	uint8_t quote = text[at++];

	while (at < end && text[at] != quote)
		at += text[at] == '\\' ? 2 : 1;
	return at < end ? at + 1 : end;
}

size_t
lang_behind_newline(const uint8_t *text, size_t from, size_t to)
{
	const uint8_t *newline =
		to > from ? memrchr(text + from, '\n', to - from) : NULL;

	return newline == NULL ? 0 : (size_t)(newline - text) + 1;
}

bool
lang_is_blank_before(const uint8_t *text, size_t at)
{
	if (at == 0 || text[at - 1] != '\n')
		return false;
	at--;
	while (at > 0 && lang_is_blank(text[at - 1]))
		at--;
	return at > 0 && text[at - 1] == '\n';
}

size_t
lang_behind_blank(const uint8_t *text, size_t from, size_t to)
{
	while (to > from) {
		size_t end = lang_behind_newline(text, from, to);

		if (end == 0)
			return 0;
		if (lang_is_blank_before(text + from, end - from))
			return end;
		to = end - 1;
	}
	return 0;
}

/* The sum of what counters of a byte hold. */
static uint64_t
sum_of(__m128i counters)
{
	__m128i sums = _mm_sad_epu8(counters, _mm_setzero_si128());

	return (uint64_t)_mm_cvtsi128_si64(sums) +
	       (uint64_t)_mm_cvtsi128_si64(_mm_srli_si128(sums, 8));
}

uint64_t
lang_newlines(const uint8_t *text, size_t bytes)
{
	const __m128i newline = _mm_set1_epi8('\n');
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
		sum += sum_of(found);
		bytes -= rounds * LANE_BYTES;
	}
	for (size_t i = 0; i < bytes; i++)
		sum += text[i] == '\n';
	return sum;
}

size_t
lang_lines_bytes(const uint8_t *text, size_t bytes, uint64_t lines)
{
	const uint8_t *end = text + bytes;
	const uint8_t *at = text;

	while (lines-- > 0) {
		const uint8_t *newline = memchr(at, '\n', (size_t)(end - at));

		ASSERT(newline != NULL);
		at = newline + 1;
	}
	return (size_t)(at - text);
}

bool
lang_is_ascii(const uint8_t *text, size_t bytes)
{
	__m128i all = _mm_setzero_si128();
	uint8_t rest = 0;

	for (; bytes >= LANE_BYTES; bytes -= LANE_BYTES, text += LANE_BYTES)
		all = _mm_or_si128(
			all,
			_mm_loadu_si128((const __m128i *)(const void *)text));
	for (size_t i = 0; i < bytes; i++)
		rest |= text[i];
	return _mm_movemask_epi8(all) == 0 && rest < 0x80;
}

bool
lang_has_visible(const uint8_t *text, size_t bytes, uint64_t least)
{
	const __m128i blank = _mm_set1_epi8(' ');
	uint64_t seen = 0;

	if (bytes < least)
		return false;
	while (bytes >= LANE_BYTES && seen < least) {
		size_t rounds = min_size(bytes / LANE_BYTES, VISIBLE_ROUNDS);
		__m128i blanks = _mm_setzero_si128();

		for (size_t i = 0; i < rounds; i++, text += LANE_BYTES) {
			__m128i lane = _mm_loadu_si128(
				(const __m128i *)(const void *)text);

			lane = _mm_cmpeq_epi8(_mm_max_epu8(lane, blank), blank);
			blanks = _mm_sub_epi8(blanks, lane);
		}
		bytes -= rounds * LANE_BYTES;
		seen += rounds * LANE_BYTES - sum_of(blanks);
	}
	for (size_t i = 0; i < bytes && seen < least; i++)
		seen += text[i] > ' ';
	return seen >= least;
}

uint32_t
lang_line_at(struct lang_place *last, const uint8_t *text, size_t at)
{
	if (at >= last->at)
		last->line +=
			(uint32_t)lang_newlines(text + last->at, at - last->at);
	else
		last->line -= (uint32_t)lang_newlines(text + at, last->at - at);
	last->at = (uint32_t)at;
	return last->line;
}

size_t
lang_put_number(uint32_t line, uint8_t out[static LANG_NUMBER_BYTES])
{
	size_t nr = 1;

	for (uint32_t rest = line; rest >= 10; rest /= 10)
		nr++;
	for (size_t i = nr; i-- > 0; line /= 10)
		out[i] = (uint8_t)('0' + line % 10);
	out[nr] = ':';
	out[nr + 1] = ' ';
	return nr + 2;
}

size_t
lang_skip_number(const uint8_t *line, size_t at, size_t end)
{
	while (at < end && line[at] >= '0' && line[at] <= '9')
		at++;
	return min_size(at + 2, end);
}
