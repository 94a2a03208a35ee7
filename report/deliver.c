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

/* How many parts the output has. relaxed: all workers are gone */
static uint64_t
part_nr(const struct supervisor *supervisor)
{
	return atomic_load_explicit(&supervisor->run.segment.control->part_nr,
				    memory_order_relaxed);
}

static int
prepare_parts(struct supervisor *supervisor, const struct report *report)
{
	const struct output_parts_source source = {
		.output = &supervisor->output,
		.options = &supervisor->run.options,
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

int
supervisor_prepare_output(struct supervisor *supervisor,
			  const struct report *report)
{
	const struct control_shm *control = supervisor->run.segment.control;
	struct output *output = &supervisor->output;
	/* acquire: all workers are gone, all is written */
	uint64_t bytes = atomic_load_explicit(&control->verdict_bytes,
					      memory_order_acquire);
	const char *path = supervisor->options->output_path;
	int error = 0;

	if (supervisor->run.options.split_tokens > 0)
		return prepare_parts(supervisor, report);
	if (output->stream_fd >= 0)
		error = pump_rest(output, bytes);
	else if (output_is_zstd(path))
		error = output_deflate(output, bytes);
	if (error == -EPIPE) {
		supervisor->has_no_reader = true;
		return 128 + SIGPIPE;
	}
	return exit_cannot_write(path, error);
}

int
supervisor_ready_output(struct supervisor *supervisor)
{
	const char *path = supervisor->options->output_path;
	char *failed = NULL;
	int code;

	if (supervisor->run.options.split_tokens == 0)
		return exit_cannot_write(path,
					 output_ready(&supervisor->output));
	code = output_parts_ready(&supervisor->parts, path, &failed);
	code = exit_cannot_write(failed, code);
	free(failed);
	return code;
}

int
supervisor_commit_output(struct supervisor *supervisor)
{
	return exit_cannot_write(
		supervisor->options->output_path,
		supervisor->run.options.split_tokens > 0
			? output_parts_commit(&supervisor->parts)
			: output_commit(&supervisor->output));
}

void
supervisor_log_write_error(const struct supervisor *supervisor)
{
	const struct control_shm *control = supervisor->run.segment.control;
	/* relaxed: the format worker is dead */
	int error = atomic_load_explicit(&control->write_error,
					 memory_order_relaxed);
	const char *path = supervisor->options->output_path;

	/* 0: it was the stream, and that has been said */
	if (error != 0)
		exit_cannot_write(path == NULL ? "the temporary file in $TMPDIR"
					       : path,
				  -error);
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

int
supervisor_prepare_plan(struct supervisor *supervisor,
			const struct report *report)
{
	const char *path = supervisor->options->output_path;
	struct plan plan = { supervisor, report };
	int error = path == NULL ? write_plan(&plan, STDOUT_FILENO)
				 : replace_prepare(&supervisor->plan, path,
						   write_plan, &plan);

	if (error == -EPIPE) {
		supervisor->has_no_reader = true;
		return 128 + SIGPIPE;
	}
	return exit_cannot_write(path, error);
}

int
supervisor_ready_plan(struct supervisor *supervisor)
{
	return exit_cannot_write(supervisor->options->output_path,
				 replace_ready(&supervisor->plan));
}

int
supervisor_commit_plan(struct supervisor *supervisor)
{
	return exit_cannot_write(supervisor->options->output_path,
				 replace_commit(&supervisor->plan));
}
