/* SPDX-License-Identifier: MIT */
/*
 * cmd_pack.c - one run of `bale pack`, `bale preview` or `bale tree`, from options
 *          to exit.
 */
#include "cli/command_line.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fault.h"
#include "base/fd_io.h"
#include "base/number_format.h"
#include "base/replace_file.h"
#include "base/signals.h"
#include "catalogue/catalogue.h"
#include "catalogue/survey.h"
#include "report/baseline.h"
#include "report/conclude.h"
#include "supervisor/sandbox.h"
#include "supervisor/supervisor.h"
#include "supervisor/survey_keep.h"
#include "supervisor/survey_parts.h"
#include "supervisor/survey_past.h"

/* static: too large for the stack, and there is one run a process */
static struct supervisor supervisor;
static char part_path[PATH_MAX]; /* where a shard writes */

/* What a signal does besides. calls: a handler; see base/signals.h */
static void
end_workers(int wait_ms)
{
	supervisor_kill_all(&supervisor, wait_ms);
	progress_clear(&supervisor.bar);
}

static void
tear_down(void)
{
	part_set_close(&supervisor.parts);
	output_close(&supervisor.output);
	catalogue_close(&supervisor.run.catalogue);
	free(supervisor.run.outputs);
	source_list_fini(&supervisor.sources);
	segment_destroy(&supervisor.run.segment);
	fd_close(supervisor.epoll_fd);
	if (supervisor.run.lanes_fd > 0)
		close(supervisor.run.lanes_fd);
	supervisor.run.lanes_fd = 0;
}

static void
take_options(const struct options *options)
{
	supervisor.options = options;
	supervisor.run.job = options->pack;
	supervisor.run.lane_nr = (uint32_t)options->worker_nr;
	supervisor.run.memory_bytes = options->memory_bytes;
	supervisor.run.sandbox_layers = options->sandbox_layers;
	supervisor.run.confine = sandbox_enter;
	supervisor.sources.text_fd = -1;
	supervisor.epoll_fd = -1;
	supervisor.output = OUTPUT_NONE;
	supervisor.parts = PART_SET_NONE;
	progress_open(&supervisor.bar,
		      options->log_json && options->progress == PROGRESS_AUTO
			      ? PROGRESS_NEVER
			      : options->progress,
		      STDERR_FILENO);
	supervisor.bar.numbers_fd = options->progress_fd;
}

/* Says why format could not write, if that has not been said. */
static void
log_write_error(void)
{
	const struct control_shm *control = supervisor.run.segment.control;
	/* relaxed: the format worker is dead */
	int error = load_relaxed(&control->write_error);
	const char *path = supervisor.options->output_path;

	/* 0: it was the stream, and that has been said */
	if (error != 0)
		exit_cannot_write(path == NULL ? "the temporary file in $TMPDIR"
					       : path,
				  -error);
}

/* For the next run. What cannot be kept is no failure of this one. */
static void
keep_survey(void)
{
	const struct options *options = supervisor.options;
	const struct survey_keeping how = {
		.begun_ns = supervisor.started_ns,
		.limit_bytes = options->cache_limit_bytes,
		.least_bytes = options->cache == SURVEY_CACHE_AUTO
				       ? SURVEY_WORTH_BYTES
				       : 0,
		.verifies = options->cache == SURVEY_CACHE_VERIFY,
	};
	int error = 0;

	if (options_keep_survey(options))
		error = survey_keep(&supervisor.run, &how);
	if (options_keep_survey(options) && error == 0)
		error = survey_past_keep(&supervisor.run, how.limit_bytes);
	if (error != 0)
		diag_log(DIAG_INFO, "the survey is not kept: %s",
			 diag_errno(error));
}

/* Which part a shard is to look at, and where what it finds out will lie: 0 or
 * an exit code. */
static int
begin_shard(const struct command_line *line)
{
	struct shard *shard = &supervisor.run.job.shard;
	const char *path = line->run.output_path;
	int code = shard_find(shard, &line->shard);
	struct stat st;
	int nr;

	if (code != 0)
		return code;
	nr = stat(path, &st) == 0 && S_ISDIR(st.st_mode)
		     ? snprintf(part_path, sizeof(part_path), "%s/%05u", path,
				shard->idx)
		     : snprintf(part_path, sizeof(part_path), "%s", path);
	return exit_cannot_write(path, (size_t)nr < sizeof(part_path)
					       ? replace_check(part_path)
					       : -ENAMETOOLONG);
}

/* What it has found out: 0 or an exit code. */
static int
write_part(void)
{
	const struct shard *shard = &supervisor.run.job.shard;
	struct survey_part part = {
		.path = part_path,
		.begun_ns = supervisor.started_ns,
	};
	int error = survey_write_part(&supervisor.run, &part);

	if (error == 0 && !supervisor.options->quiet &&
	    !supervisor.options->log_json)
		fprintf(stderr, "part %u of %u: %s file%s\n", shard->idx,
			shard->nr, COUNT_TEXT(part.files),
			part.files == 1 ? "" : "s");
	return exit_cannot_write(part_path, error);
}

/* Says how much a merge has looked at in spite of its parts. */
static void
warn_of_new(void)
{
	uint64_t nr = supervisor.options->parts_path == NULL
			      ? 0
			      : survey_new_files(&supervisor.run);

	if (nr > 0)
		diag_log(DIAG_WARN,
			 "%s file%s not covered by the parts; read again",
			 COUNT_TEXT(nr), nr == 1 ? " is" : "s are");
}

/* When all workers have succeeded: an exit code. */
static int
finish(void)
{
	int code;

	if (supervisor.options->kind == JOB_SHARD)
		return write_part();
	warn_of_new();
	code = supervisor_conclude(&supervisor);
	if (code == 0 || code == EXIT_DEGRADED) {
		/* the output is there, whatever becomes of the next one's */
		table_lost_with(code);
		keep_survey();
	}
	return code;
}

/* From the first worker to the last: 0 or an exit code. */
static int
run_workers(void)
{
	const struct survey *survey = &supervisor.run.catalogue.survey;
	int code = supervisor_start(&supervisor);

	if (code == 0)
		code = supervisor_watch(&supervisor);
	/* what it says of names is read once more, here */
	if (code == 0 && !survey_hold(survey))
		code = SUPERVISOR_AGAIN;
	if (code != SUPERVISOR_AGAIN)
		return code;
	code = supervisor_start_again(&supervisor);
	return code == 0 ? supervisor_watch(&supervisor) : code;
}

int
cmd_pack(struct command_line *line)
{
	const struct options *options = &line->run;
	int code;

	supervisor.begun_ns = clock_now_ns();
	supervisor.started_ns = (int64_t)clock_read_ns(CLOCK_REALTIME);
	signal(SIGIO, SIG_IGN); /* of survey_hold() */
	table_end_with(EXIT_RESOURCES);
	take_options(options);
	code = options->kind == JOB_SHARD ? begin_shard(line) : 0;
	if (code == 0)
		code = supervisor_set_up(&supervisor);
	if (code == 0)
		code = sidecars_check(options);
	if (code == 0)
		code = baseline_read(options, &supervisor.known);
	if (code == 0) {
		signals_set_hook(end_workers);
		code = run_workers();
		signals_set_hook(NULL);
		if (code == EXIT_OUTPUT)
			log_write_error();
		if (code == 0)
			code = finish();
	}
	tear_down();
	FAULT("torn_down");
	if (supervisor.has_no_reader)
		signals_die(SIGPIPE);
	return code;
}
