/* SPDX-License-Identifier: MIT */
/*
 * collect_tasks_worker.c - past commits as tasks, before a run.
 *
 * Does: finds the repository of the one root, and reads its commits.
 * Runs in: a process of its own, which it shuts in as the collector is.
 */
#include <errno.h>
#include <stdio.h>

#include "stages/collect/collect_io_tasks.h"
#include "stages/collect/collect_io_walk.h"
#include "stages/collect/collect_worker.h"

/* In the sandbox, when the repository is found. */
static int
read_confined(const struct run *run, struct history *history,
	      struct commit_tasks *tasks)
{
	struct reach reach = { .nr = 0 };

	reach.nr = history_reach(history, reach.fds, REACH_MAX);
	if (run->confine != NULL &&
	    run->confine(run, STAGE_COLLECT, &reach) != 0)
		return -EPERM;
	return tasks_read(tasks, history, run->job.rev);
}

int
collect_list_commits(const struct run *run, struct commit_tasks *tasks)
{
	struct history *history = NULL;
	char why[COLLECT_WHY_BYTES] = "";
	struct collect_options options;
	struct collect_walk *walk;
	uint32_t bad_root;
	int error;

	collect_walk_options(run, &options);
	options.why = why;
	options.rev = NULL; /* it is the commits' own */
	error = collect_walk_create(&walk, &options, &bad_root);
	if (error != 0)
		return error;
	if (walk->roots[0].name != NULL)
		error = -ENOTDIR;
	if (error == 0)
		error = history_find(&history, walk, run->object_bytes, false,
				     why);
	if (error == 0 && history == NULL) {
		snprintf(tasks->why, sizeof(tasks->why), "%s",
			 why[0] != '\0' ? why
					: "it is not in a git repository");
		error = -ENOENT;
	}
	if (error == 0)
		error = read_confined(run, history, tasks);
	history_close(history);
	collect_walk_destroy(walk);
	return error;
}
