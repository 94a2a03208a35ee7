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

/* Whether a word begins there that says whose a file is, or what may be done
 * with it. */
static bool
is_telling(const uint8_t *at, size_t left)
{
	static const char *const words[] = { "copyright", "licens",
					     "licenc",    "spdx",
					     "warrant",   "redistribut" };

	for (size_t k = 0; k < ARRAY_LEN(words); k++) {
		size_t n = 0;

		while (words[k][n] != '\0' && n < left &&
		       ascii_lower(at[n]) == (uint8_t)words[k][n])
			n++;
		if (words[k][n] == '\0')
			return true;
	}
	return false;
}

static bool
tells_of_licence(const struct comment_line *line)
{
	/* what these words begin with */
	static const bool begins[UINT8_MAX + 1] = {
		['c'] = true, ['C'] = true, ['l'] = true, ['L'] = true,
		['r'] = true, ['R'] = true, ['s'] = true, ['S'] = true,
		['w'] = true, ['W'] = true,
	};

	for (size_t i = 0; i < line->bytes; i++)
		if (begins[line->text[i]] &&
		    (i == 0 || !ascii_is_word(line->text[i - 1])) &&
		    is_telling(line->text + i, line->bytes - i))
			return true;
	return false;
}

size_t
licence_find(const uint8_t *text, size_t bytes, size_t *from)
{
	struct comment_line line = { .is_block = false };
	bool is_found = false;
	size_t at = 0;

	bytes = min_size(bytes, LICENCE_BYTES_MAX);
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
