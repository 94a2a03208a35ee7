/* SPDX-License-Identifier: MIT */
/*
 * source_parse.h - finds the places in search results, build logs and lists.
 *
 * Does: reads `rg --json`, path:line:text, the output of compilers and test
 *       runners, FILE:A-B, and the JSON lines of --sources.
 * Does not: access the file system: a place may not exist.
 * Invariants:
 * 1. All input is foreign: any bytes give places or none, in time linear in the
 *    text.
 */
#ifndef SOURCES_SOURCE_PARSE_H
#define SOURCES_SOURCE_PARSE_H

#include "base/base.h"
#include "catalogue/desc.h"

#define SOURCE_PLACES_MAX 100000 /* of one text */

#define SOURCE_DIRS_MAX 8 /* of make, one in the other; packages of go test */

/* A directory in which a tool ran, as the log names it. */
struct source_dir {
	const char *path;
	size_t bytes;
};

/* Lines of a file. */
struct source_place {
	const char *path;
	size_t path_bytes;
	uint64_t line_first; /* 1-based; 0: the whole file */
	uint64_t line_last;
	bool is_exact;                 /* a range: these lines and no others */
	const struct source_dir *dirs; /* that it may be below, the last one */
	size_t dir_nr;                 /* first; or else where all are */
	bool is_below;                 /* one of them, and nowhere else */
	/* A name may have blanks, or numbers between colons: */
	const char *line;     /* words from here on may belong to the path, */
	const char *line_end; /* or what is behind it, up to here; NULL: none */
};

/* 0, or -errno: parsing ends with it. */
typedef int
source_place_fn(void *context, const struct source_place *place);

/*
 * shape:  finds every hit of a search: lines of JSON as `rg --json` prints
 *         them, or path:line:text as grep -n does, or below the path as rg does
 *         on a terminal; context lines are not hits; how many places there
 *         were. Colours are removed from `text`
 * errors: what `fn` returned
 */
int64_t
source_parse_search(char *text, size_t bytes, source_place_fn *fn,
		    void *context);

/*
 * shape:  every place that a log names: path:line, path(line, File "path",
 *         line n; and the directories that make says it is in
 * errors: as above
 */
int64_t
source_parse_tool(char *text, size_t bytes, source_place_fn *fn, void *context);

/* "12" or "12-40"; false: something else, and the lines are undefined. */
bool
source_parse_lines(const char *text, struct source_place *place);

/* FILE, FILE:A or FILE:A-B; what is not a range belongs to the name. */
void
source_parse_reference(const char *text, struct source_place *place);

/* A line of --sources. */
struct source_json {
	struct source_place place; /* path NULL: there is content instead */
	const char *content;
	size_t content_bytes;
	const char *name;    /* of the content; NULL: none was given */
	uint32_t relevance;  /* millionths */
	uint8_t category;    /* enum category */
	int64_t time_ns;     /* SOURCE_TIME_NONE: none was given */
	uint64_t timeout_ms; /* 0: none was given */
	void *json;          /* that owns all of it */
};

/*
 * shape:  parses a line of JSON
 * owner:  to be given to source_json_fini()
 * errors: -EINVAL: `error` says what is wrong with it; -ENOMEM
 */
int
source_parse_json(const char *line, size_t bytes, struct source_json *wish,
		  char *error, size_t error_size);

/* Frees what was read. */
void
source_json_fini(struct source_json *wish);

#define SOURCE_ERRORS_MAX 1000 /* lines of one log */

/*
 * shape:  the first lines of a log that say what went wrong: "error", "failed",
 *         "AssertionError" and their like, but not "0 errors", nor where they
 *         are part of a path, an option or a longer name; how many lines there
 *         are in all
 * units:  lines 1-based, ascending
 */
uint64_t
source_parse_errors(const char *text, size_t bytes,
		    uint64_t lines[static SOURCE_ERRORS_MAX], size_t *nr);

#endif
