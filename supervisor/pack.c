/* SPDX-License-Identifier: MIT */
/*
 * pack.c - one run of `bale pack`, `bale preview` or `bale tree`, from options
 *          to exit.
 */
#include <signal.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "supervisor/sandbox.h"
#include "supervisor/supervisor.h"

static void
tear_down(struct supervisor *supervisor)
{
	output_close(&supervisor->output);
	catalogue_close(&supervisor->run.catalogue);
	free(supervisor->run.outputs);
	source_list_fini(&supervisor->sources);
	segment_destroy(&supervisor->run.segment);
	if (supervisor->epoll_fd >= 0)
		close(supervisor->epoll_fd);
	if (supervisor->signal_fd >= 0)
		close(supervisor->signal_fd);
}

static void
take_options(struct supervisor *supervisor, const struct options *options)
{
	supervisor->options = options;
	supervisor->run.options = options->pack;
	supervisor->run.lane_nr = (uint32_t)options->worker_nr;
	supervisor->run.memory_bytes = options->memory_bytes;
	if (options->pack.sandbox)
		supervisor->run.shut_in = sandbox_shut_in;
	supervisor->sources.texts.fd = -1;
	supervisor->epoll_fd = -1;
	supervisor->signal_fd = -1;
	supervisor->output.fd = -1;
	supervisor->output.stream_fd = -1;
	progress_open(&supervisor->bar,
		      options->log_json && options->progress == PROGRESS_AUTO
			      ? PROGRESS_NEVER
			      : options->progress,
		      STDERR_FILENO);
}

int
supervisor_pack(const struct options *options)
{
	/* static: too large for the stack, and there is one run a process */
	static struct supervisor supervisor;
	int code;

	supervisor.begun_ns = supervisor_now_ns();
	supervisor.started_s = time(NULL);
	/* a limit on the size of files is an errno, to the arena as well */
	signal(SIGXFSZ, SIG_IGN);
	take_options(&supervisor, options);
	code = supervisor_set_up(&supervisor);
	if (code == 0) {
		code = supervisor_watch(&supervisor);
		if (code == EXIT_OUTPUT)
			supervisor_log_write_error(&supervisor);
		if (code == 0)
			code = supervisor_conclude(&supervisor);
	}
	tear_down(&supervisor);
	if (supervisor.end_signal != 0) {
		sigset_t mask;

		/* the shell sees a real death by the signal */
		signal(supervisor.end_signal, SIG_DFL);
		sigfillset(&mask);
		sigprocmask(SIG_UNBLOCK, &mask, NULL);
		raise(supervisor.end_signal);
	}
	return code;
}
