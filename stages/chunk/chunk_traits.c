/* SPDX-License-Identifier: MIT */
/*
 * chunk_traits.c - characters that are not seen, and what looks like a
 * special token.
 */
#include <immintrin.h>

#include "markup/markup.h"
#include "base/unicode_invisible.h"
#include "base/utf8.h"
#include "stages/chunk/chunk.h"
#include "lang/find.h"

#define LANE_BYTES 16 /* looked at together: SSE2, which x86-64 has */

static uint8_t
trait_of(const uint8_t *at, const uint8_t *end)
{
	uint32_t c = 0;

	if (*at == '<')
		return markup_special(at, end) > 0 ? MARKUP_HAS_SPECIAL : 0;
	if (*at == '\t' || *at == '\n' || *at == '\r' || *at == '\f')
		return 0;
	if (utf8_decode(at, (size_t)(end - at), &c) == 0 || !is_invisible(c))
		return 0;
	if (c < 0xa0)
		return MARKUP_HAS_CONTROL;
	if (c == 0x61c || c == 0x200e || c == 0x200f ||
	    (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069))
		return MARKUP_HAS_BIDI;
	return MARKUP_HAS_INVISIBLE;
}

/* Which of these bytes are worth a look; one bit each. */
static unsigned
suspects(const uint8_t *lane)
{
	static const char leads[] = { '\x7f', '\xc2', '\xd8', '\xe1',
				      '\xe2', '\xef', '\xf3' };
	static const char layout[] = { '\n', '\t', '\r', '\f' };
	const __m128i bytes =
		_mm_loadu_si128((const __m128i *)(const void *)lane);
	const __m128i last = _mm_set1_epi8(0x1f);
	__m128i found = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last), bytes);
	unsigned less;

	for (size_t i = 0; i < sizeof(layout); i++)
		found = _mm_andnot_si128(
			_mm_cmpeq_epi8(bytes, _mm_set1_epi8(layout[i])), found);
	for (size_t i = 0; i < sizeof(leads); i++)
		found = _mm_or_si128(
			found, _mm_cmpeq_epi8(bytes, _mm_set1_epi8(leads[i])));
	less = (unsigned)_mm_movemask_epi8(
		_mm_cmpeq_epi8(bytes, _mm_set1_epi8('<')));
	if (less != 0) {
		unsigned bars = (unsigned)_mm_movemask_epi8(
			_mm_cmpeq_epi8(bytes, _mm_set1_epi8('|')));

		/* the last one's next byte is not here: look at it */
		less &= bars >> 1 | 1u << (LANE_BYTES - 1);
	}
	return (unsigned)_mm_movemask_epi8(found) | less;
}

uint8_t
chunk_traits(const uint8_t *text, size_t bytes)
{
	const uint8_t *end = text + bytes;
	const uint8_t *at = text;
	uint8_t traits = 0;

	while (lang_has_avx2() && end - at >= FIND_BLOCK) {
		uint64_t found = lang_suspects64_avx2(at);

		for (; found != 0; found &= found - 1)
			traits |= trait_of(at + __builtin_ctzll(found), end);
		at += FIND_BLOCK;
	}
	for (; end - at >= LANE_BYTES; at += LANE_BYTES) {
		unsigned found = suspects(at);

		for (; found != 0; found &= found - 1)
			traits |= trait_of(at + __builtin_ctz(found), end);
	}
	for (; at < end; at++)
		traits |= trait_of(at, end);
	return traits;
}
