/* SPDX-License-Identifier: MIT */
/*
 * marker.c - finding the few words that say that something is open.
 */
#include <immintrin.h>
#include <string.h>

#include "base/ascii.h"
#include "lang/facts.h"

#define LANE_BYTES 16

/* Bytes of the marker that stands there, 0 for none. */
static size_t
marker_at(const uint8_t *text, size_t at, size_t bytes)
{
	static const char *const words[] = {
#define MARKER(word) word,
#include "lang/marker.def"
#undef MARKER
	};

	if (at > 0 && ascii_is_word(text[at - 1]))
		return 0;
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t nr = strlen(words[i]);

		if (bytes - at >= nr && memcmp(text + at, words[i], nr) == 0 &&
		    (at + nr == bytes || !ascii_is_word(text[at + nr])))
			return nr;
	}
	return 0;
}

/* A bit for each of sixteen places where the first two letters of one are. */
static uint32_t
candidates(const uint8_t *text)
{
	const __m128i first = _mm_loadu_si128((const void *)text);
	const __m128i second = _mm_loadu_si128((const void *)(text + 1));
	__m128i found = _mm_setzero_si128();

#define MARKER(word)                                                   \
	found = _mm_or_si128(                                          \
		found,                                                 \
		_mm_and_si128(                                         \
			_mm_cmpeq_epi8(first, _mm_set1_epi8(word[0])), \
			_mm_cmpeq_epi8(second, _mm_set1_epi8(word[1]))));
#include "lang/marker.def"
#undef MARKER
	return (uint32_t)_mm_movemask_epi8(found);
}

size_t
lang_marker_next(const uint8_t *text, size_t from, size_t bytes,
		 size_t *word_bytes)
{
	size_t at = from;

	while (bytes - at > LANE_BYTES) {
		uint32_t bits = candidates(text + at);

		for (; bits != 0; bits &= bits - 1) {
			size_t place = at + (size_t)__builtin_ctz(bits);

			*word_bytes = marker_at(text, place, bytes);
			if (*word_bytes != 0)
				return place;
		}
		at += LANE_BYTES;
	}
	for (; at < bytes; at++) {
		*word_bytes = marker_at(text, at, bytes);
		if (*word_bytes != 0)
			return at;
	}
	return bytes;
}
