/* SPDX-License-Identifier: MIT */
/*
 * source_log.c - places in logs and references.
 */
#include "sources/source_parse.h"

#include <string.h>

#include "base/ascii.h"
#include "sources/source_dirs.h"
#include "sources/source_scan.h"

#define ESCAPE '\033'

/* ---- colours ----------------------------------------------------------- */

/* Behind an escape sequence: of colours, of a link, or of two bytes. */
static const char *
behind_escape(const char *at, const char *stop)
{
	char kind = stop - at > 1 ? at[1] : '\0';

	at += min_size(2, (size_t)(stop - at));
	if (kind == '[') {
		while (at < stop && !(*at >= '@' && *at <= '~'))
			at++;
		return at < stop ? at + 1 : stop;
	}
	if (kind == ']') {
		while (at < stop && *at != '\a' && *at != '\n' && *at != ESCAPE)
			at++;
		if (stop - at > 1 && at[0] == ESCAPE && at[1] == '\\')
			return at + 2;
		return at < stop && *at == '\a' ? at + 1 : at;
	}
	return at;
}

int64_t
scan_plain(char *text, size_t bytes, source_place_fn *fn, void *context,
	   scan_fn *scan)
{
	const char *stop = text + bytes;
	size_t nr = 0;

	/* in place: a second copy of a large log would double its memory */
	if (bytes > 0 && memchr(text, ESCAPE, bytes) != NULL) {
		for (const char *at = text; at < stop;) {
			if (*at == ESCAPE)
				at = behind_escape(at, stop);
			else
				text[nr++] = *at++;
		}
		bytes = nr;
	}
	return scan(text, bytes, fn, context);
}

/* ---- logs -------------------------------------------------------------- */

static bool
is_path_byte(char c)
{
	return ascii_is_word((uint8_t)c) ||
	       (c != '\0' && strchr(".-/\\+@~%#=[]$", c) != NULL);
}

/* The name that ends there and does not begin before `least`. */
static const char *
path_before(const char *least, const char *end)
{
	const char *at = end;

	while (at > least && is_path_byte(at[-1]))
		at--;
	/* an opening bracket around it is not its own */
	while (at < end && *at == '[')
		at++;
	/* file:///a/b.js, webpack:///./b.js */
	if (end - at > 4 && memcmp(at, "///", 3) == 0)
		at += at[3] == '.' ? 3 : 2;
	return at;
}

static bool
looks_like_file(const char *path, size_t bytes)
{
	return bytes > 0 && bytes < PATH_BYTES_MAX &&
	       (memchr(path, '.', bytes) != NULL ||
		memchr(path, '/', bytes) != NULL ||
		memchr(path, '\\', bytes) != NULL) &&
	       !(bytes > 1 && path[0] == '/' && path[1] == '/');
}

/* File "path", line 12: as Python says it. */
static const char *
parse_python(const char *at, const char *stop, struct source_place *place)
{
	static const char head[] = "File \"";
	static const char middle[] = "\", line ";
	const char *path = at + sizeof(head) - 1;
	const char *quote;
	const char *end;

	*place = (struct source_place){ .path = path };
	if ((size_t)(stop - at) < sizeof(head) ||
	    memcmp(at, head, sizeof(head) - 1) != 0)
		return NULL;
	quote = memchr(path, '"',
		       min_size((size_t)(stop - path), PATH_BYTES_MAX));
	if (quote == NULL || (size_t)(stop - quote) < sizeof(middle) ||
	    memcmp(quote, middle, sizeof(middle) - 1) != 0)
		return NULL;
	place->line_first =
		scan_line_nr(quote + sizeof(middle) - 1, stop, &end);
	place->line_last = place->line_first;
	place->path_bytes = (size_t)(quote - path);
	return place->line_first > 0 && quote > path ? end : NULL;
}

/* path:12, path(12 or path:line 12: the number stands behind `at`. */
static const char *
parse_numbered(const char *least, const char *at, const char *stop,
	       struct source_place *place)
{
	static const char word[] = ":line ";
	size_t skip = (size_t)(stop - at) > sizeof(word) &&
				      memcmp(at, word, sizeof(word) - 1) == 0
			      ? sizeof(word) - 1
			      : 1;
	const char *end;
	uint64_t n = scan_line_nr(at + skip, stop, &end);
	const char *path;

	if (n == 0 ||
	    (*at == '(' && (end == stop || (*end != ')' && *end != ','))))
		return NULL;
	path = path_before(least, at);
	if (!looks_like_file(path, (size_t)(at - path)))
		return NULL;
	*place = (struct source_place){ .path = path,
					.path_bytes = (size_t)(at - path),
					.line_first = n,
					.line_last = n };
	return end;
}

/* " on line 12", " line 12": as PHP and Perl say it behind a name. */
static const char *
parse_worded(const char *least, const char *at, const char *stop,
	     struct source_place *place)
{
	static const char *const words[] = { " on line ", " line " };
	const char *path = path_before(least, at);

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t bytes = strlen(words[i]);
		const char *end;
		uint64_t n;

		if ((size_t)(stop - at) <= bytes ||
		    memcmp(at, words[i], bytes) != 0 ||
		    !looks_like_file(path, (size_t)(at - path)))
			continue;
		n = scan_line_nr(at + bytes, stop, &end);
		*place = (struct source_place){ .path = path,
						.path_bytes =
							(size_t)(at - path),
						.line_first = n,
						.line_last = n };
		return n > 0 ? end : NULL;
	}
	return NULL;
}

/* The place that a name before `at` and what stands there say; NULL: none. */
static const char *
parse_place(const char *least, const char *at, const char *stop,
	    struct source_place *place)
{
	switch (*at) {
	case ':':
	case '(':
		return parse_numbered(least, at, stop, place);
	case ' ':
		return parse_worded(least, at, stop, place);
	case 'F':
		return parse_python(at, stop, place);
	default:
		return NULL;
	}
}

static int64_t
parse_tool(const char *text, size_t bytes, source_place_fn *fn, void *context)
{
	const char *stop = text + bytes;
	const char *least = text; /* what is before belongs to another place */
	const char *line = text;
	struct source_dirs dirs;
	int64_t nr = 0;

	source_dirs_init(&dirs, stop);
	for (const char *at = text; at < stop && nr < SOURCE_PLACES_MAX;) {
		struct source_place place;
		const char *end;
		int error;

		if (at == text || at[-1] == '\n') {
			line = at;
			source_dirs_line(&dirs, at);
		}
		end = parse_place(least, at, stop, &place);
		if (end == NULL) {
			/* no name is looked at from two numbers */
			if (!is_path_byte(*at))
				least = at + 1;
			at++;
			continue;
		}
		source_dirs_set(&dirs, &place, text);
		place.line = line;
		error = fn(context, &place);
		if (error != 0)
			return error;
		nr++;
		at = end;
		least = end;
	}
	return nr;
}

int64_t
source_parse_tool(char *text, size_t bytes, source_place_fn *fn, void *context)
{
	return scan_plain(text, bytes, fn, context, parse_tool);
}

/* ---- references -------------------------------------------------------- */

bool
source_parse_lines(const char *text, struct source_place *place)
{
	const char *stop = text + strlen(text);
	const char *end;

	place->line_first = scan_line_nr(text, stop, &end);
	place->line_last = place->line_first;
	place->is_exact = *end == '-';
	if (place->line_first > 0 && place->is_exact)
		place->line_last = scan_line_nr(end + 1, stop, &end);
	return end == stop && place->line_first > 0 &&
	       place->line_last >= place->line_first;
}

void
source_parse_reference(const char *text, struct source_place *place)
{
	const char *colon = strrchr(text, ':');

	*place = (struct source_place){ .path = text,
					.path_bytes = strlen(text) };
	if (colon == NULL || colon == text)
		return;
	if (source_parse_lines(colon + 1, place)) {
		place->path_bytes = (size_t)(colon - text);
		return;
	}
	place->line_first = 0;
	place->line_last = 0;
	place->is_exact = false;
}
