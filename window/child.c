/* SPDX-License-Identifier: MIT */
/*
 * child.c - posix_spawn(3), two pipes, a pidfd and a deadline.
 */
#include "window/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/fd_io.h"
#include "base/signals.h"
#include "window/outside.h"
#include "window/window_impl.h"

const struct outside *outside;

#define READ_BYTES 65536

extern char **environ;

/* A command at work. Descriptors are -1 when closed. */
struct child {
	const struct child_spec *spec;
	pid_t pid;
	int pidfd;
	int in;  /* we write, it reads */
	int out; /* it writes, we read */
	int signals;
	size_t written;
	char *output; /* while `to_output` is open, its own */
	size_t output_bytes;
	FILE *to_output;
	uint64_t deadline_ms;
};

/*
 * What the command begins with: 0 and 1 are the pipes, 2 is ours, all others
 * are closed; no signal is blocked or ignored; a group of its own.
 */
static int
set_up(posix_spawn_file_actions_t *actions, posix_spawnattr_t *attributes,
       int in, int out)
{
	sigset_t none;
	sigset_t all;
	int error;

	sigemptyset(&none);
	sigfillset(&all);
	error = posix_spawn_file_actions_adddup2(actions, in, STDIN_FILENO);
	if (error == 0)
		error = posix_spawn_file_actions_adddup2(actions, out,
							 STDOUT_FILENO);
	if (error == 0)
		error = posix_spawn_file_actions_addclosefrom_np(actions, 3);
	if (error == 0)
		error = posix_spawnattr_setsigmask(attributes, &none);
	if (error == 0)
		error = posix_spawnattr_setsigdefault(attributes, &all);
	if (error == 0)
		error = posix_spawnattr_setflags(attributes,
						 POSIX_SPAWN_SETSIGMASK |
							 POSIX_SPAWN_SETSIGDEF |
							 POSIX_SPAWN_SETPGROUP);
	return error;
}

static int
spawn_shell(struct child *child, int in, int out)
{
	/* posix_spawn(3) does not write to its arguments */
	char *argv[] = { (char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c",
			 (char *)(uintptr_t)child->spec->command, NULL };
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int error = posix_spawn_file_actions_init(&actions);

	if (error != 0)
		return error;
	error = posix_spawnattr_init(&attributes);
	if (error == 0) {
		error = set_up(&actions, &attributes, in, out);
		if (error == 0)
			error = posix_spawn(&child->pid, "/bin/sh", &actions,
					    &attributes, argv, environ);
		posix_spawnattr_destroy(&attributes);
	}
	posix_spawn_file_actions_destroy(&actions);
	return error;
}

/* 0 or errno; whoever called closes what is open. */
static int
start(struct child *child)
{
	int to[2] = { -1, -1 };
	int from[2] = { -1, -1 };
	int error = 0;

	if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
		error = errno;
	child->in = to[1];
	child->out = from[0];
	if (error == 0)
		error = spawn_shell(child, to[0], from[1]);
	fd_drop(&to[0]);
	fd_drop(&from[1]);
	if (error != 0)
		return error;
	fcntl(child->in, F_SETFL, O_NONBLOCK);
	fcntl(child->out, F_SETFL, O_NONBLOCK);
	child->pidfd = pidfd_open(child->pid, 0);
	return child->pidfd < 0 ? errno : 0;
}

static void
feed(struct child *child)
{
	const struct child_spec *spec = child->spec;

	while (child->written < spec->input_bytes) {
		ssize_t n = write(child->in, spec->input + child->written,
				  spec->input_bytes - child->written);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0) /* EPIPE: it has read what it wants */
			break;
		child->written += (size_t)n;
	}
	fd_drop(&child->in);
}

/* Takes what is there; 0, or errno: EFBIG, ENOMEM. */
static int
drain(struct child *child)
{
	char *bytes = malloc(READ_BYTES);
	int error = bytes == NULL ? ENOMEM : 0;

	while (error == 0 && child->out >= 0) {
		ssize_t n = read(child->out, bytes, READ_BYTES);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		if (n <= 0) {
			fd_drop(&child->out);
			break;
		}
		if (fwrite(bytes, 1, (size_t)n, child->to_output) !=
			    (size_t)n ||
		    fflush(child->to_output) != 0)
			error = ENOMEM;
		else if (child->output_bytes > child->spec->output_max_bytes)
			error = EFBIG;
	}
	free(bytes);
	return error;
}

/*
 * Until the command is over: 0, ETIMEDOUT, EFBIG, EINTR, ENOMEM. What it left behind
 * in the background does not keep us, though it may hold the pipe open.
 */
static int
attend(struct child *child)
{
	for (;;) {
		/* poll(2) passes over descriptors below 0 */
		struct pollfd fds[] = {
			{ .fd = child->pidfd, .events = POLLIN },
			{ .fd = child->in, .events = POLLOUT },
			{ .fd = child->out, .events = POLLIN },
			{ .fd = child->signals, .events = POLLIN },
			{ .fd = child->spec->cancel_fd > 0
					? child->spec->cancel_fd
					: -1,
			  .events = POLLIN },
		};
		uint64_t now = clock_now_ns() / NS_PER_MS;
		int error;

		if (now >= child->deadline_ms)
			return ETIMEDOUT;
		if (poll(fds, ARRAY_LEN(fds),
			 (int)min_u64(child->deadline_ms - now, 60000)) < 0 &&
		    errno != EINTR)
			return errno;
		if (fds[3].revents != 0 || fds[4].revents != 0)
			return EINTR;
		if (child->in >= 0 && fds[1].revents != 0)
			feed(child);
		error = drain(child);
		if (error != 0)
			return error;
		if ((fds[0].revents & POLLIN) != 0)
			return drain(child);
	}
}

static void
take_end(struct child *child, int error, struct child_result *out)
{
	int status = 0;

	/* the group outlives its leader until that is waited for */
	kill(-child->pid, SIGKILL);
	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (error == ETIMEDOUT) {
		out->end = CHILD_TIMEOUT;
	} else if (error == EFBIG) {
		out->end = CHILD_TOO_MUCH;
	} else if (error == EINTR) {
		out->end = CHILD_ENDED;
	} else if (error != 0) {
		out->end = CHILD_NOT_RUN;
		out->detail = error;
	} else if (WIFSIGNALED(status)) {
		out->end = CHILD_SIGNALED;
		out->detail = WTERMSIG(status);
	} else if (WEXITSTATUS(status) != 0) {
		out->end = CHILD_EXITED;
		out->detail = WEXITSTATUS(status);
	} else {
		out->output_bytes = child->output_bytes;
		out->output = text_end(child->to_output, &child->output);
		child->to_output = NULL;
		child->output = NULL;
		if (out->output == NULL) {
			out->end = CHILD_NOT_RUN;
			out->detail = ENOMEM;
		}
	}
}

/* Takes a SIGPIPE of ours out of the queue and lets signals in again. */
static void
end_quiet(const sigset_t *before, bool was_pending)
{
	const struct timespec at_once = { 0 };
	sigset_t pipe_only;

	sigemptyset(&pipe_only);
	sigaddset(&pipe_only, SIGPIPE);
	while (!was_pending && sigtimedwait(&pipe_only, NULL, &at_once) < 0 &&
	       errno == EINTR)
		;
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

/*
 * Keeps SIGPIPE and what would end us from this thread; tells whether a
 * SIGPIPE was there before.
 */
static bool
begin_quiet(struct child *child, sigset_t *before)
{
	sigset_t pending;
	sigset_t deadly;
	sigset_t all;

	signals_ending(&deadly);
	all = deadly;
	sigaddset(&all, SIGPIPE);
	sigpending(&pending);
	pthread_sigmask(SIG_BLOCK, &all, before);
	child->signals = signalfd(-1, &deadly, SFD_CLOEXEC | SFD_NONBLOCK);
	return sigismember(&pending, SIGPIPE) == 1;
}

void
child_run(const struct child_spec *spec, struct child_result *out)
{
	struct child child = {
		.spec = spec,
		.pidfd = -1,
		.in = -1,
		.out = -1,
		.signals = -1,
		.deadline_ms = clock_now_ns() / NS_PER_MS + spec->time_limit_ms,
	};
	sigset_t before;
	bool was_pending;
	int error;

	if (outside != NULL) {
		outside->run(spec, out);
		return;
	}
	was_pending = begin_quiet(&child, &before);
	*out = (struct child_result){ .end = CHILD_DONE };
	child.to_output = open_memstream(&child.output, &child.output_bytes);
	error = child.to_output == NULL ? ENOMEM : start(&child);
	if (child.pid != 0) {
		if (error == 0)
			error = attend(&child);
		take_end(&child, error, out);
	} else {
		out->end = CHILD_NOT_RUN;
		out->detail = error;
	}
	fd_drop(&child.in);
	fd_drop(&child.out);
	fd_drop(&child.pidfd);
	fd_drop(&child.signals);
	if (child.to_output != NULL)
		fclose(child.to_output);
	free(child.output);
	end_quiet(&before, was_pending);
}

const char *
child_explain(char *out, size_t size, const struct child_spec *spec,
	      const struct child_result *result)
{
	switch (result->end) {
	case CHILD_DONE:
		snprintf(out, size, "ended well");
		break;
	case CHILD_EXITED:
		snprintf(out, size, "ended with exit code %d", result->detail);
		break;
	case CHILD_SIGNALED:
		snprintf(out, size, "was killed by signal %d", result->detail);
		break;
	case CHILD_TIMEOUT:
		snprintf(out, size, "ran longer than %ju ms",
			 spec->time_limit_ms);
		break;
	case CHILD_TOO_MUCH:
		snprintf(out, size, "wrote more than %zu bytes",
			 spec->output_max_bytes);
		break;
	case CHILD_ENDED:
		snprintf(out, size, "was killed, because bale is ending");
		break;
	case CHILD_NOT_RUN:
		snprintf(out, size, "could not be run: %s",
			 strerrordesc_np(result->detail));
		break;
	}
	return out;
}
