/* SPDX-License-Identifier: MIT */
/*
 * collect_init_worker.c - what the collector makes after the fork.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "stages/collect/collect_worker.h"

#define READS_IN_FLIGHT 64

/* Of this process. */
static struct query_sought sought;

/* Says what is wrong with what the user named: -EINVAL, or the error. */
static int
say_bad_root(const struct collect_options *options, uint32_t bad_root,
	     int error)
{
	bool is_file = error == -EINVAL && bad_root < options->file_nr;
	bool has_why = options->rev != NULL && options->why[0] != '\0';
	const char *path;

	if (error == -ENOTDIR && options->file_nr > 0) {
		diag_log(DIAG_ERROR, "--files-from: give one directory that "
				     "the files are below");
		return -EINVAL;
	}
	/* that is no fault of the root's */
	if (error == -EMFILE || error == -ENFILE ||
	    (!is_file && bad_root >= options->root_nr))
		return error;
	path = is_file ? options->files[bad_root] : options->roots[bad_root];
	diag_log(DIAG_ERROR, "%s%s: %s",
		 is_file   ? "--files-from "
		 : has_why ? "--rev: "
			   : "",
		 QUOTED(path),
		 is_file   ? "names no file below the directory that is packed"
		 : has_why ? options->why
			   : diag_errno(error));
	return -EINVAL;
}

/* Where the walk is, should it stay there for good. */
static void
emit_way(void *context, uint32_t nr)
{
	struct worker *worker = context;
	const struct collect_files *files = collect_files_of(worker);

	worker_set_walk_position(worker, files->next_file,
				 nr - files->way_base);
	worker_beat(worker);
}

/* Which file of a batch a wait is for. */
static void
emit_read(void *context, const struct collect_read *read)
{
	struct worker *worker = context;
	const struct collect_scratch *scratch = worker->scratch;
	const struct collect_batch *batch = &scratch->batch;
	size_t idx = (size_t)(read - batch->reads);

	if (idx < batch->read_nr)
		worker_position(worker, batch->watched[idx]);
}

/* The file in work, should it not be over. */
static void
emit_file(void *context, uint32_t file_idx)
{
	worker_position(context, file_idx);
	worker_beat(context);
}

static int
create_walk(struct worker *worker)
{
	const struct run *run = worker->run;
	struct collect_files *files = collect_files_of(worker);
	struct file_identity *outputs =
		calloc(run->output_nr + 1, sizeof(*outputs));
	char why[COLLECT_WHY_BYTES] = "";
	struct collect_options options;
	uint32_t bad_root;
	int error;

	if (outputs == NULL)
		return -ENOMEM;
	collect_walk_options(run, &options);
	options.outputs = outputs;
	options.output_nr = run->output_nr;
	options.why = why;
	options.entering = emit_way;
	options.walking = collect_beat;
	options.context = worker;
	options.no_ignore |= files->place->rules_off != 0;
	for (uint32_t i = 0; i < run->output_nr; i++)
		outputs[i] = (struct file_identity){ run->outputs[i].dev,
						     run->outputs[i].ino };
	error = collect_walk_create(&files->walk, &options, &bad_root);
	free(outputs); /* the walk has a copy */
	return error == 0 ? 0 : say_bad_root(&options, bad_root, error);
}

static int
create_reader(struct worker *worker)
{
	struct collect_files *files = collect_files_of(worker);
	int error = collect_reader_create(&files->reader, worker->run->job.io,
					  READS_IN_FLIGHT);
	int refusal;

	if (error != 0) {
		diag_log(DIAG_ERROR, "io_uring: %s; use --io=read",
			 diag_errno(error));
		return -EINVAL;
	}
	collect_reader_watch(files->reader, emit_read, worker);
	refusal = collect_reader_refusal(files->reader);
	if (refusal != 0 && worker->committed == 0)
		diag_log(DIAG_INFO, "io_uring unavailable (%s); using read(2)",
			 diag_errno(refusal));
	return 0;
}

static void
init_files(struct worker *worker, struct collect_files *files)
{
	const struct run *run = worker->run;
	struct collect_state *state = worker->state;

	files->catalogue = &worker->catalogue;
	files->place = &state->place;
	files->sources = &run->job.sources;
	files->roots = run->job.roots;
	files->is_rev = run->job.rev != NULL;
	files->sources_only = run->job.sources_only;
	files->keeps_mistakes = run->job.invalid_utf8 == INVALID_UTF8_KEEP;
	files->may_ignore_all = collect_may_ignore_all(run);
	files->max_file_bytes = run->job.max_file_bytes;
	files->counted_bytes = run->job.counted_bytes;
	files->shard = run->job.shard;
	files->keeps_contents = run->job.keeps_survey;
	files->whole_bytes = run->job.whole_bytes;
	files->part_bytes = run->job.part_bytes;
	if (run->job.counts_terms) {
		query_sought_init(&sought, run->job.query);
		files->sought = &sought;
	}
	files->object_bytes = run->object_bytes;
	files->at_file = emit_file;
	files->context = worker;
	files->open_fd = -1;
	files->next_path_off = state->place.path_bytes;
	files->finding_nr = state->place.finding_nr;
	files->findings_left_out = state->place.findings_left_out;
	/* what is known already ends no run, and is not written either */
	files->secrets_mode = run->job.secrets == SECRETS_FAIL
				      ? SECRETS_REDACT
				      : run->job.secrets;
	if (run->job.secrets != SECRETS_OFF)
		files->secrets = secrets_rules();
}

int
collect_init(struct worker *worker)
{
	struct collect_scratch *scratch = calloc(1, sizeof(*scratch));
	struct collect_files *files;
	int error;

	if (scratch == NULL)
		return -ENOMEM;
	worker->scratch = scratch;
	files = &scratch->files;
	scratch->batch.most = COLLECT_BATCH_MAX;
	ASSERT(worker->run->segment.slabs.nr <= COLLECT_SLABS_MAX);
	init_files(worker, files);
	error = create_walk(worker);
	if (error == 0 && files->is_rev)
		worker->reach.nr = collect_walk_reach(
			files->walk, worker->reach.fds, REACH_MAX);
	if (error == 0)
		error = collect_history_init(worker);
	if (error == 0)
		error = create_reader(worker);
	return error;
}
