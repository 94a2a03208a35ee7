/* SPDX-License-Identifier: MIT */
/*
 * text.h - lines and bytes of a text, whatever its language.
 *
 * Does: counts newlines, finds the ends of lines and blank lines; passes over
 *       blanks, comments as C has them, strings.
 * Does not: know what stands in the lines.
 */
#ifndef LANG_TEXT_H
#define LANG_TEXT_H

#include <string.h>

#include "base/base.h"

/* Whether a byte is one of some. */
static inline bool
is_one_of(const char *bytes, uint8_t c)
{
	return c != '\0' && strchr(bytes, c) != NULL;
}

/* Whether it is a blank, or the CR before a newline. */
static inline bool
lang_is_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

/* Behind the blanks at `at`. */
static inline size_t
lang_skip_blanks(const uint8_t *text, size_t at, size_t end)
{
	while (at < end && lang_is_blank(text[at]))
		at++;
	return at;
}

/* The same, and behind line ends that a backslash takes away. */
static inline size_t
lang_skip_joined(const uint8_t *text, size_t at, size_t end)
{
	for (;;) {
		size_t next;

		at = lang_skip_blanks(text, at, end);
		if (at == end || text[at] != '\\')
			return at;
		next = at + 1 + (at + 1 < end && text[at + 1] == '\r');
		if (next >= end || text[next] != '\n')
			return at;
		at = next + 1;
	}
}

/* Where the line ends that `at` is in: its newline, or the end. */
static inline size_t
lang_line_end(const uint8_t *text, size_t at, size_t end)
{
	const uint8_t *newline = memchr(text + at, '\n', end - at);

	return newline == NULL ? end : (size_t)(newline - text);
}

/* Whether these bytes stand there. */
static inline bool
lang_has(const uint8_t *text, size_t at, size_t end, const char *word)
{
	size_t bytes = strlen(word);

	return end - at >= bytes && memcmp(text + at, word, bytes) == 0;
}

/* Behind white space and comments: those of C, or of C++. */
size_t
lang_skip_space(const uint8_t *text, size_t at, size_t end);

/* Behind the string that the quote at `at` begins, or behind its line. */
size_t
lang_skip_string(const uint8_t *text, size_t at, size_t end);

/* The same of one that may go over lines. */
size_t
lang_skip_text(const uint8_t *text, size_t at, size_t end);

/* Offset after the last newline in text[from, to); 0 if there is none. */
size_t
lang_behind_newline(const uint8_t *text, size_t from, size_t to);

/* The same after the last blank line. */
size_t
lang_behind_blank(const uint8_t *text, size_t from, size_t to);

/*
 * shape:  whether the line that ends at text[at] is of blanks alone, with
 *         another before it
 */
bool
lang_is_blank_before(const uint8_t *text, size_t at);

/* Newlines in a text. */
uint64_t
lang_newlines(const uint8_t *text, size_t bytes);

/* A place in a text, and its line. */
struct lang_place {
	uint32_t at;
	uint32_t line;
};

/* The line of a place in the text, by the one that was last asked for. */
uint32_t
lang_line_at(struct lang_place *last, const uint8_t *text, size_t at);

#define LANG_NUMBER_BYTES 12

/*
 * shape:  "12: ", as it stands before a line that is numbered (markup/escape.c)
 * units:  returns the bytes written
 */
size_t
lang_put_number(uint32_t line, uint8_t out[static LANG_NUMBER_BYTES]);

/* Behind the number that a line begins with. */
size_t
lang_skip_number(const uint8_t *line, size_t at, size_t end);

/*
 * shape:  bytes of the first `lines` lines of a text
 * errors: a text with no more lines than that is our own bug
 */
size_t
lang_lines_bytes(const uint8_t *text, size_t bytes, uint64_t lines);

/* Whether no byte is above 127. */
bool
lang_is_ascii(const uint8_t *text, size_t bytes);

/* Whether so many bytes, or more, are neither blanks nor control characters. */
bool
lang_has_visible(const uint8_t *text, size_t bytes, uint64_t least);

#endif
