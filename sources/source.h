/* SPDX-License-Identifier: MIT */
/*
 * source.h - requests of the user besides the tree: ranges of files, texts.
 *
 * Does: defines a request, finds the requests on a file and those on a range of
 *       lines.
 * Does not: read sources (sources/source_*.c); score (stages/select/).
 * Invariants:
 * 1. Requests are sorted by root, path below it, first line; the files by root
 *    and path; a file's requests are adjacent, as are its boundaries, which
 *    ascend.
 * 2. All of it is made before the first fork and only read afterwards.
 */
#ifndef SOURCES_SOURCE_H
#define SOURCES_SOURCE_H

#include "base/base.h"
#include "catalogue/desc.h"

#define SOURCE_ONE 1000000u         /* relevance 1.0 */
#define SOURCE_ROOT_TEXT UINT16_MAX /* root of a text that is not a file */
#define SOURCE_LINES_ALL UINT64_MAX /* line_last: to the end of the file */
#define SOURCE_TIME_NONE INT64_MIN  /* the file's own time */

/* Called for each file of the trees: its root, and the path below it. 0, or
 * -errno: the walk ends with it. */
typedef int
source_file_fn(void *context, uint32_t root, const char *path, size_t bytes);

/* A requested range of lines of one file. */
struct source_request {
	uint64_t line_first; /* 1-based */
	uint64_t line_last;  /* SOURCE_LINES_ALL: to the end */
	uint64_t reach;      /* the furthest line_last of it and those before */
	int64_t time_ns;     /* SOURCE_TIME_NONE: as the file's */
	uint32_t relevance;  /* millionths, at most SOURCE_ONE */
	uint8_t category;    /* enum category */
	uint8_t is_exact;    /* 1: these lines, not the chunks they are in */
	uint8_t pad[2];
};

/* A requested file, or a text that came with the request. */
struct source_file {
	const char *path; /* below its root; of a text: what it is called */
	uint32_t path_bytes;
	uint16_t root; /* index in job.roots; SOURCE_ROOT_TEXT */
	uint16_t pad;
	uint64_t text_off; /* of a text: where it is in the file of texts */
	uint64_t text_bytes;
	uint32_t entry_first; /* in source_list.entries: what they were */
	uint32_t entry_nr;
	uint32_t request_first; /* in sources.requests */
	uint32_t request_nr;
	uint32_t boundary_first; /* in sources.borders */
	uint32_t boundary_nr;
	uint32_t error_first; /* of a log: in sources.errors */
	uint32_t error_nr;
	uint64_t line_nr; /* of a log; 0: it is none */
};

/* All requests. Owner: the supervisor, before any fork. */
struct sources {
	const struct source_file *files;
	const struct source_request *requests;
	const uint64_t *boundaries; /* lines that chunks are to begin at */
	const uint64_t *errors;     /* error lines of logs */
	uint32_t file_nr;
	uint32_t request_nr;
	int text_fd;    /* of the file of texts; -1: there are none */
	bool in_part;   /* some of them ask for lines, not for whole files */
	bool has_times; /* some of them say a time */
	const uint32_t *priorities; /* of each category; NULL: the defaults */
	/* what these parts of a score count, of a sum of all; 0: the defaults */
	uint64_t relevance_weight;
	uint64_t source_weight;
	uint64_t all_weights;
};

/* The priority of a category in a score; 0 to 100. */
uint32_t
source_priority(const struct sources *sources, uint8_t category);

/*
 * shape:  the contribution of a request's relevance and category to a score
 * units:  millionths
 */
uint64_t
source_worth(const struct sources *sources,
	     const struct source_request *request);

/*
 * shape:  the requested file of that name, NULL if it is not requested
 * units:  path below the root, no NUL
 * calls:  collect, chunk, dedup, select; binary search
 */
const struct source_file *
source_find(const struct sources *sources, uint16_t root, const uint8_t *path,
	    size_t bytes);

/*
 * shape:  sets how far the requests of a file reach
 * calls:  their maker, when they are sorted
 */
void
source_set_reach(struct source_request *requests, uint32_t nr);

/*
 * shape:  the next request on any of these lines behind `after`, NULL: from
 *         the first one; NULL: there is none
 * calls:  select, for each chunk of a file that is asked for; binary search
 *         for the first
 */
const struct source_request *
source_next(const struct sources *sources, const struct source_file *file,
	    uint64_t line_first, uint64_t line_last,
	    const struct source_request *after);

/*
 * shape:  the one of these with the highest worth, apart from its time, which
 *         needs the times of all files; NULL: none
 * calls:  to find out whether there is one, or its category
 */
const struct source_request *
source_best(const struct sources *sources, const struct source_file *file,
	    uint64_t line_first, uint64_t line_last);

/* Lines of a chunk. */
struct source_lines {
	uint64_t first; /* 1-based */
	uint32_t nr;
};

/*
 * shape:  the relevance of a chunk that a request is on. Of a log its end has
 *         what the request says, lines that say what went wrong 95 % of that,
 *         and all else 90 %
 * units:  millionths
 * calls:  select, for each chunk that is asked for
 */
uint32_t
source_relevance(const struct sources *sources, const struct source_file *file,
		 const struct source_request *request,
		 const struct source_lines *chunk);

/*
 * shape:  whether a chunk is the end of a log, or has an error line
 * owner:  file may be NULL: not requested
 * calls:  select, of a chunk that is taken in part
 */
bool
source_has_outcome(const struct sources *sources,
		   const struct source_file *file,
		   const struct source_lines *chunk);

/*
 * shape:  of a chunk that is packed in part: how many lines precede the packed
 *         ones. If a request is on lines within the chunk, or a log has an
 *         error line there, lines around the first of these are packed; of a
 *         log's last chunk, and of other output of tools, the end; else the
 *         beginning
 * units:  lines: fewer than the chunk has
 * owner:  file may be NULL: not requested
 * calls:  collect, format, the report; they have to agree
 */
uint32_t
source_part_from(const struct sources *sources, const struct source_file *file,
		 const struct source_lines *chunk, uint32_t lines);

/*
 * shape:  the first line behind `line` that a chunk is to begin at; 0: none
 * calls:  chunk, for each chunk of a file that is asked for; binary search
 */
uint64_t
source_next_boundary(const struct sources *sources,
		     const struct source_file *file, uint64_t line);

/* "tool_results"; "unknown" out of range. Constant text. */
const char *
category_name(uint8_t category);

/* "tool_result"; the same. */
const char *
category_type(uint8_t category);

/* Of the budget, by default. */
uint32_t
category_percent(uint8_t category);

/* In a score, by default; 0 to 100. */
uint32_t
category_priority(uint8_t category);

#endif
