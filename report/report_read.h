/* SPDX-License-Identifier: MIT */
/*
 * report_read.h - reads a report that was written before.
 *
 * Does: reads and checks the JSON of docs/report.md; finds values in it.
 * Does not: trust it: a key that is missing or of another kind is 0 or "".
 * Runs in: the supervisor.
 */
#ifndef REPORT_REPORT_READ_H
#define REPORT_REPORT_READ_H

#include <jansson.h>
#include <stdio.h>

#include "base/base.h"

/*
 * shape:  the JSON in a file, of a report or not
 * owner:  *out is the caller's: json_decref()
 * errors: -errno of reading; -EPROTO: it is none, or has more values than a
 *         report of its size can have: `why` says which
 */
int
report_load(FILE *file, json_t **out, char *why, size_t why_size);

/*
 * shape:  whether it is a report, and of a version that is known
 * errors: -EPROTO: `why` says which
 */
int
report_check(const json_t *root, char *why, size_t why_size);

/*
 * shape:  the report in the file at `path`; "-": what stdin has
 * owner:  *out is the caller's: json_decref()
 * errors: -errno of reading; -EPROTO: it is not a report of a version that we
 *         know, `why` says what is wrong with it
 */
int
report_read(const char *path, json_t **out, char *why, size_t why_size);

/* All of these: path is a key, or keys of objects in objects: "dedup.merged". */

/* A number; 0 where there is none. */
uint64_t
report_u64(const json_t *root, const char *path);

/* The same as people read it. */
#define REPORT_COUNT(root, path) COUNT_TEXT(report_u64(root, path))

/* Whether it is a number: a budget may be null. */
bool
report_has(const json_t *root, const char *path);

/* Whether it is true. */
bool
report_is(const json_t *root, const char *path);

/* The items of an array; an empty one where there is none. */
size_t
report_list(const json_t *root, const char *path, json_t **list);

/* A text; "" where there is none. */
const char *
report_text(const json_t *root, const char *path);

#endif
