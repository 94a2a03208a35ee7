/* SPDX-License-Identifier: MIT */
/*
 * source_search.c - places in search results.
 *
 *   {"type":"match",...}      rg --json
 *   path:12:text              grep -n, git grep -n, rg
 *   path-11-text              around it, -C and the like: passed over
 *   path=10=text              the function it is in, git grep -p: likewise
 *   path                      rg --heading, and then
 *   12:text                   its lines
 */
#include "sources/source_parse.h"

#include <jansson.h>
#include <string.h>

#include "base/base64.h"
#include "sources/source_scan.h"

#define LINES_AHEAD 100 /* that many are looked at for the hit of a context */

/* A path that is not UTF-8, as rg writes it: its bytes, 0 for nonsense. */
static size_t
decode_base64(const char *text, char out[static PATH_BYTES_MAX])
{
	const char *end;
	size_t bytes = base64_decode(text, strlen(text), (uint8_t *)out,
				     PATH_BYTES_MAX, &end);

	return *end == '\0' || *end == '=' ? bytes : 0;
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
	json_t *root = scan_json(line, bytes, 0);
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

/* Which file lines are of. */
struct searching {
	source_place_fn *fn;
	void *context;
	const char *stop;
	const char *path; /* of the last hit */
	size_t path_bytes;
	const char *heading; /* NULL: none */
	size_t heading_bytes;
};

/* 1, or -errno */
static int
hit(const struct searching *searching, const char *path, size_t bytes,
    uint64_t line, const char *line_end)
{
	const struct source_place place = { .path = path,
					    .path_bytes = bytes,
					    .line_first = line,
					    .line_last = line,
					    .line_end = line_end };
	int error = searching->fn(searching->context, &place);

	return error == 0 ? 1 : error;
}

/* Whether a line is path:n of this path. */
static bool
is_hit_of(const char *line, const char *end, const char *path, size_t bytes)
{
	return (size_t)(end - line) > bytes + 1 && line[bytes] == ':' &&
	       line[bytes + 1] >= '0' && line[bytes + 1] <= '9' &&
	       memcmp(line, path, bytes) == 0;
}

/* Whether a hit of this path was the last one, or is one of the next. */
static bool
is_of_hit(const struct searching *searching, const char *end, const char *path,
	  size_t bytes)
{
	if (searching->path_bytes == bytes &&
	    memcmp(searching->path, path, bytes) == 0)
		return true;
	for (int i = 0; i < LINES_AHEAD && end < searching->stop; i++) {
		const char *line = end + 1;

		if (line >= searching->stop)
			return false;
		end = scan_line_end(line, searching->stop);
		if (is_hit_of(line, end, path, bytes))
			return true;
	}
	return false;
}

/* path-11-text, of which a part looks like path:12 as well */
static bool
is_context(const struct searching *searching, const char *line,
	   const char *colon, const char *end)
{
	for (const char *at = line + 1; at < colon; at++) {
		const char *behind;

		if ((*at == '-' || *at == '=') &&
		    scan_line_nr(at + 1, colon, &behind) > 0 &&
		    behind < colon && *behind == *at &&
		    is_of_hit(searching, end, line, (size_t)(at - line)))
			return true;
	}
	return false;
}

/* "path:12:text", "path:12": 1, 0 if it is neither, or -errno. */
static int
parse_grep(struct searching *searching, const char *line, const char *end)
{
	const char *colon = line;

	while ((colon = memchr(colon, ':', (size_t)(end - colon))) != NULL) {
		const char *behind;
		uint64_t n = scan_line_nr(colon + 1, end, &behind);

		if (colon == line || n == 0 ||
		    (behind < end && *behind != ':' && *behind != '\r')) {
			colon++;
			continue;
		}
		if (colon - line >= PATH_BYTES_MAX ||
		    is_context(searching, line, colon, end))
			return 0;
		searching->path = line;
		searching->path_bytes = (size_t)(colon - line);
		return hit(searching, line, (size_t)(colon - line), n, end);
	}
	return 0;
}

/* The number that a line below a heading begins with; 0: it has none. */
static uint64_t
numbered(const char *line, const char *end, char *behind)
{
	const char *at;
	uint64_t n = scan_line_nr(line, end, &at);

	*behind = at < end ? *at : '\0';
	return *behind == ':' || *behind == '-' ? n : 0;
}

/* A name of its own line, the next one begins with a number. */
static void
note_heading(struct searching *searching, const char *line, const char *end)
{
	const char *next = end + 1;
	size_t bytes = (size_t)(end - line);
	char behind;

	searching->heading = NULL;
	if (bytes > 0 && line[bytes - 1] == '\r')
		bytes--;
	if (bytes == 0 || bytes >= PATH_BYTES_MAX || next >= searching->stop ||
	    numbered(next, scan_line_end(next, searching->stop), &behind) == 0)
		return;
	searching->heading = line;
	searching->heading_bytes = bytes;
}

static int
parse_line(struct searching *searching, const char *line, const char *end)
{
	char behind;
	uint64_t n;
	int result;

	if (line < end && *line == '{')
		return parse_rg(line, (size_t)(end - line), searching->fn,
				searching->context);
	n = searching->heading == NULL ? 0 : numbered(line, end, &behind);
	if (n > 0)
		return behind == ':' ? hit(searching, searching->heading,
					   searching->heading_bytes, n, NULL)
				     : 0;
	if (end - line == 2 && memcmp(line, "--", 2) == 0)
		return 0;
	result = parse_grep(searching, line, end);
	if (result == 0)
		note_heading(searching, line, end);
	return result;
}

static int64_t
parse_search(const char *text, size_t bytes, source_place_fn *fn, void *context)
{
	struct searching searching = { .fn = fn,
				       .context = context,
				       .stop = text + bytes };
	int64_t nr = 0;

	for (const char *at = text;
	     at < searching.stop && nr < SOURCE_PLACES_MAX;) {
		const char *end = scan_line_end(at, searching.stop);
		int result = parse_line(&searching, at, end);

		if (result < 0)
			return result;
		nr += result;
		at = end + 1;
	}
	return nr;
}

int64_t
source_parse_search(char *text, size_t bytes, source_place_fn *fn,
		    void *context)
{
	return scan_plain(text, bytes, fn, context, parse_search);
}
