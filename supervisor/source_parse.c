/* SPDX-License-Identifier: MIT */
/*
 * source_parse.c - places in search results and logs.
 */
#include "supervisor/source_parse.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "shm/base64.h"

#define PATH_BYTES_MAX 4096 /* longer ones cannot be opened */
#define ESCAPE '\033'

/* Digits of a line number; *end is behind them. 0: none, or too great. */
static uint64_t
parse_line(const char *at, const char *stop, const char **end)
{
	uint64_t n = 0;

	for (*end = at; *end < stop && **end >= '0' && **end <= '9'; (*end)++) {
		if (n > UINT32_MAX)
			return 0;
		n = n * 10 + (uint64_t)(**end - '0');
	}
	return n;
}

static const char *
end_of_line(const char *at, const char *stop)
{
	const char *newline = memchr(at, '\n', (size_t)(stop - at));

	return newline == NULL ? stop : newline;
}

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

typedef int64_t
parse_fn(const char *text, size_t bytes, source_place_fn *fn, void *context);

/* What terminals are told of colours is no part of a name. */
static int64_t
parse_plain(const char *text, size_t bytes, source_place_fn *fn, void *context,
	    parse_fn *parse)
{
	const char *stop = text + bytes;
	char *plain;
	size_t nr = 0;
	int64_t result;

	if (bytes == 0 || memchr(text, ESCAPE, bytes) == NULL)
		return parse(text, bytes, fn, context);
	plain = malloc(bytes);
	if (plain == NULL)
		return -ENOMEM;
	for (const char *at = text; at < stop;) {
		if (*at == ESCAPE)
			at = behind_escape(at, stop);
		else
			plain[nr++] = *at++;
	}
	result = parse(plain, nr, fn, context);
	free(plain);
	return result;
}

/* ---- search results ---------------------------------------------------- */

/* A path that is not UTF-8, as rg writes it: its bytes, 0 for nonsense. */
static size_t
decode_base64(const char *text, char out[static PATH_BYTES_MAX])
{
	uint32_t bits = 0;
	unsigned nr = 0;
	size_t bytes = 0;

	for (; *text != '\0' && *text != '='; text++) {
		int value = base64_value(*text);

		if (value < 0 || bytes == PATH_BYTES_MAX)
			return 0;
		bits = bits << 6 | (uint32_t)value;
		nr += 6;
		if (nr >= 8) {
			nr -= 8;
			out[bytes++] = (char)(bits >> nr & 0xff);
		}
	}
	return bytes;
}

/* Lines that a match goes over. */
static uint64_t
lines_of(const json_t *data)
{
	const json_t *text =
		json_object_get(json_object_get(data, "lines"), "text");
	const char *at = json_string_value(text);
	uint64_t nr = 0;

	if (at == NULL)
		return 1;
	for (; *at != '\0'; at++)
		nr += *at == '\n' && at[1] != '\0';
	return nr + 1;
}

/* One line of `rg --json`: 1, 0 if it is no match, or -errno. */
static int
parse_rg(const char *line, size_t bytes, source_place_fn *fn, void *context)
{
	json_t *root = json_loadb(line, bytes, 0, NULL);
	const char *type = json_string_value(json_object_get(root, "type"));
	const json_t *data = json_object_get(root, "data");
	const json_t *path = json_object_get(data, "path");
	json_int_t number =
		json_integer_value(json_object_get(data, "line_number"));
	const json_t *text = json_object_get(path, "text");
	const char *coded = json_string_value(json_object_get(path, "bytes"));
	struct source_place place = { .path = json_string_value(text),
				      .path_bytes = json_string_length(text) };
	char decoded[PATH_BYTES_MAX];
	int result = 0;

	if (place.path == NULL && coded != NULL) {
		place.path = decoded;
		place.path_bytes = decode_base64(coded, decoded);
	}
	if (type != NULL && strcmp(type, "match") == 0 && number > 0 &&
	    place.path_bytes > 0) {
		place.line_first = (uint64_t)number;
		place.line_last = place.line_first + lines_of(data) - 1;
		result = fn(context, &place);
		result = result == 0 ? 1 : result;
	}
	json_decref(root);
	return result;
}

/* "path:12:text", "path:12" */
static int
parse_grep(const char *line, const char *stop, source_place_fn *fn,
	   void *context)
{
	const char *colon = line;

	while ((colon = memchr(colon, ':', (size_t)(stop - colon))) != NULL) {
		const char *end;
		uint64_t n = parse_line(colon + 1, stop, &end);

		if (colon > line && n > 0 &&
		    (end == stop || *end == ':' || *end == '\r')) {
			struct source_place place = {
				.path = line,
				.path_bytes = (size_t)(colon - line),
				.line_first = n,
				.line_last = n,
			};
			int error = fn(context, &place);

			return error == 0 ? 1 : error;
		}
		colon++;
	}
	return 0;
}

static int64_t
parse_search(const char *text, size_t bytes, source_place_fn *fn, void *context)
{
	const char *stop = text + bytes;
	int64_t nr = 0;

	for (const char *at = text; at < stop && nr < SOURCE_PLACES_MAX;) {
		const char *end = end_of_line(at, stop);
		int result = *at == '{' ? parse_rg(at, (size_t)(end - at), fn,
						   context)
					: parse_grep(at, end, fn, context);

		if (result < 0)
			return result;
		nr += result;
		at = end + 1;
	}
	return nr;
}

int64_t
source_parse_search(const char *text, size_t bytes, source_place_fn *fn,
		    void *context)
{
	return parse_plain(text, bytes, fn, context, parse_search);
}

/* ---- logs -------------------------------------------------------------- */

static bool
is_path_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (unsigned char)c >= 0x80 ||
	       (c != '\0' && strchr("._-/+@~%#=[]$", c) != NULL);
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
	return at;
}

static bool
looks_like_file(const char *path, size_t bytes)
{
	return bytes > 0 && bytes < PATH_BYTES_MAX &&
	       (memchr(path, '.', bytes) != NULL ||
		memchr(path, '/', bytes) != NULL) &&
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

	if ((size_t)(stop - at) < sizeof(head) ||
	    memcmp(at, head, sizeof(head) - 1) != 0)
		return NULL;
	quote = memchr(path, '"',
		       min_size((size_t)(stop - path), PATH_BYTES_MAX));
	if (quote == NULL || (size_t)(stop - quote) < sizeof(middle) ||
	    memcmp(quote, middle, sizeof(middle) - 1) != 0)
		return NULL;
	place->line_first = parse_line(quote + sizeof(middle) - 1, stop, &end);
	place->line_last = place->line_first;
	place->path = path;
	place->path_bytes = (size_t)(quote - path);
	return place->line_first > 0 && quote > path ? end : NULL;
}

/* path:12 or path(12: the number stands behind `at`. */
static const char *
parse_numbered(const char *least, const char *at, const char *stop,
	       struct source_place *place)
{
	const char *end;
	uint64_t n = parse_line(at + 1, stop, &end);
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

static int64_t
parse_tool(const char *text, size_t bytes, source_place_fn *fn, void *context)
{
	const char *stop = text + bytes;
	const char *least = text; /* what is before belongs to another place */
	int64_t nr = 0;

	for (const char *at = text; at < stop && nr < SOURCE_PLACES_MAX;) {
		struct source_place place;
		const char *end = NULL;
		int error;

		if (*at == ':' || *at == '(')
			end = parse_numbered(least, at, stop, &place);
		else if (*at == 'F')
			end = parse_python(at, stop, &place);
		if (end == NULL) {
			/* no name is looked at from two numbers */
			if (!is_path_byte(*at))
				least = at + 1;
			at++;
			continue;
		}
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
source_parse_tool(const char *text, size_t bytes, source_place_fn *fn,
		  void *context)
{
	return parse_plain(text, bytes, fn, context, parse_tool);
}

/* ---- references -------------------------------------------------------- */

void
source_parse_reference(const char *text, struct source_place *place)
{
	const char *stop = text + strlen(text);
	const char *colon = strrchr(text, ':');
	const char *end;

	*place = (struct source_place){ .path = text,
					.path_bytes = (size_t)(stop - text) };
	if (colon == NULL || colon == text)
		return;
	place->line_first = parse_line(colon + 1, stop, &end);
	place->line_last = place->line_first;
	if (place->line_first > 0 && *end == '-')
		place->line_last = parse_line(end + 1, stop, &end);
	place->is_exact = memchr(colon, '-', (size_t)(stop - colon)) != NULL;
	if (end != stop || place->line_first == 0 ||
	    place->line_last < place->line_first) {
		place->line_first = 0;
		place->line_last = 0;
		place->is_exact = false;
		return;
	}
	place->path_bytes = (size_t)(colon - text);
}
