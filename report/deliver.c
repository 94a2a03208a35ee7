/* SPDX-License-Identifier: MIT */
/*
 * deliver.c - what a run made goes to where it was asked for.
 *
 * Does: the output by name, stream or parts, the plan of preview and tree;
 *       says what could not be written.
 * Does not: judge whether anything is to be written (conclude.c).
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "supervisor/output_parts.h"
#include "report/render.h"
#include "base/replace_file.h"
#include "report/report.h"
#include "base/stream.h"
#include "report/conclude.h"
#include "supervisor/supervisor.h"

/* Whether the context is written; else the plan, of `bale preview` or `tree`. */
static bool
writes_context(const struct supervisor *supervisor)
{
	return supervisor->options->kind == JOB_PACK;
}

static bool
has_parts(const struct supervisor *supervisor)
{
	return writes_context(supervisor) &&
	       supervisor->run.job.split_tokens > 0;
}

/* How many parts the output has; all workers are gone. */
static uint64_t
part_nr(const struct supervisor *supervisor)
{
	return supervisor->run.segment.control->verdict.part_nr;
}

static int
prepare_parts(struct supervisor *supervisor, const struct report *report)
{
	const struct output_parts_source source = {
		.output = &supervisor->output,
		.job = &supervisor->run.job,
		.catalogue = &supervisor->run.catalogue,
		.encoding = report->encoding,
		.sha256 = report->has_sha256 ? report->part_sha256 : NULL,
		.path = supervisor->options->output_path,
		.nr = part_nr(supervisor),
	};
	char *failed;
	int error = output_parts_prepare(&supervisor->parts, &source, &failed);
	int code = exit_cannot_write(failed, error);

	free(failed);
	return code;
}

/* All that is left of a stream: 0 or -errno. */
static int
pump_rest(struct output *output, uint64_t bytes)
{
	int result;

	while ((result = output_pump(output, bytes)) == 0)
		usleep(1000); /* the reader is slow */
	return result < 0 ? result : 0;
}

/* The plan of a run, to be written. */
struct plan {
	const struct supervisor *supervisor;
	const struct report *report;
};

static int
print_plan(const struct plan *plan, const struct tree_options *tree, FILE *out)
{
	const struct options *options = plan->supervisor->options;

	if (options->kind == JOB_TREE)
		return tree_print(plan->report, tree, out);
	return preview_print(plan->report,
			     options->order == ORDER_RANK ||
				     (options->order == ORDER_AUTO &&
				      options->query_text != NULL),
			     out);
}

static int
write_plan(void *context, int fd)
{
	const struct plan *plan = context;
	const struct options *options = plan->supervisor->options;
	const struct tree_options tree = { options->tree_threshold_tokens,
					   options->tree_depth_max };
	struct stream stream;
	int error;
	int closed;

	if (options->json && options->kind == JOB_TREE)
		return tree_print_json(plan->report, &tree, fd);
	if (options->json)
		return report_write_fd(plan->report, fd);
	error = stream_open(&stream, fd);
	if (error != 0)
		return error;
	error = print_plan(plan, &tree, stream.file);
	closed = stream_close(&stream);
	return closed != 0 ? closed : error;
}

/* A stream or a file, but not yet in its place: 0 or -errno. */
static int
write_result(struct supervisor *supervisor, const struct report *report)
{
	const struct control_shm *control = supervisor->run.segment.control;
	struct output *output = &supervisor->output;
	uint64_t bytes = control->verdict.bytes;
	const char *path = supervisor->options->output_path;
	struct plan plan = { supervisor, report };

	if (!writes_context(supervisor))
		return path == NULL ? write_plan(&plan, STDOUT_FILENO)
				    : replace_prepare(&supervisor->plan, path,
						      write_plan, &plan);
	if (output->stream_fd >= 0)
		return pump_rest(output, bytes);
	return output_is_zstd(path) ? output_deflate(output, bytes) : 0;
}

int
deliver_prepare(struct supervisor *supervisor, const struct report *report)
{
	int error;

	if (has_parts(supervisor))
		return prepare_parts(supervisor, report);
	error = write_result(supervisor, report);
	if (error == -EPIPE) {
		supervisor->has_no_reader = true;
		return 128 + SIGPIPE;
	}
	return exit_cannot_write(supervisor->options->output_path, error);
}

int
deliver_ready(struct supervisor *supervisor)
{
	const char *path = supervisor->options->output_path;
	char *failed = NULL;
	int code;

	if (!has_parts(supervisor))
		return exit_cannot_write(
			path, writes_context(supervisor)
				      ? output_ready(&supervisor->output)
				      : replace_ready(&supervisor->plan));
	code = output_parts_ready(&supervisor->parts, path, &failed);
	code = exit_cannot_write(failed, code);
	free(failed);
	return code;
}

int
deliver_commit(struct supervisor *supervisor)
{
	int error = has_parts(supervisor)
			    ? output_parts_commit(&supervisor->parts)
		    : writes_context(supervisor)
			    ? output_commit(&supervisor->output)
			    : replace_commit(&supervisor->plan);

	return exit_cannot_write(supervisor->options->output_path, error);
}
