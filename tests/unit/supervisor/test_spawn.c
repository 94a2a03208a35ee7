/* SPDX-License-Identifier: MIT */
/*
 * test_spawn.c - what a forked worker is, and that none is left that nobody
 * can wait for.
 */
#include "tests/support/test_supervisor_rig.h"

#include <sys/stat.h>

/* What a worker finds when it begins. */
static struct found {
	pid_t parent;
	pid_t pid;
	char title[16];
	int death_signal;
	bool ignores_int;
	bool ignores_pipe;
	bool dies_of_usr1;
	bool is_blocked; /* SIGTERM */
	bool has_events; /* the supervisor's descriptor */
	bool reads_null;
	bool has_output;
	rlim_t core;
} * found;

static int inherited_fd;

static void
look_around(void)
{
	struct rlimit core;
	sigset_t blocked;
	struct stat null;
	struct stat in;

	found->pid = getpid();
	found->parent = getppid();
	prctl(PR_GET_NAME, found->title);
	prctl(PR_GET_PDEATHSIG, &found->death_signal);
	found->ignores_int = signal(SIGINT, SIG_DFL) == SIG_IGN;
	found->ignores_pipe = signal(SIGPIPE, SIG_DFL) == SIG_IGN;
	found->dies_of_usr1 = signal(SIGUSR1, SIG_DFL) == SIG_DFL;
	sigprocmask(SIG_BLOCK, NULL, &blocked);
	found->is_blocked = sigismember(&blocked, SIGTERM);
	found->has_events = fcntl(supervisor.epoll_fd, F_GETFD) >= 0;
	found->has_output = fcntl(inherited_fd, F_GETFD) >= 0;
	found->reads_null = fstat(STDIN_FILENO, &in) == 0 &&
			    stat("/dev/null", &null) == 0 &&
			    in.st_rdev == null.st_rdev;
	getrlimit(RLIMIT_CORE, &core);
	found->core = core.rlim_cur;
}

static void
spawn(enum stage_id stage, uint32_t lane)
{
	uint32_t idx = worker_idx(stage, lane);

	told[stage].steps = 0;
	ASSERT_EQ(supervisor_spawn(&supervisor, idx), 0);
	while (told[stage].steps == 0)
		sched_yield();
}

static void
test_spawn_names_workers_by_stage_and_lane(void **state)
{
	char name[32];

	supervisor_name(&supervisor, worker_idx(STAGE_COUNT, 1), name,
			sizeof(name));
	assert_string_equal(name, "count.1");
	supervisor_name(&supervisor, worker_idx(STAGE_DEDUP, 0), name,
			sizeof(name));
	assert_string_equal(name, "dedup");
}

/* It dies with its parent, and of no signal that is the supervisor's. */
static void
test_spawn_makes_a_worker_that_is_alone(void **state)
{
	struct worker_slot *slot =
		&supervisor.worker_slots[worker_idx(STAGE_CHUNK, 1)];

	look = look_around;
	inherited_fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	supervisor.output.fd = inherited_fd;
	slot->is_stuck = true;
	slot->is_waiting = true;
	spawn(STAGE_CHUNK, 1);
	ASSERT_TRUE(slot->pid > 0);
	ASSERT_EQ(found->pid, slot->pid);
	ASSERT_EQ(found->parent, getpid());
	assert_string_equal(found->title, "bale:chunk.1");
	ASSERT_EQ(found->death_signal, SIGKILL);
	ASSERT_TRUE(found->ignores_int && found->ignores_pipe);
	ASSERT_TRUE(found->dies_of_usr1 && !found->is_blocked);
	ASSERT_TRUE(!found->has_events && found->reads_null);
	ASSERT_TRUE(!found->has_output);
	/* a byte: no file, and no program that the kernel would pipe it to */
	ASSERT_TRUE(found->core <= 1);
	/* what was of the one before does not count any more */
	ASSERT_TRUE(!slot->is_stuck && !slot->is_waiting);
	ASSERT_EQ(fake_worker_shm(&supervisor.run, STAGE_CHUNK, 1)->incarnation,
		  1);
	/* format alone has the output */
	spawn(STAGE_FORMAT, 0);
	ASSERT_TRUE(found->has_output);
	supervisor.output.fd = -1;
	close(inherited_fd);
}

/* Its end is seen by what it can be waited for. */
static void
test_spawn_makes_a_worker_that_can_be_waited_for(void **state)
{
	struct worker_slot *slot =
		&supervisor.worker_slots[worker_idx(STAGE_DEDUP, 0)];
	struct epoll_event event = { .events = 0 };

	spawn(STAGE_DEDUP, 0);
	ASSERT_EQ(epoll_wait(supervisor.epoll_fd, &event, 1, 0), 0);
	kill(slot->pid, SIGKILL);
	ASSERT_EQ(epoll_wait(supervisor.epoll_fd, &event, 1, 5000), 1);
	ASSERT_EQ(event.data.u32, worker_idx(STAGE_DEDUP, 0));
	ASSERT_EQ(wait_for(slot->pid), -SIGKILL);
	close(slot->pidfd);
	slot->pid = 0;
	/* another in its place */
	spawn(STAGE_DEDUP, 0);
	ASSERT_EQ(fake_worker_shm(&supervisor.run, STAGE_DEDUP, 0)->incarnation,
		  2);
}

/* A child that cannot be waited for is not left behind. */
static void
test_spawn_that_fails_leaves_no_child(void **state)
{
	struct worker_slot *slot =
		&supervisor.worker_slots[worker_idx(STAGE_DEDUP, 0)];
	int events = supervisor.epoll_fd;

	supervisor.epoll_fd = -1;
	ASSERT_EQ(supervisor_spawn(&supervisor, worker_idx(STAGE_DEDUP, 0)),
		  -EBADF);
	ASSERT_EQ(slot->pid, 0);
	ASSERT_EQ(waitpid(-1, NULL, WNOHANG), -1);
	ASSERT_EQ(errno, ECHILD);
	supervisor.epoll_fd = events;
}

static int
set_up(void **state)
{
	if (found == NULL)
		found = mmap(NULL, sizeof(*found), PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(found != MAP_FAILED);
	supervisor_set(state);
	atomic_store(&supervisor.run.segment.control->pass, PASS_FIRST);
	return 0;
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, supervisor_end)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_spawn_names_workers_by_stage_and_lane),
		CASE(test_spawn_makes_a_worker_that_is_alone),
		CASE(test_spawn_makes_a_worker_that_can_be_waited_for),
		CASE(test_spawn_that_fails_leaves_no_child),
	};

	return cmocka_run_group_tests_name("supervisor/spawn", tests, NULL,
					   NULL);
}
