/* SPDX-License-Identifier: MIT */
/*
 * licence.c - comments at the beginning of a file, a line after the other.
 */
#include "rank/licence.h"

#include <string.h>

#include "base/ascii.h"

/* A line of a comment, or a blank one. */
struct comment_line {
	const uint8_t *text;
	size_t bytes;
	bool is_blank;
	bool is_block; /* the comment goes on until it is closed */
};

static bool
begins_with(const uint8_t *text, size_t bytes, const char *word)
{
	size_t nr = strlen(word);

	return bytes >= nr && memcmp(text, word, nr) == 0;
}

static bool
has(const uint8_t *text, size_t bytes, const char *word)
{
	return memmem(text, bytes, word, strlen(word)) != NULL;
}

/* Whether a line, without blanks before it, is a comment by its beginning. */
static bool
is_comment(const uint8_t *text, size_t bytes)
{
	static const char *const begins[] = { "/*", "*",    "//", ";",
					      "--", "<!--", "%",  "dnl " };

	for (size_t i = 0; i < ARRAY_LEN(begins); i++)
		if (begins_with(text, bytes, begins[i]))
			return true;
	/* "#include" is none */
	return *text == '#' && (bytes == 1 || !ascii_is_word(text[1]));
}

/* The line that begins there; false: it is neither a comment nor blank. */
static bool
read_line(const uint8_t *text, size_t bytes, bool in_block,
	  struct comment_line *line)
{
	const uint8_t *end = memchr(text, '\n', bytes);
	const uint8_t *at = text;

	line->text = text;
	line->bytes = end == NULL ? bytes : (size_t)(end - text) + 1;
	end = text + line->bytes;
	while (at < end && *at <= ' ')
		at++;
	bytes = (size_t)(end - at);
	line->is_blank = bytes == 0;
	if (!in_block && !line->is_blank && !is_comment(at, bytes))
		return false;
	line->is_block = (in_block || begins_with(at, bytes, "/*") ||
			  begins_with(at, bytes, "<!--") ||
			  (!line->is_blank && *at == '*')) &&
			 !has(at, bytes, "*/") && !has(at, bytes, "-->");
	return true;
}

/* Whether a line says whose it is, or what may be done with it. */
static bool
tells_of_licence(const struct comment_line *line)
{
	static const char *const words[] = { "copyright", "licens",
					     "licenc",    "spdx",
					     "warrant",   "redistribut" };

	for (size_t i = 0; i < line->bytes; i++) {
		uint8_t first = ascii_lower(line->text[i]);

		for (size_t k = 0; k < ARRAY_LEN(words); k++) {
			size_t n = 0;

			if (first != (uint8_t)words[k][0])
				continue;
			while (words[k][n] != '\0' && i + n < line->bytes &&
			       ascii_lower(line->text[i + n]) ==
				       (uint8_t)words[k][n])
				n++;
			if (words[k][n] == '\0')
				return true;
		}
	}
	return false;
}

/* Whether a text begins within a comment: one is closed before any begins. */
static bool
begins_within(const uint8_t *text, size_t bytes)
{
	const uint8_t *close = memmem(text, bytes, "*/", 2);

	return close != NULL && !has(text, (size_t)(close - text), "/*");
}

size_t
licence_find(const uint8_t *text, size_t bytes, size_t *from)
{
	struct comment_line line = { .is_block = false };
	bool is_found = false;
	size_t at = 0;

	bytes = min_size(bytes, LICENCE_BYTES_MAX);
	line.is_block = begins_within(text, bytes);
	while (at < bytes &&
	       read_line(text + at, bytes - at, line.is_block, &line)) {
		if (is_found && line.is_blank && !line.is_block)
			break;
		if (!is_found && tells_of_licence(&line)) {
			is_found = true;
			*from = at;
		}
		at += line.bytes;
		/* a block that is closed is its end */
		if (is_found && !line.is_block &&
		    (has(line.text, line.bytes, "*/") ||
		     has(line.text, line.bytes, "-->")))
			break;
	}
	return is_found ? at - *from : 0;
}
