/* SPDX-License-Identifier: MIT */
/*
 * collect_history_worker.c - the step of past commits.
 *
 * Runs in: collect, when the walk of the survey is over.
 * Invariants:
 * 1. All of it is one step: a death leaves nothing, and the replacement reads
 *    the same again from the start.
 */
#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/fault.h"
#include "stages/collect/collect_io_past.h"
#include "stages/collect/collect_worker.h"

int
collect_history_init(struct worker *worker)
{
	const struct collect_state *state = worker->state;
	const struct job *job = &worker->run->job;
	struct collect_scratch *scratch = worker->scratch;
	char why[COLLECT_WHY_BYTES];
	int error;

	if (!worker->run->job.reads_git || state->history_known)
		return 0;
	error = history_find(&scratch->history, scratch->files.walk,
			     worker->run->object_bytes, job->git_diff != NULL,
			     why);
	if (error != 0)
		return error;
	if (scratch->history == NULL && worker->run->job.writes_git) {
		diag_log(DIAG_ERROR, "%s: %s",
			 job->git_diff != NULL ? "--git-diff" : "--git-log",
			 why[0] != '\0' ? why
					: "no PATH is in a git repository");
		return -EINVAL;
	}
	if (why[0] != '\0' && worker->committed == 0)
		diag_log(DIAG_INFO, "git: %s; ranked without its history", why);
	/* with --rev these are in reach already */
	if (scratch->history != NULL && !scratch->files.is_rev)
		worker->reach.nr = history_reach(scratch->history,
						 worker->reach.fds, REACH_MAX);
	return 0;
}

void
collect_history_drop(struct worker *worker)
{
	struct collect_scratch *scratch = worker->scratch;

	history_close(scratch->history);
	scratch->history = NULL;
}

int
collect_step_history(struct worker *worker)
{
	const struct job *job = &worker->run->job;
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	const struct past_options wanted = {
		.looks_back = worker->run->job.reads_history,
		.query = worker->run->job.counts_terms ? job->query : NULL,
		.git_log_nr = job->git_log_nr,
		.git_diff = job->git_diff,
		.diffs_last = job->git_diff != NULL &&
			      strcmp(job->git_diff, REV_LAST) == 0,
		.roots = job->roots,
		.root_nr = (uint32_t)job->root_nr,
		.revs = scratch->files.is_rev ? state->place.revs : NULL,
		.object_bytes = worker->run->object_bytes,
		.beat = collect_beat,
		.context = worker,
	};
	struct history_ctx history_ctx = { .options = &wanted,
					   .history = scratch->history,
					   .catalogue = &worker->catalogue,
					   .file_nr = state->place.file_nr };
	int error;

	state->history_known = 1;
	if (scratch->history == NULL || state->place.file_nr == 0)
		return STEP_DONE;
	worker_position(worker, POSITION_HISTORY - 1);
	FAULT("history");
	error = past_read(&history_ctx);
	if (error == 0)
		error = past_write(&history_ctx);
	worker_position(worker, FILE_NONE);
	collect_history_drop(worker);
	past_free(&history_ctx);
	return error != 0 ? error : STEP_DONE;
}
