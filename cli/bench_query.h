/* SPDX-License-Identifier: MIT */
/*
 * bench_query.h - what queries find in the history of a repository: bale bench
 * --query.
 *
 *   bench_query.c       the past commits, a run of pack for each and each budget
 *   bench_query_show.c  figures as a table, and all of it as JSON
 *
 * Invariants:
 * 1. A run sees the tree before the commit and the commits before it, no more:
 *    --rev, by the commit's parent.
 * 2. The same commits give the same figures, whatever the machine.
 */
#ifndef CLI_BENCH_QUERY_H
#define CLI_BENCH_QUERY_H

#include <stdio.h>

#include "cli/command_line.h"
#include "report/hits.h"

#define BENCH_BUDGETS_MAX 3

struct bench_query {
	const struct commit_tasks *tasks;
	uint64_t budgets[BENCH_BUDGETS_MAX];
	uint32_t budget_nr;
	/* of each task, budget and file */
	struct hits_of_file hits[COMMIT_TASKS_MAX][BENCH_BUDGETS_MAX]
				[COMMIT_FILES_MAX];
};

/* Of a budget: means over tasks, each of which counts the same. */
struct bench_query_figures {
	double files; /* the part of its files that a line is packed of */
	double spots; /* of its files, that a changed line is packed of */
	double lines; /* of its changed lines */
};

/* units: parts of one; all of them zero, if there are no tasks */
void
bench_query_figures(const struct bench_query *result, uint32_t budget,
		    struct bench_query_figures *out);

/* Both: 0 or -errno. */
int
bench_query_show(const struct bench_query *result, FILE *out);
int
bench_query_write(const struct bench_query *result, int fd);

/* All of it: an exit code, said. calls: cmd_bench() */
int
bench_query(struct command_line *line);

#endif
