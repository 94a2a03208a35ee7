/* SPDX-License-Identifier: MIT */
/*
 * collect_io_tasks.h - past commits as tasks (catalogue/commit_tasks.h).
 *
 * Does: takes commits as `git log` has them; of the files of code that one of
 *       them changed and a pack could have, the lines of before that it changed
 *       or that it put something between, as `git diff -U0` says.
 * Does not: follow renames: what a commit made, moved or deleted is no file
 *           that it changed.
 * Runs in: a process of its own, shut in as the collector is; tests.
 * Limits: LOOKED_AT_MAX commits; files of FILE_BYTES_MAX.
 */
#ifndef COLLECT_COLLECT_IO_TASKS_H
#define COLLECT_COLLECT_IO_TASKS_H

#include "catalogue/commit_tasks.h"
#include "stages/collect/collect_io_history.h"

/*
 * shape:  the tasks before a revision of the first repository; NULL: HEAD
 * errors: -errno, with a sentence in tasks->why
 * calls:  in the sandbox
 */
int
tasks_read(struct commit_tasks *tasks, struct history *history,
	   const char *rev);

#endif
