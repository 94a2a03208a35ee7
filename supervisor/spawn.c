/* SPDX-License-Identifier: MIT */
/*
 * spawn.c - forking a worker, or the one that takes its place.
 *
 * Order in the child: signals, death with the parent, its name and last
 * words, descriptors it has no use for; then the loop, which shuts it in.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.h"
#include "base/diag.h"
#include "base/fault.h"
#include "base/fd_io.h"
#include "base/signals.h"
#include "shm/stats.h"
#include "supervisor/sandbox.h"
#include "supervisor/supervisor.h"

void
supervisor_name(const struct supervisor *supervisor, uint32_t idx, char *out,
		size_t size)
{
	enum stage_id stage;
	uint32_t lane;

	stage_of_worker(idx, supervisor->run.lane_nr, &stage, &lane);
	if (stage_table[stage].per_lane)
		snprintf(out, size, "%s.%u", stage_table[stage].name, lane);
	else
		snprintf(out, size, "%s", stage_table[stage].name);
}

/* Ctrl-C reaches the whole group; only the supervisor acts on it. */
static void
set_signals(void)
{
	static const int ignored[] = { SIGINT,  SIGTERM, SIGHUP,
				       SIGPIPE, SIGQUIT, SIGXFSZ };
	sigset_t none;

	signals_reset();
	for (size_t i = 0; i < ARRAY_LEN(ignored); i++)
		signal(ignored[i], SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

static void
close_descriptors(const struct supervisor *supervisor, enum stage_id stage)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	close(supervisor->epoll_fd);
	for (uint32_t i = 0; i < supervisor->worker_slot_nr; i++)
		if (supervisor->worker_slots[i].pid != 0)
			close(supervisor->worker_slots[i].pidfd);
	if (supervisor->output.stream_fd > STDERR_FILENO)
		close(supervisor->output.stream_fd);
	fd_close(supervisor->output.target.file.dir_fd);
	if (stage != STAGE_FORMAT)
		close(supervisor->output.fd);
	if (stage != STAGE_COLLECT && supervisor->run.lanes_fd > 0)
		close(supervisor->run.lanes_fd);
	if (null < 0)
		return;
	/* a pipe's reader must see the end when the supervisor ends */
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	close(null);
}

/* What a worker is called. */
struct names {
	char speaker[40]; /* in log lines */
	char title[16];   /* in ps(1) */
	char name[32];
};

/* Before the fork: each page that a worker touches is one to map anew. */
static void
make_names(const struct supervisor *supervisor, uint32_t idx,
	   struct names *names)
{
	supervisor_name(supervisor, idx, names->name, sizeof(names->name));
	snprintf(names->title, sizeof(names->title), "bale:%.10s", names->name);
	snprintf(names->speaker, sizeof(names->speaker), "bale: %s",
		 names->name);
}

static _Noreturn void
be_worker(struct supervisor *supervisor, uint32_t idx, pid_t parent,
	  const struct names *names)
{
	struct worker_shm *shm = segment_worker(&supervisor->run.segment, idx);
	enum stage_id stage;
	uint32_t lane;

	set_signals();
	/* looked at again after: the parent may have died in between */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(WORKER_EXIT_ORPHAN);
	stage_of_worker(idx, supervisor->run.lane_nr, &stage, &lane);
	prctl(PR_SET_NAME, names->title);
	diag_set_name(names->speaker);
	diag_keep_warnings(NULL);
	diag_set_panic_slot(shm->panic, sizeof(shm->panic));
#ifdef BALE_DEBUG
	fault_init(names->name, &shm->fault_hits);
#endif
	close_descriptors(supervisor, stage);
	if (child_process_no_core() != 0)
		_exit(WORKER_EXIT_SANDBOX);
	_exit(worker_run(&supervisor->run, stage, lane));
}

/* A child that nobody can wait for is none: -error. */
static int
unspawn(struct worker_slot *worker_slot, pid_t pid, int error)
{
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	fd_close(worker_slot->pidfd);
	return -error;
}

/* The child and how to wait for it: 0 or -errno, and there is none. */
static int
fork_worker(struct supervisor *supervisor, uint32_t idx)
{
	struct worker_slot *worker_slot = &supervisor->worker_slots[idx];
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = idx };
	struct names names;
	pid_t parent = getpid();
	pid_t pid;

	make_names(supervisor, idx, &names);
	pid = fork();
	if (pid == 0)
		be_worker(supervisor, idx, parent, &names);
	if (pid < 0)
		return -errno;
	worker_slot->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (worker_slot->pidfd < 0 ||
	    epoll_ctl(supervisor->epoll_fd, EPOLL_CTL_ADD, worker_slot->pidfd,
		      &event) != 0)
		return unspawn(worker_slot, pid, errno);
	worker_slot->pid = pid;
	return 0;
}

int
supervisor_spawn(struct supervisor *supervisor, uint32_t idx)
{
	struct worker_slot *worker_slot = &supervisor->worker_slots[idx];
	struct worker_shm *shm = segment_worker(&supervisor->run.segment, idx);
	sigset_t before;
	int error;

	/* relaxed: the child sees it by the fork */
	store_relaxed(&shm->ready, 0);
	add_relaxed(&shm->incarnation, 1);
	worker_slot->pid = 0;
	/* a signal finds the child in the table, and none in the child */
	signals_block(&before);
	error = fork_worker(supervisor, idx);
	signals_restore(&before);
	if (error != 0)
		return error;
	worker_slot->is_stuck = false;
	worker_slot->is_waiting = false;
	/* relaxed: what was beaten before does not count */
	liveness_begin(&worker_slot->liveness, load_relaxed(&shm->heartbeat));
	return 0;
}
