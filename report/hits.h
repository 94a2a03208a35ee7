/* SPDX-License-Identifier: MIT */
/*
 * hits.h - whether a run has packed what a task is about.
 *
 * Does: of each file of a task, whether any line of it was packed, and how many
 *       of the lines that the task names.
 * Does not: count signatures: they are no lines of a file.
 */
#ifndef REPORT_HITS_H
#define REPORT_HITS_H

#include "catalogue/commit_tasks.h"
#include "report/report.h"

/* No pointers but to memory that both processes have at the same place. */
struct hits {
	const struct commit_tasks *tasks;
	const struct commit_task *task;
	bool is_known; /* the run came to its end */
	struct hits_of_file {
		bool is_packed;
		uint32_t line_nr; /* of those that are named */
	} files[COMMIT_FILES_MAX];
};

/*
 * shape:  what the run has packed of the files of hits->task, whose paths are
 *         those below the one root
 * errors: -ENOMEM
 * calls:  supervisor_conclude()
 */
int
hits_take(struct hits *hits, const struct report *report);

#endif
