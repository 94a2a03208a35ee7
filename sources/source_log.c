/* SPDX-License-Identifier: MIT */
/*
 * source_log.c - places in logs and references.
 *
 * A log also says in what directory its tools are at work: a row of `patterns`
 * each, and frames of a Java stack. A place may be below any of them, or none.
 * Directories are pieces of the log; each line is looked at a bounded number of
 * times.
 */
#include "sources/source_parse.h"

#include <string.h>

#include "base/ascii.h"
#include "sources/source_scan.h"

#define SOURCE_CRATES_MAX 64 /* that cargo says it compiles, the last ones */

#define SOURCE_PACKAGE_BYTES 256

struct source_dirs {
	const char *stop; /* the end of the log */
	/* make and ninja, the innermost one last */
	struct source_dir entered[SOURCE_DIRS_MAX];
	size_t entered_nr;
	size_t entered_over; /* entered, and no room for them */
	/* go test: the line that ends the output of a package */
	const char *package_line; /* NULL: none was looked for */
	struct source_dir packages[SOURCE_DIRS_MAX];
	size_t package_nr;
	/* cargo: what is compiled where, and where what runs comes from */
	struct source_dir crates[SOURCE_CRATES_MAX];     /* their names */
	struct source_dir crate_dirs[SOURCE_CRATES_MAX]; /* and directories */
	size_t crate_nr;
	struct source_dir crate; /* bytes 0: not known */
	struct source_dir npm;   /* the same */
	struct source_dir pytest;
	/* a frame of Java: the package of its class, as a directory */
	char package[SOURCE_PACKAGE_BYTES];
	struct source_dir package_dir;
	struct source_dir all[SOURCE_DIRS_MAX + 3]; /* of the last place */
};

enum says {
	NOTHING = 0,
	ENTERED,
	LEFT,
	ROOT,
	COMPILED,
	RUNS,
	SCRIPT,
	SCRIPT_DIR,
	PACKAGE
};

/* A line that begins so says it of what follows. */
static const struct pattern {
	const char *begin; /* with a colon: of the rest from the first one on */
	char has;          /* in what follows, behind its first byte; 0: any */
	enum says says;
} patterns[] = {
	/* make, ninja */
	{ ": Entering directory ", 0, ENTERED },
	{ ": Leaving directory ", 0, LEFT },
	/* pytest */
	{ "rootdir: ", 0, ROOT },
	/* cargo: Compiling one v0.1.0 (/srv/a/crates/one), and later
	 * Running unittests src/lib.rs (target/debug/deps/one-0123456789abcdef) */
	{ "Compiling ", '(', COMPILED },
	{ "Running unittests ", '/', RUNS },
	/* npm: > name@1.0.0 test */
	{ "> ", '@', SCRIPT },
	{ "npm error path ", 0, SCRIPT_DIR },
	{ "npm ERR! path ", 0, SCRIPT_DIR },
	/* go test: FAIL<tab>module/a/b<tab>0.1s */
	{ "FAIL\t", 0, PACKAGE },
	{ "ok  \t", 0, PACKAGE },
};

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

/* What a line says, and of what. */
static enum says
read_line(const char *line, const char *stop, struct source_dir *text)
{
	const char *end = scan_line_end(line, stop);
	const char *colon =
		memchr(line, ':', min_size((size_t)(end - line), 64));
	const char *word = line;

	while (word < end && *word == ' ')
		word++;
	for (size_t i = 0; i < ARRAY_LEN(patterns); i++) {
		const struct pattern *pattern = &patterns[i];
		const char *at = *pattern->begin == ':' ? colon : word;
		size_t bytes = strlen(pattern->begin);

		if (at == NULL || (size_t)(end - at) <= bytes ||
		    memcmp(at, pattern->begin, bytes) != 0)
			continue;
		*text = rest_of(at + bytes, end);
		if (text->bytes > 0 && (pattern->has == '\0' ||
					memchr(text->path + 1, pattern->has,
					       text->bytes - 1) != NULL))
			return pattern->says;
	}
	return NOTHING;
}

/* The line behind `line` that says one of two things first; stop: none does. */
static const char *
next_saying(const char *line, const char *stop, enum says one, enum says other,
	    struct source_dir *text)
{
	while ((line = scan_line_end(line, stop)) < stop) {
		enum says says = read_line(++line, stop, text);

		if (says != NOTHING && (says == one || says == other))
			return line;
	}
	return stop;
}

/* ---- make and ninja ----------------------------------------------------- */

/* Without the quotes around it, of any kind; false: there are none. */
static bool
unquote(struct source_dir *dir)
{
	if (dir->bytes < 3 || strchr("'`\"", dir->path[0]) == NULL ||
	    strchr("'\"", dir->path[dir->bytes - 1]) == NULL)
		return false;
	*dir = (struct source_dir){ dir->path + 1, dir->bytes - 2 };
	return true;
}

/* Several at a time: of any order. */
static void
leave(struct source_dirs *dirs, const struct source_dir *dir)
{
	size_t i = dirs->entered_nr;

	if (dirs->entered_over > 0) {
		dirs->entered_over--;
		return;
	}
	while (i > 0 &&
	       (dirs->entered[i - 1].bytes != dir->bytes ||
		memcmp(dirs->entered[i - 1].path, dir->path, dir->bytes) != 0))
		i--;
	if (i == 0)
		return;
	dirs->entered_nr--;
	memmove(&dirs->entered[i - 1], &dirs->entered[i],
		(dirs->entered_nr - (i - 1)) * sizeof(dirs->entered[0]));
}

/* ---- go test ------------------------------------------------------------ */

/*
 * A test in Go names a file of its package by its last name alone; the package
 * is said behind it. Which part of that is the module's name is not said.
 */
static bool
is_of_package(struct source_dirs *dirs, const struct source_place *place)
{
	struct source_dir name = { .bytes = 0 };
	const char *dir;

	if (place->path_bytes < 4 ||
	    memcmp(place->path + place->path_bytes - 3, ".go", 3) != 0 ||
	    memchr(place->path, '/', place->path_bytes) != NULL)
		return false;
	if (dirs->package_line != NULL && dirs->package_line >= place->path)
		return dirs->package_nr > 0;
	dirs->package_line =
		next_saying(place->path, dirs->stop, PACKAGE, PACKAGE, &name);
	dirs->package_nr = 0;
	if (dirs->package_line == dirs->stop)
		return false;
	for (size_t i = 0; i < name.bytes; i++)
		if (strchr("\t ", name.path[i]) != NULL)
			name.bytes = i;
	for (dir = name.path + name.bytes;
	     dir > name.path && dirs->package_nr < SOURCE_DIRS_MAX;) {
		dir--;
		if (dir == name.path || dir[-1] == '/')
			dirs->packages[dirs->package_nr++] =
				(struct source_dir){ dir, (size_t)(name.path +
								   name.bytes -
								   dir) };
	}
	return dirs->package_nr > 0;
}

/* ---- cargo -------------------------------------------------------------- */

static void
note_compiled(struct source_dirs *dirs, const struct source_dir *text)
{
	const char *last = text->path + text->bytes - 1;
	const char *blank = memchr(text->path, ' ', text->bytes);
	const char *open = memrchr(text->path, '(', text->bytes);
	size_t i = dirs->crate_nr % SOURCE_CRATES_MAX;

	if (blank == NULL || open < blank || *last != ')' || open[1] != '/')
		return; /* of a registry: not ours */
	dirs->crates[i] =
		(struct source_dir){ text->path, (size_t)(blank - text->path) };
	dirs->crate_dirs[i] =
		(struct source_dir){ open + 1, (size_t)(last - open) - 1 };
	dirs->crate_nr++;
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

/* The tests of a directory of its own come behind those of their crate. */
static void
note_running(struct source_dirs *dirs, const struct source_dir *text)
{
	const char *name = memrchr(text->path, '/', text->bytes);

	dirs->crate.bytes = 0;
	for (size_t i = 0; i < min_size(dirs->crate_nr, SOURCE_CRATES_MAX); i++)
		if (is_binary_of(&dirs->crates[i], name + 1,
				 text->path + text->bytes))
			dirs->crate = dirs->crate_dirs[i];
}

/* ---- npm ---------------------------------------------------------------- */

/* The script of a package has begun. Where that lies is said behind what it
 * prints, if it fails. */
static void
note_script(struct source_dirs *dirs, const char *line)
{
	struct source_dir text;
	const char *next =
		next_saying(line, dirs->stop, SCRIPT, SCRIPT_DIR, &text);

	dirs->npm.bytes = 0;
	if (next < dirs->stop &&
	    read_line(next, dirs->stop, &text) == SCRIPT_DIR)
		dirs->npm = text;
}

/* ---- Java --------------------------------------------------------------- */

static bool
ends_in(const struct source_place *place, const char *end)
{
	size_t bytes = strlen(end);

	return place->path_bytes > bytes &&
	       memcmp(place->path + place->path_bytes - bytes, end, bytes) == 0;
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
	while (at > text && at[-1] != '\0' &&
	       (ascii_is_word((uint8_t)at[-1]) ||
		strchr("$.<>", at[-1]) != NULL) &&
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

/* calls: at the beginning of each line, in their order */
static void
source_dirs_line(struct source_dirs *dirs, const char *line)
{
	struct source_dir text;
	const char *comma;

	switch (read_line(line, dirs->stop, &text)) {
	case ENTERED:
		if (!unquote(&text))
			break;
		if (dirs->entered_nr < SOURCE_DIRS_MAX)
			dirs->entered[dirs->entered_nr++] = text;
		else
			dirs->entered_over++;
		break;
	case LEFT:
		if (unquote(&text))
			leave(dirs, &text);
		break;
	case ROOT:
		comma = memchr(text.path, ',', text.bytes);
		dirs->pytest =
			rest_of(text.path,
				comma != NULL ? comma : text.path + text.bytes);
		break;
	case COMPILED:
		note_compiled(dirs, &text);
		break;
	case RUNS:
		note_running(dirs, &text);
		break;
	case SCRIPT:
		note_script(dirs, line);
		break;
	default: /* said of what stands before it */
		break;
	}
}

static void
add(struct source_dirs *dirs, size_t *nr, const struct source_dir *dir)
{
	if (dir->bytes > 0)
		dirs->all[(*nr)++] = *dir;
}

/*
 * shape:  gives a place of the line in work the directories that it may be
 *         below, the most likely last
 * units:  text: the beginning of the log
 * owner:  they are valid until the next call
 */
static void
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
	if (!bytes_begin(at, stop, head))
		return NULL;
	quote = memchr(path, '"',
		       min_size((size_t)(stop - path), PATH_BYTES_MAX));
	if (quote == NULL || !bytes_begin(quote, stop, middle))
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
	size_t skip = bytes_begin(at, stop, word) ? sizeof(word) - 1 : 1;
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

		if (!bytes_begin(at, stop, words[i]) ||
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
	struct source_dirs dirs = { .stop = stop };
	int64_t nr = 0;

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
