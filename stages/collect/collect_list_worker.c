/* SPDX-License-Identifier: MIT */
/*
 * collect_list_worker.c - the names of the files of the trees, before a run.
 *
 * Does: the walk as a run has it, ignore rules and all, without opening a file.
 * Runs in: a process of its own, which it shuts in as the collector is.
 */
#include <errno.h>

#include "stages/collect/collect_worker.h"

void
collect_walk_options(const struct run *run, struct collect_options *options)
{
	*options = (struct collect_options){
		.roots = run->job.roots,
		.root_nr = (uint32_t)run->job.root_nr,
		.paths = run->job.paths,
		.files = run->job.files,
		.file_nr = (uint32_t)run->job.file_nr,
		.include = run->job.includes,
		.include_nr = (uint32_t)run->job.include_nr,
		.exclude = run->job.excludes,
		.exclude_nr = (uint32_t)run->job.exclude_nr,
		.forced = run->job.forced,
		.forced_nr = (uint32_t)run->job.forced_nr,
		.pins = run->job.pins,
		.pin_nr = (uint32_t)run->job.pin_nr,
		.rev = run->job.rev,
		.rev_memory_bytes = run->object_bytes,
		.no_ignore = run->job.no_ignore,
		.default_excludes = run->job.default_excludes,
		.elides = run->job.default_excludes &&
			  (run->job.budget_tokens != BUDGET_ALL ||
			   run->job.whole_files),
		.hidden = run->job.hidden,
	};
}

bool
collect_may_ignore_all(const struct run *run)
{
	const struct job *job = &run->job;

	return !job->no_ignore && job->include_nr == 0 && job->exclude_nr == 0;
}

/* Whether there was anything at all, or -errno. */
static int
walk_once(struct collect_walk *walk, source_file_fn *fn, void *context)
{
	struct collect_entry entry;
	int result;
	int any = 0;

	while ((result = collect_walk_next(walk, &entry)) > 0) {
		int error;

		any = 1;
		if (entry.type != COLLECT_FILE || entry.reason != REASON_NONE)
			continue;
		error = fn(context, entry.root, entry.path + entry.root_bytes,
			   entry.path_bytes - entry.root_bytes);
		if (error != 0)
			return error;
	}
	return result < 0 ? result : any;
}

static int
walk_all(const struct run *run, struct collect_walk *walk, source_file_fn *fn,
	 void *context)
{
	int result = walk_once(walk, fn, context);

	if (result == 0 && collect_ignores_all(collect_may_ignore_all(run),
					       walk, &walk->counts)) {
		collect_walk_rewind(walk, true);
		result = walk_once(walk, fn, context);
	}
	return result < 0 ? result : 0;
}

int
collect_list(const struct run *run, source_file_fn *fn, void *context)
{
	const struct reach none = { .nr = 0 };
	char why[COLLECT_WHY_BYTES] = "";
	struct collect_options options;
	struct collect_walk *walk;
	uint32_t bad_root;
	int error;

	collect_walk_options(run, &options);
	options.why = why;
	error = collect_walk_create(&walk, &options, &bad_root);
	if (error != 0)
		return error;
	if (run->confine != NULL &&
	    run->confine(run, STAGE_COLLECT, &none) != 0)
		error = -EPERM;
	if (error == 0)
		error = walk_all(run, walk, fn, context);
	collect_walk_destroy(walk);
	return error;
}
