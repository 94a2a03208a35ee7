/* SPDX-License-Identifier: MIT */
/*
 * list_trees.c - collect's walk in a process of its own, shut in as the
 * collector is, before the first worker.
 */
#include "supervisor/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.h"
#include "base/fault.h"
#include "base/fd_io.h"
#include "stages/run.h"

/* Passes of fault points are counted over all calls. */
static void
share_faults(bool is_child)
{
#ifdef BALE_DEBUG
	static void *hits;

	if (is_child)
		fault_init("find", hits);
	else if (hits == NULL)
		hits = helper_memory(CACHE_LINE_BYTES);
#else
	(void)is_child;
#endif
}

/* Exits with 0 or an errno. */
static _Noreturn void
walk(const struct run *trees, source_file_fn *fn, void *context)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct run run = *trees;
	int error;

	if (null < 0)
		_exit(WORKER_EXIT_ORPHAN);
	prctl(PR_SET_NAME, "bale:find");
	share_faults(true);
	/* what is wrong with the trees the collector will say */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	/* there is no catalogue yet: no descriptor is one of its tables */
	memset(&run.catalogue, 0xff, sizeof(run.catalogue));
	run.output_fd = -1;
	error = child_process_no_core();
	if (error == 0)
		error = stage_list_files(&run, fn, context);
	_exit(error < 0 ? -error : 0);
}

int
list_trees(const void *trees, uint64_t deadline_ns, source_file_fn *fn,
	   void *context)
{
	struct helper helper;
	bool is_over;
	int status;
	pid_t pid;

	share_faults(false);
	pid = helper_fork(&helper, false);
	if (pid < 0)
		return pid;
	if (pid == 0)
		walk(trees, fn, context);
	is_over = fd_wait(helper.pidfd, deadline_ns) == 0;
	if (!is_over)
		kill(pid, SIGKILL);
	if (helper_wait(&helper, &status) != 0 || !WIFEXITED(status))
		return is_over ? -ECHILD : -ETIMEDOUT;
	return -WEXITSTATUS(status);
}
