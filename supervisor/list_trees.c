/* SPDX-License-Identifier: MIT */
/*
 * list_trees.c - what collect finds in a process of its own, shut in as the
 * collector is, before the first worker: files, or past commits.
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

/* What the process is for; one of the two. */
struct listing {
	source_file_fn *fn;
	void *context;
	struct commit_tasks *tasks;
};

/* Exits with 0 or an errno. */
static _Noreturn void
be_lister(const struct run *trees, const struct listing *listing)
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
	if (error == 0 && listing->tasks != NULL)
		error = stage_list_commits(&run, listing->tasks);
	else if (error == 0)
		error = stage_list_files(&run, listing->fn, listing->context);
	_exit(error < 0 ? -error : 0);
}

static int
list(const struct run *trees, uint64_t deadline_ns,
     const struct listing *listing)
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
		be_lister(trees, listing);
	is_over = fd_wait(helper.pidfd, deadline_ns) == 0;
	if (!is_over)
		kill(pid, SIGKILL);
	if (helper_wait(&helper, &status) != 0 || !WIFEXITED(status))
		return is_over ? -ECHILD : -ETIMEDOUT;
	return -WEXITSTATUS(status);
}

int
list_trees(const void *trees, uint64_t deadline_ns, source_file_fn *fn,
	   void *context)
{
	const struct listing listing = { .fn = fn, .context = context };

	return list(trees, deadline_ns, &listing);
}

int
list_commits(const struct run *trees, uint64_t deadline_ns,
	     struct commit_tasks *tasks)
{
	const struct listing listing = { .tasks = tasks };

	return list(trees, deadline_ns, &listing);
}
