/* SPDX-License-Identifier: MIT */
/*
 * count_normal.c - white space that does not count.
 */
#include "stages/count/count_normal.h"

#include <immintrin.h>
#include <string.h>

#define LANE_BYTES 16 /* looked at together: SSE2, which x86-64 has */
#define LANES_BYTES (4 * LANE_BYTES)

static bool
is_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static bool
is_space(uint8_t c)
{
	return is_blank(c) || c == '\n' || c == '\f' || c == '\v';
}

/* Of 16 bytes, those that are newlines behind a blank; one stands before. */
static __m128i
trailing(const uint8_t *text)
{
	__m128i lane = _mm_loadu_si128((const __m128i *)(const void *)text);
	__m128i before =
		_mm_loadu_si128((const __m128i *)(const void *)(text - 1));
	__m128i blank = _mm_cmpeq_epi8(before, _mm_set1_epi8(' '));

	blank = _mm_or_si128(blank,
			     _mm_cmpeq_epi8(before, _mm_set1_epi8('\t')));
	blank = _mm_or_si128(blank,
			     _mm_cmpeq_epi8(before, _mm_set1_epi8('\r')));
	return _mm_and_si128(blank, _mm_cmpeq_epi8(lane, _mm_set1_epi8('\n')));
}

/* Whether there is one in four lanes. */
static bool
has_trailing_lanes(const uint8_t *text)
{
	__m128i some =
		_mm_or_si128(trailing(text), trailing(text + LANE_BYTES));
	__m128i more = _mm_or_si128(trailing(text + 2 * LANE_BYTES),
				    trailing(text + 3 * LANE_BYTES));

	return _mm_movemask_epi8(_mm_or_si128(some, more)) != 0;
}

/* Whether a newline stands behind a blank. */
static bool
has_trailing(const uint8_t *text, size_t bytes)
{
	size_t at = 1;

	for (; at + LANES_BYTES <= bytes; at += LANES_BYTES)
		if (has_trailing_lanes(text + at))
			return true;
	/* what is left, with some that has been looked at */
	if (at > 1)
		return has_trailing_lanes(text + bytes - LANES_BYTES);
	for (; at < bytes; at++)
		if (text[at] == '\n' && is_blank(text[at - 1]))
			return true;
	return false;
}

bool
count_is_normal(enum count_normal how, const uint8_t *text, size_t bytes)
{
	if (how == COUNT_NORMAL_NONE)
		return true;
	if (how == COUNT_NORMAL_WHITESPACE)
		return false;
	/* an empty text may be nowhere */
	if (bytes == 0)
		return true;
	return text[bytes - 1] == '\n' && !has_trailing(text, bytes);
}

static void
put_lines(struct count_normal_at *at, const uint8_t *text, size_t bytes,
	  const struct count_normal_sink *sink)
{
	const uint8_t *stop = text + bytes;

	while (text < stop) {
		const uint8_t *newline =
			memchr(text, '\n', (size_t)(stop - text));
		const uint8_t *end = newline == NULL ? stop : newline;
		const uint8_t *last = end;

		while (last > text && is_blank(last[-1]))
			last--;
		if (last > text && at->has_blanks)
			sink->put_held(sink->to);
		if (last > text)
			sink->put(sink->to, text, (size_t)(last - text));
		at->has_blanks &= last == text;
		at->in_line = newline == NULL;
		if (newline == NULL) {
			if (end > last)
				sink->hold(sink->to, last,
					   (size_t)(end - last));
			at->has_blanks |= end > last;
			return;
		}
		at->has_blanks = 0;
		sink->put(sink->to, (const uint8_t *)"\n", 1);
		text = newline + 1;
	}
}

static void
put_words(struct count_normal_at *at, const uint8_t *text, size_t bytes,
	  const struct count_normal_sink *sink)
{
	const uint8_t *stop = text + bytes;

	while (text < stop) {
		const uint8_t *word;

		while (text < stop && is_space(*text)) {
			at->in_word = 0;
			text++;
		}
		word = text;
		while (text < stop && !is_space(*text))
			text++;
		if (text == word)
			break;
		if (at->any && !at->in_word)
			sink->put(sink->to, (const uint8_t *)" ", 1);
		at->any = 1;
		at->in_word = 1;
		sink->put(sink->to, word, (size_t)(text - word));
	}
}

void
count_normal_add(struct count_normal_at *at, const uint8_t *text, size_t bytes,
		 bool is_normal, const struct count_normal_sink *sink)
{
	if (bytes == 0)
		return;
	if (is_normal && !at->has_blanks) {
		sink->put(sink->to, text, bytes);
		at->in_line = 0; /* whole lines, if that matters */
	} else if (at->how == COUNT_NORMAL_WHITESPACE) {
		put_words(at, text, bytes, sink);
	} else {
		put_lines(at, text, bytes, sink);
	}
}

void
count_normal_end(const struct count_normal_at *at,
		 const struct count_normal_sink *sink)
{
	if (at->how == COUNT_NORMAL_TRAILING && at->in_line)
		sink->put(sink->to, (const uint8_t *)"\n", 1);
}
