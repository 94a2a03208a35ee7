/* SPDX-License-Identifier: MIT */
/*
 * source_scan.h - lines and numbers in the output of tools.
 *
 * Does not: concern anybody but source_*.c.
 */
#ifndef SOURCES_SOURCE_SCAN_H
#define SOURCES_SOURCE_SCAN_H

#include <jansson.h>
#include <string.h>

#include "sources/source_parse.h"

#define PATH_BYTES_MAX 4096 /* longer ones cannot be opened */

/* Digits of a line number; *end is behind them. 0: none, or too great. */
static inline uint64_t
scan_line_nr(const char *at, const char *stop, const char **end)
{
	uint64_t n = 0;

	for (*end = at; *end < stop && **end >= '0' && **end <= '9'; (*end)++) {
		if (n > UINT32_MAX)
			return 0;
		n = n * 10 + (uint64_t)(**end - '0');
	}
	return n;
}

/* The end of the line that `at` is in. */
static inline const char *
scan_line_end(const char *at, const char *stop)
{
	const char *newline = memchr(at, '\n', (size_t)(stop - at));

	return newline == NULL ? stop : newline;
}

/*
 * shape:  a line of JSON; NULL: it is none, or it has so many values that they
 *         would take more memory than there is for the text
 * owner:  the caller's, for json_decref()
 */
json_t *
scan_json(const char *line, size_t bytes, size_t flags);

typedef int64_t
scan_fn(const char *text, size_t bytes, source_place_fn *fn, void *context);

/*
 * shape:  what `scan` makes of a text without what terminals are told of
 *         colours: that is no part of a name, and is taken out of `text`
 * errors: those of `scan`
 */
int64_t
scan_plain(char *text, size_t bytes, source_place_fn *fn, void *context,
	   scan_fn *scan);

#endif
