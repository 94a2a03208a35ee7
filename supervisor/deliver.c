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
#include <sys/signalfd.h>
#include <unistd.h>

#include "shm/diag.h"
#include "supervisor/output_parts.h"
#include "supervisor/preview.h"
#include "supervisor/replace_file.h"
#include "supervisor/report.h"
#include "supervisor/supervisor.h"
#include "supervisor/tree.h"

int
supervisor_cannot_write(const char *path, int error)
{
	char name[1024];

	if (path == NULL)
		path = "stdout";
	diag_log(DIAG_ERROR, "cannot write %s: %s%s",
		 diag_quote_text(name, sizeof(name), path), strerror(-error),
		 error == -EBUSY    ? "; is it a mount point? use > instead"
		 : error == -EMFILE ? ": more parts than files can be open "
				      "(ulimit -n); give a larger --split"
				    : "");
	return EXIT_OUTPUT;
}

/* The parts to their places: 0 or an exit code. */
static int
deliver_parts(struct supervisor *supervisor)
{
	char *failed;
	/* relaxed: all workers are gone */
	int error = output_deliver_parts(
		&supervisor->output, &supervisor->run.catalogue,
		atomic_load_explicit(&supervisor->run.segment.control->part_nr,
				     memory_order_relaxed),
		supervisor->options->output_path, &failed);

	if (error != 0)
		error = supervisor_cannot_write(failed, error);
	free(failed);
	return error;
}

int
supervisor_deliver(struct supervisor *supervisor)
{
	const struct control_shm *control = supervisor->run.segment.control;
	struct output *output = &supervisor->output;
	/* acquire: all workers are gone, all is written */
	uint64_t bytes = atomic_load_explicit(&control->verdict_bytes,
					      memory_order_acquire);
	const char *path = supervisor->options->output_path;
	int result = 1;

	if (supervisor->run.options.split_tokens > 0)
		return deliver_parts(supervisor);
	while (output->stream_fd >= 0) {
		struct signalfd_siginfo info;

		result = output_pump(output, bytes);
		if (result != 0)
			break;
		if (read(supervisor->signal_fd, &info, sizeof(info)) > 0) {
			supervisor->end_signal = (int)info.ssi_signo;
			return 128 + supervisor->end_signal;
		}
		usleep(1000); /* the reader is slow */
	}
	if (result == -EPIPE) {
		supervisor->end_signal = SIGPIPE;
		return 128 + SIGPIPE;
	}
	if (result > 0 && output->stream_fd < 0 && output_is_zstd(path)) {
		result = output_deflate(output, bytes);
		result = result == 0 ? 1 : result;
	}
	if (result > 0)
		result = output_commit(output);
	return result == 0 ? 0 : supervisor_cannot_write(path, result);
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
		supervisor_cannot_write(
			path == NULL ? "the temporary file in $TMPDIR" : path,
			-error);
}

/* The plan of a run, to be written. */
struct plan {
	const struct supervisor *supervisor;
	const struct report *report;
};

static int
print_plan(const struct plan *plan, FILE *out)
{
	const struct options *options = plan->supervisor->options;
	const struct report *report = plan->report;
	const struct tree_options tree = { options->tree_threshold_tokens,
					   options->tree_depth_max };

	if (options->command == COMMAND_TREE)
		return options->json
			       ? tree_print_json(report, &tree, fileno(out))
			       : tree_print(report, &tree, out);
	if (options->json)
		return report_write_fd(report, fileno(out));
	return preview_print(report,
			     options->order == ORDER_RANK ||
				     (options->order == ORDER_AUTO &&
				      options->query_text != NULL),
			     out);
}

static int
write_plan(void *context, int fd)
{
	int own = dup(fd);
	FILE *out = own < 0 ? NULL : fdopen(own, "w");
	int error;

	if (out == NULL) {
		error = -errno;
		if (own >= 0)
			close(own);
		return error;
	}
	error = print_plan(context, out);
	if (fclose(out) != 0 && error == 0)
		error = -errno;
	return error;
}

int
supervisor_show_plan(struct supervisor *supervisor, const struct report *report)
{
	const char *path = supervisor->options->output_path;
	struct plan plan = { supervisor, report };
	int error = path == NULL ? print_plan(&plan, stdout)
				 : replace_file(path, write_plan, &plan);

	if (error == 0)
		return 0;
	if (error == -EPIPE) {
		supervisor->end_signal = SIGPIPE;
		return 128 + SIGPIPE;
	}
	return supervisor_cannot_write(path, error);
}
