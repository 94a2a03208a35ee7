/* SPDX-License-Identifier: MIT */
/*
 * collect_history_worker.c - the collector's step of past commits.
 *
 * Does: finds the repositories, reads their commits while there is nothing
 *       else to do and the rest of them when the walk is over, and writes what
 *       they say of the files.
 * Does not: read objects (collect_io_past.h).
 * Runs in: collect.
 * Invariants:
 * 1. All past commits are one step: a death leaves nothing, and the replacement
 *    reads the same again from the start.
 * 2. A replacement reads nothing ahead: what ends it there ends the same step
 *    again and again, and is left out.
 */
#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/fault.h"
#include "catalogue/findings.h"
#include "stages/collect/collect_io_secrets.h"
#include "stages/collect/collect_worker.h"

/* The commit of the one root, for an output that begins before anything of its
 * history is read. */
static int
keep_commit(struct worker *worker, const uint8_t *commit)
{
	const struct table *table = &worker->catalogue.history;
	struct history_head *head;
	int error;

	if (!worker->run->job.takes_all || !worker->run->job.history ||
	    worker->run->job.root_nr != 1)
		return 0;
	error = table_reserve(table, sizeof(*head));
	if (error != 0)
		return error;
	head = table_at(table, 0, sizeof(*head));
	memcpy(head->commit, commit, sizeof(head->commit));
	head->has_commit = 1;
	return 0;
}

static int
keep_head(struct worker *worker)
{
	const struct collect_scratch *scratch = worker->scratch;
	const struct collect_walk *walk = scratch->files.walk;

	if (worker->committed > 0 || walk == NULL || walk->root_nr != 1 ||
	    !walk->roots[0].tree.has_commit)
		return 0;
	return keep_commit(worker, walk->roots[0].tree.commit);
}

int
collect_begin_rev(struct worker *worker)
{
	static const uint8_t none[COLLECT_OBJECT_BYTES];
	struct collect_scratch *scratch = worker->scratch;
	const struct collect_state *state = worker->state;
	const uint8_t *commit = state->place.revs[0].commit;
	int error;

	if (scratch->files.revs_open)
		return 0;
	error = collect_rev_begin(&scratch->files);
	if (error != 0 || memcmp(commit, none, sizeof(none)) == 0)
		return error;
	return keep_commit(worker, commit);
}

int
collect_history_init(struct worker *worker)
{
	const struct collect_state *state = worker->state;
	const struct job *job = &worker->run->job;
	struct collect_scratch *scratch = worker->scratch;
	char why[COLLECT_WHY_BYTES];
	int error = keep_head(worker);

	if (error != 0 || !worker->run->job.reads_git || state->history_known)
		return error;
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
		diag_log(DIAG_WARN, "git: %s; ranked without its history", why);
	/* with --rev these are in reach already */
	if (scratch->history != NULL && !scratch->files.is_rev)
		worker->reach.nr = history_reach(scratch->history,
						 worker->reach.fds, REACH_MAX);
	scratch->past_options = (struct past_options){
		.job = job,
		.revs = scratch->files.is_rev ? state->place.revs : NULL,
		.object_bytes = worker->run->object_bytes,
		.beat = collect_beat,
		.context = worker,
	};
	scratch->past = (struct history_ctx){
		.options = &scratch->past_options,
		.history = scratch->history,
		.catalogue = &worker->catalogue,
	};
	return 0;
}

void
collect_history_drop(struct worker *worker)
{
	struct collect_scratch *scratch = worker->scratch;

	history_close(scratch->history);
	scratch->history = NULL;
}

bool
collect_history_ahead(struct worker *worker)
{
	const struct collect_state *state = worker->state;
	const struct job *job = &worker->run->job;
	struct collect_scratch *scratch = worker->scratch;
	bool did;

	/* which commit a revision is, and a diff, wait for the end of the walk;
	 * acquire: set by the supervisor before this process was forked */
	if (scratch->history == NULL || state->history_known ||
	    job->rev != NULL || job->git_diff != NULL ||
	    load_acquire(&worker->shm->retry) != 0)
		return false;
	worker_position(worker, POSITION_HISTORY - 1);
	FAULT("history");
	did = past_read_ahead(&scratch->past);
	worker_position(worker, FILE_NONE);
	return did;
}

int
collect_step_history(struct worker *worker)
{
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	int error;

	state->history_known = 1;
	if (scratch->history == NULL || state->place.file_nr == 0)
		return STEP_DONE;
	worker_position(worker, POSITION_HISTORY - 1);
	FAULT("history");
	scratch->past.file_nr = state->place.file_nr;
	error = past_read(&scratch->past);
	if (error == 0)
		error = collect_secrets_clean(&scratch->files,
					      FINDING_IN_GIT_LOG,
					      &scratch->past.log);
	if (error == 0)
		error = collect_secrets_clean(&scratch->files,
					      FINDING_IN_GIT_DIFF,
					      &scratch->past.diff);
	state->place.finding_nr = scratch->files.finding_nr;
	state->place.findings_left_out = scratch->files.findings_left_out;
	if (error == 0)
		error = past_write(&scratch->past);
	worker_position(worker, FILE_NONE);
	collect_history_drop(worker);
	past_free(&scratch->past);
	return error != 0 ? error : STEP_DONE;
}
