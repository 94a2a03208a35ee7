/* SPDX-License-Identifier: MIT */
/*
 * source_dirs.c - where make, ninja, go test, cargo, npm and pytest are at work.
 */
#include "sources/source_dirs.h"

#include <string.h>

#include "sources/source_scan.h"

void
source_dirs_init(struct source_dirs *dirs, const char *stop)
{
	*dirs = (struct source_dirs){ .stop = stop };
}

static bool
begins(const char *at, const char *end, const char *with)
{
	size_t bytes = strlen(with);

	return (size_t)(end - at) > bytes && memcmp(at, with, bytes) == 0;
}

static bool
is_same(const struct source_dir *a, const struct source_dir *b)
{
	return a->bytes == b->bytes && memcmp(a->path, b->path, a->bytes) == 0;
}

/* What is left of a line, without blanks at its end. */
static struct source_dir
rest_of(const char *at, const char *end)
{
	while (end > at && (end[-1] == '\r' || end[-1] == ' '))
		end--;
	if ((size_t)(end - at) > PATH_BYTES_MAX)
		end = at;
	return (struct source_dir){ at, (size_t)(end - at) };
}

/* ---- make and ninja ----------------------------------------------------- */

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
leave(struct source_dirs *dirs, const struct source_dir *dir)
{
	size_t i = dirs->entered_nr;

	if (dirs->entered_over > 0) {
		dirs->entered_over--;
		return;
	}
	while (i > 0 && !is_same(&dirs->entered[i - 1], dir))
		i--;
	if (i == 0)
		return;
	dirs->entered_nr--;
	memmove(&dirs->entered[i - 1], &dirs->entered[i],
		(dirs->entered_nr - (i - 1)) * sizeof(dirs->entered[0]));
}

/* "make[1]: Entering directory '/a/b'", and when it is left; ninja has it too.
 * Several at a time: of any order. */
static void
note_entered(struct source_dirs *dirs, const char *line, const char *end)
{
	static const char entering[] = ": Entering directory ";
	static const char leaving[] = ": Leaving directory ";
	const char *colon =
		memchr(line, ':', min_size((size_t)(end - line), 64));
	struct source_dir dir;

	if (colon == NULL)
		return;
	if (begins(colon, end, entering)) {
		if (!quoted(colon + sizeof(entering) - 1, end, &dir))
			return;
		if (dirs->entered_nr < SOURCE_DIRS_MAX)
			dirs->entered[dirs->entered_nr++] = dir;
		else
			dirs->entered_over++;
	} else if (begins(colon, end, leaving) &&
		   quoted(colon + sizeof(leaving) - 1, end, &dir)) {
		leave(dirs, &dir);
	}
}

/* ---- go test ------------------------------------------------------------ */

static bool
ends_package(const char *line, const char *stop)
{
	return begins(line, stop, "FAIL\t") || begins(line, stop, "ok  \t");
}

/* The directories that `FAIL<tab>module/a/b<tab>0.1s` may be of: which part of
 * it is the module's name is not said. */
static void
note_package(struct source_dirs *dirs)
{
	const char *at = dirs->package_line + 5;
	const char *end = at;
	const char *dir;

	while (end < dirs->stop && strchr("\t \r\n", *end) == NULL)
		end++;
	dir = end;
	dirs->package_nr = 0;
	while (dir > at && dirs->package_nr < SOURCE_DIRS_MAX) {
		dir--;
		if (dir == at || dir[-1] == '/')
			dirs->packages[dirs->package_nr++] =
				(struct source_dir){ dir, (size_t)(end - dir) };
	}
}

/* A test in Go names a file of its package by its last name alone. */
static bool
is_of_package(struct source_dirs *dirs, const struct source_place *place)
{
	const char *at = place->path;

	if (place->path_bytes < 4 ||
	    memcmp(at + place->path_bytes - 3, ".go", 3) != 0 ||
	    memchr(at, '/', place->path_bytes) != NULL)
		return false;
	if (dirs->package_line != NULL && dirs->package_line >= at)
		return true;
	if (dirs->package_from != NULL && dirs->package_line == NULL)
		return false; /* looked for before */
	dirs->package_from = at;
	dirs->package_line = NULL;
	while ((at = scan_line_end(at, dirs->stop)) < dirs->stop) {
		at++;
		if (ends_package(at, dirs->stop)) {
			dirs->package_line = at;
			note_package(dirs);
			return true;
		}
	}
	return false;
}

/* ---- cargo -------------------------------------------------------------- */

/* "Compiling one v0.1.0 (/srv/a/crates/one)" */
static void
note_compiled(struct source_dirs *dirs, const char *at, const char *end)
{
	const char *blank = memchr(at, ' ', (size_t)(end - at));
	const char *open = memrchr(at, '(', (size_t)(end - at));
	struct source_dir dir;
	size_t i = dirs->crate_nr++ % SOURCE_CRATES_MAX;

	if (blank != NULL && open != NULL && open > blank)
		dir = rest_of(open + 1, end);
	if (blank == NULL || open == NULL || open < blank || dir.bytes < 2 ||
	    dir.path[0] != '/' || dir.path[dir.bytes - 1] != ')') {
		dirs->crate_nr--; /* of a registry: not ours */
		return;
	}
	dir.bytes--;
	dirs->crates[i] = (struct source_dir){ at, (size_t)(blank - at) };
	dirs->crate_dirs[i] = dir;
}

/* Whether target/debug/deps/a_b-0123456789abcdef is of the crate a-b. */
static bool
is_binary_of(const struct source_dir *crate, const char *name, const char *end)
{
	if ((size_t)(end - name) <= crate->bytes || name[crate->bytes] != '-')
		return false;
	for (size_t i = 0; i < crate->bytes; i++)
		if (name[i] != crate->path[i] &&
		    !(name[i] == '_' && crate->path[i] == '-'))
			return false;
	return true;
}

/* "Running unittests src/lib.rs (target/debug/deps/one-0123456789abcdef)"; the
 * tests of a directory of its own come behind those of their crate. */
static void
note_running(struct source_dirs *dirs, const char *at, const char *end)
{
	const char *name = memrchr(at, '/', (size_t)(end - at));

	if (!begins(at, end, "unittests ") || name == NULL)
		return;
	dirs->crate.bytes = 0;
	for (size_t i = 0; i < min_size(dirs->crate_nr, SOURCE_CRATES_MAX); i++)
		if (is_binary_of(&dirs->crates[i], name + 1, end))
			dirs->crate = dirs->crate_dirs[i];
}

static void
note_cargo(struct source_dirs *dirs, const char *line, const char *end)
{
	while (line < end && *line == ' ')
		line++;
	if (begins(line, end, "Compiling "))
		note_compiled(dirs, line + strlen("Compiling "), end);
	else if (begins(line, end, "Running "))
		note_running(dirs, line + strlen("Running "), end);
}

/* ---- npm ---------------------------------------------------------------- */

/* "> name@1.0.0 test" */
static bool
is_npm_head(const char *line, const char *end)
{
	const char *name = line + 2;

	return begins(line, end, "> ") &&
	       memchr(name + 1, '@', (size_t)(end - name) - 1) != NULL;
}

/*
 * The script of a package has begun. Where that lies is said behind what it
 * prints, if it fails: "npm error path /a/packages/b".
 */
static void
note_npm(struct source_dirs *dirs, const char *line, const char *end)
{
	static const char *const says[] = { "npm error path ",
					    "npm ERR! path " };

	if (!is_npm_head(line, end))
		return;
	dirs->npm.bytes = 0;
	while (end < dirs->stop) {
		line = end + 1;
		end = scan_line_end(line, dirs->stop);
		if (is_npm_head(line, end))
			return;
		for (size_t i = 0; i < ARRAY_LEN(says); i++) {
			if (!begins(line, end, says[i]))
				continue;
			dirs->npm = rest_of(line + strlen(says[i]), end);
			return;
		}
	}
}

/* ---- Java --------------------------------------------------------------- */

static bool
ends_in(const struct source_place *place, const char *end)
{
	size_t bytes = strlen(end);

	return place->path_bytes > bytes &&
	       memcmp(place->path + place->path_bytes - bytes, end, bytes) == 0;
}

static bool
is_of_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_' || c == '$' || c == '.' ||
	       c == '<' || c == '>' || (unsigned char)c >= 0x80;
}

/*
 * "at com.x.Foo.run(Foo.java:12)": the class is of the package com.x, whose
 * files lie in a directory com/x. false: it is no such frame.
 */
static bool
note_frame(struct source_dirs *dirs, const struct source_place *place,
	   const char *text)
{
	const char *end = place->path - 1; /* the bracket */
	const char *at = end;
	int parts = 0;

	if (place->path == text || *end != '(' ||
	    memchr(place->path, '/', place->path_bytes) != NULL ||
	    !(ends_in(place, ".java") || ends_in(place, ".kt") ||
	      ends_in(place, ".scala") || ends_in(place, ".groovy")))
		return false;
	while (at > text && is_of_name(at[-1]) &&
	       end - at < SOURCE_PACKAGE_BYTES)
		at--;
	/* without the class and its method */
	while (end > at && parts < 2)
		parts += *--end == '.';
	if (parts < 2 || end == at)
		return false;
	for (size_t i = 0; at + i < end; i++)
		dirs->package[i] = at[i] == '.' ? '/' : at[i];
	dirs->package_dir =
		(struct source_dir){ dirs->package, (size_t)(end - at) };
	return true;
}

/* ---- all ---------------------------------------------------------------- */

void
source_dirs_line(struct source_dirs *dirs, const char *line)
{
	const char *end = scan_line_end(line, dirs->stop);

	note_entered(dirs, line, end);
	note_cargo(dirs, line, end);
	note_npm(dirs, line, end);
	if (begins(line, end, "rootdir: ")) {
		const char *at = line + strlen("rootdir: ");
		const char *comma = memchr(at, ',', (size_t)(end - at));

		dirs->pytest = rest_of(at, comma == NULL ? end : comma);
	}
}

static void
add(struct source_dirs *dirs, size_t *nr, const struct source_dir *dir)
{
	if (dir->bytes > 0)
		dirs->all[(*nr)++] = *dir;
}

void
source_dirs_set(struct source_dirs *dirs, struct source_place *place,
		const char *text)
{
	size_t nr = 0;

	if (note_frame(dirs, place, text)) {
		place->dirs = &dirs->package_dir;
		place->dir_nr = 1;
		/* the others need not lie as their packages say */
		place->is_below = ends_in(place, ".java");
		return;
	}

	if (is_of_package(dirs, place)) {
		place->dirs = dirs->packages;
		place->dir_nr = dirs->package_nr;
		return;
	}
	add(dirs, &nr, &dirs->pytest);
	for (size_t i = 0; i < dirs->entered_nr; i++)
		add(dirs, &nr, &dirs->entered[i]);
	add(dirs, &nr, &dirs->npm);
	/* a backtrace; what a panic names is from the top of the workspace */
	if (place->path_bytes > 2 && memcmp(place->path, "./", 2) == 0)
		add(dirs, &nr, &dirs->crate);
	place->dirs = dirs->all;
	place->dir_nr = nr;
}
