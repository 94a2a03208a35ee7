/* SPDX-License-Identifier: MIT */
/*
 * source_errors.c - the lines of a log that say what went wrong.
 */
#include <string.h>
#include <strings.h>

#include "base/ascii.h"
#include "sources/source_scan.h"

#define ESCAPE '\033'

static const char *const words[] = { "error",    "errors",    "fail",
				     "fails",    "failed",    "failing",
				     "failure",  "failures",  "fatal",
				     "panic",    "panicked",  "exception",
				     "abort",    "aborted",   "traceback",
				     "segfault", "crash",     "crashed",
				     "killed",   "undefined", "exceptions" };

/* Behind ESC [ 1 ; 31 m a word begins, though a letter stands before it. */
static bool
is_behind_colour(const char *line, const char *at)
{
	if (at == line || *--at != 'm')
		return false;
	while (at > line && (ascii_is_digit((uint8_t)at[-1]) || at[-1] == ';'))
		at--;
	return at - line >= 2 && at[-1] == '[' && at[-2] == ESCAPE;
}

/* A word of its own, or the last of a name: AssertionError. */
static bool
begins_word(const char *line, const char *at)
{
	if (at == line || is_behind_colour(line, at))
		return true;
	if (ascii_is_letter((uint8_t)at[-1]))
		return at[-1] >= 'a' && *at >= 'A' && *at <= 'Z';
	/* parts of a path, of an option, of a name */
	return !ascii_is_digit((uint8_t)at[-1]) &&
	       strchr("/_-.\\", at[-1]) == NULL;
}

/* error.c, error_handler, error-prone, errors/ are names. */
static bool
ends_word(const char *at, const char *end)
{
	if (at == end)
		return true;
	if (ascii_is_letter((uint8_t)*at) || ascii_is_digit((uint8_t)*at))
		return false;
	if (*at == '.')
		return at + 1 == end || !ascii_is_letter((uint8_t)at[1]);
	return strchr("/_-\\", *at) == NULL;
}

/* 0 errors, no errors */
static bool
follows_none(const char *line, const char *word)
{
	const char *at = word;

	while (at > line && at[-1] == ' ')
		at--;
	if (at > line && at[-1] == '0')
		return at - 1 == line || !ascii_is_digit((uint8_t)at[-2]);
	return at - line >= 2 && strncasecmp(at - 2, "no", 2) == 0 &&
	       (at - 2 == line || !ascii_is_letter((uint8_t)at[-3]));
}

/* errors: 0, failed=0 */
static bool
precedes_none(const char *behind, const char *end)
{
	const char *at = behind;

	while (at < end && (*at == ':' || *at == '=' || *at == ' '))
		at++;
	return at > behind && at < end && *at == '0' &&
	       (at + 1 == end || (!ascii_is_digit((uint8_t)at[1]) &&
				  !ascii_is_letter((uint8_t)at[1])));
}

/* Bytes of the word of the list that begins there; 0: none does. */
static size_t
word_at(const char *at, const char *end)
{
	size_t bytes = 0;

	while (at + bytes < end && ascii_is_letter((uint8_t)at[bytes]))
		bytes++;
	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strlen(words[i]) == bytes &&
		    strncasecmp(at, words[i], bytes) == 0)
			return bytes;
	return 0;
}

static bool
says_error(const char *line, const char *end)
{
	for (const char *at = line; at < end; at++) {
		size_t bytes;

		if (!ascii_is_letter((uint8_t)*at) || !begins_word(line, at))
			continue;
		bytes = word_at(at, end);
		if (bytes > 0 && ends_word(at + bytes, end) &&
		    !follows_none(line, at) && !precedes_none(at + bytes, end))
			return true;
	}
	return false;
}

uint64_t
source_parse_errors(const char *text, size_t bytes,
		    uint64_t lines[static SOURCE_ERRORS_MAX], size_t *nr)
{
	const char *stop = text + bytes;
	uint64_t line = 0;

	*nr = 0;
	for (const char *at = text; at < stop;) {
		const char *end = scan_line_end(at, stop);

		line++;
		if (*nr < SOURCE_ERRORS_MAX && says_error(at, end))
			lines[(*nr)++] = line;
		at = end + 1;
	}
	return line;
}
