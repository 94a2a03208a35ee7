/* SPDX-License-Identifier: MIT */
/*
 * unmatched.h - patterns and listed files that nothing in the trees answers to.
 *
 * Does: says which, and the nearest path that is there, or that what they name
 *       is left out by a rule.
 * Runs in: the supervisor, when all workers are gone.
 */
#ifndef REPORT_UNMATCHED_H
#define REPORT_UNMATCHED_H

#include "report/report.h"
#include "supervisor/supervisor.h"

#define UNMATCHED_MAX 10 /* that are named */

/*
 * shape:  warns of patterns that the user typed (--include, --exclude,
 *         --force-include, --pin, --boost) and that matched no file, and of
 *         files of --files-from that are not there. Patterns of a
 *         configuration need not match in each part of a tree.
 * calls:  at the end of a run. If there are any, the trees are walked again in
 *         a process of its own
 */
void
unmatched_warn(const struct supervisor *supervisor,
	       const struct report *report);

/* A pattern that matched nothing, and what the trees have instead. */
struct unmatched {
	const char *pattern;
	bool is_listed;   /* a path of --files-from, not a pattern */
	bool is_left_out; /* the path matches, but was not packed */
	bool has_path;
	unsigned distance; /* of the path: twice its edits, and its detours */
	uint32_t root_idx; /* with is_left_out */
	char path[512];    /* or a pattern that would match; NUL at the end */
};

/*
 * shape:  looks at one more path of the trees: whether it matches, is like the
 *         one that was meant, or matches the pattern with one slip mended (its
 *         suffix, its directory, a directory between)
 * units:  path: below its root
 * calls:  unmatched_warn(), tests
 */
void
unmatched_try(struct unmatched *unmatched, uint32_t root_idx, const char *path,
	      size_t bytes);

#endif
