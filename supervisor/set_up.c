/* SPDX-License-Identifier: MIT */
/*
 * set_up.c - what a run needs before its first worker is forked.
 *
 * Does: reads what the options name, makes catalogue and output; then forks
 *       the workers.
 * Does not: share --memory out (memory.c); take anything down again: that is
 *           the caller's, whatever was made.
 */
#include <errno.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

#include "base/diag.h"
#include "base/fault.h"
#include "base/fd_io.h"
#include "shm/wait.h"
#include "supervisor/encoding.h"
#include "supervisor/output_parts.h"
#include "supervisor/survey_parts.h"
#include "supervisor/survey_past.h"
#include "supervisor/survey_place.h"
#include "supervisor/user_text.h"
#include "supervisor/supervisor.h"

#define LIST_SHARE 2 /* of --memory, for the names of --files-from */

static int
create_catalogue(struct supervisor *supervisor)
{
	int error = catalogue_create(&supervisor->run.catalogue);

	if (error == 0)
		return 0;
	if (error == -ENOMEM)
		diag_log(DIAG_ERROR,
			 "cannot map what is known of the files: %s",
			 diag_errno(error));
	else
		diag_log(DIAG_ERROR,
			 "cannot make a temporary file in $TMPDIR or /tmp: "
			 "%s%s",
			 diag_errno(error),
			 error == -EMFILE || error == -ENFILE || error == -EFBIG
				 ? ""
				 : "; set TMPDIR to a directory that can be "
				   "written, with room");
	return EXIT_RESOURCES;
}

/* What is known of the files before they are looked at: 0 or an exit code. */
static int
open_survey(struct supervisor *supervisor)
{
	const struct options *options = supervisor->options;
	enum survey_cache cache = options->cache;
	const struct survey_parts_use use = {
		.needs_all = options->strict,
		.same_files = options->same_files,
	};

	if (options->parts_path != NULL)
		return survey_use_parts(&supervisor->run, options->parts_path,
					&use);
	if (options->kind != JOB_SHARD && cache != SURVEY_CACHE_OFF &&
	    cache != SURVEY_CACHE_VERIFY) {
		survey_use(&supervisor->run);
		survey_past_use(&supervisor->run);
	}
	return 0;
}

static int
open_output(struct supervisor *supervisor)
{
	bool is_kept = supervisor->options->kind == JOB_PACK;
	/* nothing is pumped to it */
	const char *path =
		is_kept ? supervisor->options->output_path : "/dev/null";
	bool has_parts = is_kept && supervisor->run.job.split_tokens > 0;
	int error;

	output_never_pack(&supervisor->run, supervisor->options->report_path);
	output_never_pack(&supervisor->run, supervisor->options->metrics_path);
	output_never_pack(&supervisor->run, supervisor->options->audit_path);
	output_never_pack(&supervisor->run,
			  supervisor->options->new_baseline_path);
	output_never_pack(&supervisor->run, supervisor->options->output_dir);
	if (is_kept && path != NULL)
		part_set_sweep(path);
	if (has_parts)
		output_never_pack_parts(&supervisor->run, path);
	error = output_open(&supervisor->output, path, &supervisor->run);
	if (error == 0 && has_parts && supervisor->output.stream_fd >= 0)
		return exit_with(
			EXIT_USAGE,
			"--split: %s is a pipe or a device; parts are files",
			QUOTED(path));
	return error == 0 ? 0 : exit_cannot_write(path, error);
}

static int
open_tokenizer(struct supervisor *supervisor)
{
	return encoding_open(&supervisor->run.tokenizer,
			     &supervisor->run.job.margin_percent,
			     supervisor->options);
}

/* What --files-from names: 0 or an exit code. */
static int
read_file_list(struct supervisor *supervisor)
{
	const char *path = supervisor->options->files_from;
	struct text_list files = { 0 };
	int error;

	if (path == NULL)
		return 0;
	error = file_list_read(path, supervisor->options->by_nul,
			       supervisor->options->memory_bytes / LIST_SHARE,
			       &files);
	supervisor->run.job.files = files.items;
	supervisor->run.job.file_nr = files.nr;
	if (error == 0 && files.nr > 0)
		return 0;
	diag_log(DIAG_ERROR, "--files-from %s: %s", QUOTED(path),
		 error == 0 ? "it lists no files"
		 : error == -EFBIG
			 ? "its names take more than half of --memory: raise "
			   "it, or name directories"
			 : fd_open_error(error));
	if (error == -EFBIG)
		return EXIT_RESOURCES;
	return error == 0 ? EXIT_NOTHING : EXIT_USAGE;
}

/* What --query asks for: 0 or an exit code. */
static int
read_query(struct supervisor *supervisor)
{
	const char *text = supervisor->options->query_text;
	struct query *query;
	int error;

	if (text == NULL)
		return 0;
	error = query_text_read(text, &query);
	if (error != 0)
		return exit_with(EXIT_USAGE, "the query %s: %s%s", QUOTED(text),
				 fd_open_error(error),
				 text[0] == '@' && error == -ENOENT
					 ? "; @ names a file: put a blank "
					   "before it to ask for the text"
					 : "");
	if (query == NULL && supervisor->options->kind == JOB_FIND)
		return exit_with(EXIT_USAGE,
				 "%s: no word of this query can be looked for; "
				 "give words of two letters and more that say "
				 "what it is about",
				 QUOTED(text));
	if (query == NULL)
		diag_log(DIAG_WARN,
			 "--query has no usable words; ranking without it");
	supervisor->run.job.query = query;
	return 0;
}

/* What is asked for besides the tree: 0 or an exit code. */
static int
read_sources(struct supervisor *supervisor)
{
	const struct options *options = supervisor->options;
	const struct job *pack = &supervisor->run.job;
	const struct source_scope scope = {
		.roots = pack->roots,
		.root_nr = pack->root_nr,
		.rev = pack->rev,
		.stdin_is_taken = options->files_from != NULL &&
				  strcmp(options->files_from, "-") == 0,
		.no_dedup = pack->no_dedup,
		.memory_bytes = options->memory_bytes,
		.weights = { pack->relevance_weight, pack->recency_weight,
			     pack->source_weight },
		.priorities = options->priorities,
		.walk = list_trees,
		.trees = &supervisor->run,
	};
	int error = source_list_build(&supervisor->sources, &options->sources,
				      &scope);

	supervisor->run.job.sources = supervisor->sources.sources;
	supervisor->run.place_bytes = supervisor->sources.entry_bytes;
	if (error == 0 && supervisor->run.job.sources_only &&
	    supervisor->sources.sources.file_nr == 0)
		return exit_with(
			EXIT_NOTHING,
			"BALE-CTX-004: the sources name nothing that could be "
			"packed; to pack the directory as well, name it: .");
	if (error == 0 || error == -EINVAL)
		return error == 0 ? 0 : EXIT_USAGE;
	return exit_with(EXIT_RESOURCES, "sources: %s", diag_errno(error));
}

static int
open_events(struct supervisor *supervisor)
{
	struct epoll_event event = { .events = EPOLLIN,
				     .data.u32 = LANES_EVENT };
	int *lanes_fd = &supervisor->run.lanes_fd;

	/* a reader that goes away is an errno */
	signal(SIGPIPE, SIG_IGN);
	supervisor->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	*lanes_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (supervisor->epoll_fd >= 0 && *lanes_fd >= 0 &&
	    epoll_ctl(supervisor->epoll_fd, EPOLL_CTL_ADD, *lanes_fd, &event) ==
		    0)
		return 0;
	return exit_with(EXIT_RESOURCES, "cannot wait for workers: %s",
			 diag_errno(errno));
}

/* Of each stage one; they wait until the first pass is asked for. */
static int
start_workers(struct supervisor *supervisor)
{
	uint32_t lane_nr = supervisor->run.lane_nr;
	int error = 0;

	/* what a worker takes from the heap is then new from the kernel, and
	 * calloc(3) need not clear it */
	malloc_trim(0);
	for (int stage = 0; stage < STAGE_NR && error == 0; stage++) {
		error = supervisor_spawn(
			supervisor,
			stage_worker_idx((enum stage_id)stage, 0, lane_nr));
		FAULT("spawned");
	}
	if (error == 0)
		return 0;
	supervisor_kill_all(supervisor, DEATH_MS);
	return exit_with(EXIT_RESOURCES,
			 "cannot start even one worker of each stage: %s%s",
			 diag_errno(error),
			 error == -EAGAIN
				 ? "; raise the limit on processes (ulimit -u)"
				 : "");
}

/* All settings are known. */
static int
resolve_job(struct supervisor *supervisor)
{
	struct job *job = &supervisor->run.job;

	job->keeps_survey = supervisor->options->kind == JOB_SHARD ||
			    options_keep_survey(supervisor->options);
	job_resolve(job);
	return 0;
}

/* Whether what a shard finds out could be used: 0 or an exit code. */
static int
check_shards(struct supervisor *supervisor)
{
	const struct options *options = supervisor->options;
	bool is_shard = options->kind == JOB_SHARD;
	uint8_t key[SURVEY_KEY_BYTES];

	if ((!is_shard && options->parts_path == NULL) ||
	    survey_key(&supervisor->run, key))
		return 0;
	return exit_with(EXIT_USAGE,
			 "BALE-CLI-005 %s cannot be given with sources "
			 "(--open, --search, --tool, --reference, --sources), "
			 "--rev, --pin, --force-include, --files-from, "
			 "--template, a tokenizer.json or --budget all: what "
			 "these need is not surveyed in parts",
			 is_shard ? "--shard" : "bale merge");
}

/* --header and --instructions. */
static int
read_own_text(struct supervisor *supervisor)
{
	const struct text_list *roots = &supervisor->options->operands;

	/* of several trees no document says which one it is of */
	if (roots->nr == 1)
		supervisor->run.job.markup.source = roots->items[0];
	return own_text_read(supervisor->options, &supervisor->run.job.markup);
}

int
supervisor_set_up(struct supervisor *supervisor)
{
	static int (*const steps[])(struct supervisor *) = {
		open_tokenizer, read_file_list,   read_query,   read_own_text,
		read_sources,   resolve_job,      check_shards, open_events,
		memory_share,   create_catalogue, open_survey,  open_output,
	};

	for (size_t i = 0; i < ARRAY_LEN(steps); i++) {
		int code = steps[i](supervisor);

		FAULT("set_up");
		if (code != 0)
			return code;
	}
	return 0;
}

static void
begin_first_pass(const struct supervisor *supervisor)
{
	const struct segment *segment = &supervisor->run.segment;

	/* release: all workers are there */
	store_release(&segment->control->pass, PASS_FIRST);
	wait_wake(segment_wait(
		segment,
		stage_worker_idx(STAGE_COLLECT, 0, supervisor->run.lane_nr)));
}

int
supervisor_start(struct supervisor *supervisor)
{
	int code;

	lanes_begin(supervisor);
	code = start_workers(supervisor);
	if (code == 0)
		begin_first_pass(supervisor);
	return code;
}

int
supervisor_start_again(struct supervisor *supervisor)
{
	struct run *run = &supervisor->run;
	int code;

	if (supervisor->options->parts_path != NULL)
		return exit_with(
			EXIT_RESOURCES,
			"%s: a part was changed, or cannot be read any "
			"more",
			QUOTED(supervisor->options->parts_path));
	diag_log(DIAG_INFO, "the kept survey is damaged, or cannot be read any "
			    "more; reading all files");
	catalogue_close(&run->catalogue);
	segment_destroy(&run->segment);
	memset(supervisor->worker_slots, 0, sizeof(supervisor->worker_slots));
	supervisor->exit_code = 0;
	supervisor->deaths = 0;
	supervisor->unlooked_ns = 0;
	code = memory_share(supervisor);
	if (code == 0)
		code = create_catalogue(supervisor);
	return code == 0 ? supervisor_start(supervisor) : code;
}
