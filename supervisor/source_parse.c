/* SPDX-License-Identifier: MIT */
/*
 * source_parse.c - places in logs and references.
 */
#include "supervisor/source_parse.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "supervisor/source_scan.h"

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
scan_plain(const char *text, size_t bytes, source_place_fn *fn, void *context,
	   scan_fn *scan)
{
	const char *stop = text + bytes;
	char *plain;
	size_t nr = 0;
	int64_t result;

	if (bytes == 0 || memchr(text, ESCAPE, bytes) == NULL)
		return scan(text, bytes, fn, context);
	plain = malloc(bytes);
	if (plain == NULL)
		return -ENOMEM;
	for (const char *at = text; at < stop;) {
		if (*at == ESCAPE)
			at = behind_escape(at, stop);
		else
			plain[nr++] = *at++;
	}
	result = scan(plain, nr, fn, context);
	free(plain);
	return result;
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

/* path:12 or path(12: the number stands behind `at`. */
static const char *
parse_numbered(const char *least, const char *at, const char *stop,
	       struct source_place *place)
{
	const char *end;
	uint64_t n = scan_line_nr(at + 1, stop, &end);
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

/* ---- directories of make ---- */

struct dirs {
	struct source_dir all[SOURCE_DIRS_MAX]; /* the innermost one last */
	size_t nr;
	size_t over; /* entered, and no room for them */
};

/* The name between quotes, of any kind; false: there is none. */
static bool
quoted(const char *at, const char *end, struct source_dir *dir)
{
	const char *close;

	if (at == end || strchr("'`\"", *at) == NULL)
		return false;
	at++;
	for (close = end; close > at; close--)
		if (close[-1] == '\'' || close[-1] == '"')
			break;
	if (close <= at + 1 || (size_t)(close - at) > PATH_BYTES_MAX)
		return false;
	dir->path = at;
	dir->bytes = (size_t)(close - 1 - at);
	return true;
}

static void
leave(struct dirs *dirs, const struct source_dir *dir)
{
	size_t i = dirs->nr;

	if (dirs->over > 0) {
		dirs->over--;
		return;
	}
	while (i > 0 &&
	       (dirs->all[i - 1].bytes != dir->bytes ||
		memcmp(dirs->all[i - 1].path, dir->path, dir->bytes) != 0))
		i--;
	if (i == 0)
		return;
	dirs->nr--;
	memmove(&dirs->all[i - 1], &dirs->all[i],
		(dirs->nr - (i - 1)) * sizeof(dirs->all[0]));
}

/* "make[1]: Entering directory '/a/b'", and when it is left; ninja has it too.
 * Several at a time: of any order. */
static void
note_dir(struct dirs *dirs, const char *line, const char *stop)
{
	static const char entering[] = ": Entering directory ";
	static const char leaving[] = ": Leaving directory ";
	const char *end = scan_line_end(line, stop);
	const char *colon =
		memchr(line, ':', min_size((size_t)(end - line), 64));
	struct source_dir dir;
	size_t left;

	if (colon == NULL)
		return;
	left = (size_t)(end - colon);
	if (left > sizeof(entering) - 1 &&
	    memcmp(colon, entering, sizeof(entering) - 1) == 0) {
		if (!quoted(colon + sizeof(entering) - 1, end, &dir))
			return;
		if (dirs->nr < SOURCE_DIRS_MAX)
			dirs->all[dirs->nr++] = dir;
		else
			dirs->over++;
	} else if (left > sizeof(leaving) - 1 &&
		   memcmp(colon, leaving, sizeof(leaving) - 1) == 0 &&
		   quoted(colon + sizeof(leaving) - 1, end, &dir)) {
		leave(dirs, &dir);
	}
}

/* ---- packages of go test ---- */

/* Where the next line begins that ends the output of a package. */
struct go_test {
	const char *from;
	const char *line; /* NULL: there is none */
	struct dirs dirs; /* that the package may be */
};

static bool
ends_package(const char *line, const char *stop)
{
	return stop - line > 6 && (memcmp(line, "FAIL\t", 5) == 0 ||
				   memcmp(line, "ok  \t", 5) == 0);
}

/* The directories that `FAIL<tab>module/a/b<tab>0.1s` may be of: which part of
 * it is the module's name is not said. */
static void
note_package(struct go_test *test, const char *stop)
{
	const char *at = test->line + 5;
	const char *end = at;
	const char *dir;

	while (end < stop && strchr("\t \r\n", *end) == NULL)
		end++;
	dir = end;
	test->dirs.nr = 0;
	while (dir > at && test->dirs.nr < SOURCE_DIRS_MAX) {
		dir--;
		if (dir == at || dir[-1] == '/')
			test->dirs.all[test->dirs.nr++] =
				(struct source_dir){ dir, (size_t)(end - dir) };
	}
}

/* A test in Go names a file of its package by its last name alone. */
static const struct dirs *
dirs_of(struct go_test *test, const struct source_place *place,
	const struct dirs *dirs, const char *stop)
{
	const char *at = place->path;

	if (place->path_bytes < 4 ||
	    memcmp(at + place->path_bytes - 3, ".go", 3) != 0 ||
	    memchr(at, '/', place->path_bytes) != NULL)
		return dirs;
	if (test->line == NULL || test->line < at) {
		if (test->from != NULL && test->line == NULL)
			return dirs; /* looked for before */
		test->from = at;
		test->line = NULL;
		while ((at = scan_line_end(at, stop)) < stop) {
			at++;
			if (ends_package(at, stop)) {
				test->line = at;
				note_package(test, stop);
				break;
			}
		}
	}
	return test->line == NULL ? dirs : &test->dirs;
}

static int64_t
parse_tool(const char *text, size_t bytes, source_place_fn *fn, void *context)
{
	const char *stop = text + bytes;
	const char *least = text; /* what is before belongs to another place */
	struct dirs dirs = { .nr = 0 };
	struct go_test test = { .from = NULL };
	const struct dirs *in;
	int64_t nr = 0;

	for (const char *at = text; at < stop && nr < SOURCE_PLACES_MAX;) {
		struct source_place place;
		const char *end = NULL;
		int error;

		if (at == text || at[-1] == '\n')
			note_dir(&dirs, at, stop);
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
		in = dirs_of(&test, &place, &dirs, stop);
		place.dirs = in->all;
		place.dir_nr = in->nr;
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
	return scan_plain(text, bytes, fn, context, parse_tool);
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
	place->line_first = scan_line_nr(colon + 1, stop, &end);
	place->line_last = place->line_first;
	if (place->line_first > 0 && *end == '-')
		place->line_last = scan_line_nr(end + 1, stop, &end);
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
