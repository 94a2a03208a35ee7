/* SPDX-License-Identifier: MIT */
/*
 * count_normal.c - white space that does not count.
 */
#include "stages/count/count_normal.h"

#include <string.h>

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

bool
count_is_normal(enum count_normal how, const uint8_t *text, size_t bytes)
{
	const uint8_t *stop = text + bytes;

	if (how == COUNT_NORMAL_NONE)
		return true;
	if (how == COUNT_NORMAL_WHITESPACE)
		return false;
	if (bytes == 0 || stop[-1] != '\n')
		return bytes == 0;
	for (const uint8_t *at = text; at < stop;) {
		const uint8_t *end = memchr(at, '\n', (size_t)(stop - at));

		if (end > at && is_blank(end[-1]))
			return false;
		at = end + 1;
	}
	return true;
}

static void
add_lines(const uint8_t *text, size_t bytes, count_piece_fn *fn, void *to)
{
	const uint8_t *stop = text + bytes;

	while (text < stop) {
		const uint8_t *newline =
			memchr(text, '\n', (size_t)(stop - text));
		const uint8_t *end = newline == NULL ? stop : newline;
		const uint8_t *last = end;

		while (last > text && is_blank(last[-1]))
			last--;
		fn(to, text, (size_t)(last - text));
		fn(to, (const uint8_t *)"\n", 1);
		text = newline == NULL ? stop : end + 1;
	}
}

static void
add_words(const uint8_t *text, size_t bytes, count_piece_fn *fn, void *to)
{
	const uint8_t *stop = text + bytes;
	bool any = false;

	while (text < stop) {
		const uint8_t *word;

		while (text < stop && is_space(*text))
			text++;
		word = text;
		while (text < stop && !is_space(*text))
			text++;
		if (text == word)
			break;
		if (any)
			fn(to, (const uint8_t *)" ", 1);
		any = true;
		fn(to, word, (size_t)(text - word));
	}
}

void
count_normal(enum count_normal how, const uint8_t *text, size_t bytes,
	     count_piece_fn *fn, void *to)
{
	switch (how) {
	case COUNT_NORMAL_TRAILING:
		add_lines(text, bytes, fn, to);
		break;
	case COUNT_NORMAL_WHITESPACE:
		add_words(text, bytes, fn, to);
		break;
	default:
		fn(to, text, bytes);
		break;
	}
}
