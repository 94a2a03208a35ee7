/* SPDX-License-Identifier: MIT */
/*
 * child_process.c - fork(2), a pipe that signals its end, a pidfd.
 */
#include "base/child_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/base.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/fd_io.h"
#include "base/signals.h"

/* Those there are, the newest first. */
static struct helper *helpers;

/* calls: a handler; see base/signals.h */
static void
end_all(int wait_ms)
{
	uint64_t end_ns = clock_now_ns() + (unsigned)wait_ms * NS_PER_MS;

	for (struct helper *at = helpers; at != NULL; at = at->next) {
		fd_drop(&at->alarm);
	}
	for (struct helper *at = helpers; at != NULL; at = at->next) {
		fd_wait(at->pidfd, end_ns);
		waitpid(at->pid, NULL, WNOHANG);
	}
}

/* In the child: from now on the end of the parent is that signal. */
static void
begin(int alarm, int ending, pid_t parent)
{
	struct pollfd end = { .fd = alarm };

	FAULT_STAND_FOR(parent);
	signals_reset();
	for (const struct helper *at = helpers; at != NULL; at = at->next) {
		close(at->alarm);
		close(at->pidfd);
	}
	helpers = NULL;
	prctl(PR_SET_PDEATHSIG, ending);
	fcntl(alarm, F_SETOWN, getpid());
	fcntl(alarm, F_SETSIG, ending);
	fcntl(alarm, F_SETFL, O_ASYNC);
	/* it may have come before */
	if (poll(&end, 1, 0) > 0)
		_exit(128 + ending);
}

/* In the parent, or -errno and there is no child. */
static int
take(struct helper *helper, pid_t pid, int alarm)
{
	int error;

	*helper = (struct helper){ .pid = pid, .alarm = alarm };
	helper->pidfd = pidfd_open(pid, 0);
	if (helper->pidfd < 0) {
		error = errno;
		close(alarm);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		return -error;
	}
	helper->next = helpers;
	helpers = helper;
	signals_set_hook(end_all);
	return 0;
}

/* One that ends the parent as well: nohup(1) and the like ignore some. */
static int
ending_signal(void)
{
	static const int numbers[] = { SIGTERM, SIGINT, SIGHUP, SIGQUIT };
	struct sigaction action;

	for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
		if (sigaction(numbers[i], NULL, &action) == 0 &&
		    action.sa_handler != SIG_IGN)
			return numbers[i];
	return SIGKILL;
}

pid_t
helper_fork(struct helper *helper, bool has_names)
{
	int ending = has_names ? ending_signal() : SIGKILL;
	sigset_t before;
	int ends[2];
	int error = 0;
	pid_t parent = getpid();
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return -errno;
	signals_block(&before);
	pid = fork();
	if (pid == 0) {
		close(ends[1]);
		begin(ends[0], ending, parent);
		signals_restore(&before);
		return 0;
	}
	if (pid < 0) {
		error = -errno;
		close(ends[1]);
	} else {
		error = take(helper, pid, ends[1]);
	}
	close(ends[0]);
	signals_restore(&before);
	return error < 0 ? error : pid;
}

static void
forget(const struct helper *helper)
{
	struct helper **at = &helpers;

	while (*at != helper)
		at = &(*at)->next;
	*at = helper->next;
	if (helpers == NULL)
		signals_set_hook(NULL);
}

int
helper_wait(struct helper *helper, int *status)
{
	sigset_t before;
	int error = 0;

	fd_wait(helper->pidfd, FD_NO_DEADLINE);
	/* whose number is free again is not to be waited for */
	signals_block(&before);
	forget(helper);
	while (waitpid(helper->pid, status, 0) < 0 && error == 0)
		error = errno == EINTR ? 0 : -errno;
	close(helper->alarm);
	close(helper->pidfd);
	signals_restore(&before);
	return error;
}

void *
helper_memory(size_t bytes)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

int
child_process_no_core(void)
{
#ifndef BALE_DEBUG
	const struct rlimit one_byte = { .rlim_cur = 1, .rlim_max = 1 };

	if (setrlimit(RLIMIT_CORE, &one_byte) == 0)
		return 0;
	/* a lower hard limit was there before: as good, where files go */
	return errno == EPERM ? 0 : -errno;
#else
	return 0;
#endif
}
