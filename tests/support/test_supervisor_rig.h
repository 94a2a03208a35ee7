/* SPDX-License-Identifier: MIT */
/*
 * test_supervisor_rig.h - a supervisor of workers that do what a test says.
 *
 * The stages are the test's own (fake_stages.h); what a worker does, and what
 * it finds, is in memory that it shares with the test.
 */
#ifndef TESTS_SUPPORT_TEST_SUPERVISOR_RIG_H
#define TESTS_SUPPORT_TEST_SUPERVISOR_RIG_H

#include "tests/support/test_log.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/resource.h>

#include "stages/worker.h"
#include "supervisor/supervisor.h"

/* What the next worker of a stage does, and what it was. */
struct told {
	_Atomic int exit_code;   /* 1 + what it ends with, at its first step */
	_Atomic int deaths_left; /* so often it kills itself first */
	_Atomic int early;       /* 1: before it is ready */
	_Atomic int ends;        /* 1: of select: it ends the run */
	_Atomic int steps;       /* that were taken by all of them */
	_Atomic pid_t pid;       /* the last one */
};

static struct told *told;  /* one a stage */
static void (*look)(void); /* by the worker, in its init */

static int
fake_init(struct worker *worker)
{
	struct told *own = &told[worker->stage];

	own->pid = getpid();
	if (look != NULL)
		look();
	if (own->early && own->deaths_left > 0) {
		own->deaths_left--;
		raise(SIGKILL);
	}
	return 0;
}

/* When all have taken a step, and nobody is to die any more. */
static void
end_run(struct worker *worker)
{
	for (int stage = 0; stage < STAGE_NR; stage++)
		if (told[stage].steps == 0 || told[stage].deaths_left > 0)
			return;
	atomic_store(&worker->run->segment.control->done, 1);
	for (int stage = 0; stage < STAGE_NR; stage++)
		worker_wake_stage(worker, (enum stage_id)stage);
}

static int
fake_step(struct worker *worker)
{
	struct told *own = &told[worker->stage];

	own->steps++;
	if (own->deaths_left > 0) {
		own->deaths_left--;
		abort();
	}
	if (own->exit_code > 0)
		_exit(own->exit_code - 1);
	if (worker->stage == STAGE_SELECT && own->ends)
		end_run(worker);
	return STEP_AGAIN;
}

static int
fake_flush(struct worker *worker)
{
	(void)worker;
	return STEP_DONE;
}

#define FAKE                                                         \
	{                                                            \
		fake_init, fake_step, fake_flush, fake_step, NULL, 8 \
	}

static const struct stage_ops fake_ops[STAGE_NR] = { FAKE, FAKE, FAKE,
						     FAKE, FAKE, FAKE };

#include "tests/support/fake_stages.h"

/* As there is no collect, no tree has files. */
int
stage_list_files(const struct run *run, source_file_fn *fn, void *context)
{
	(void)run, (void)fn, (void)context;
	return 0;
}

int
stage_list_commits(const struct run *run, struct commit_tasks *tasks)
{
	(void)run, (void)tasks;
	return 0;
}

static struct supervisor supervisor;
static struct options options;

static inline int
supervisor_set(void **state)
{
	(void)state;
	told = mmap(NULL, STAGE_NR * sizeof(*told), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_TRUE(told != MAP_FAILED);
	look = NULL;
	options = (struct options){ .stage_timeout_s = 60 };
	supervisor = (struct supervisor){ .options = &options,
					  .output = OUTPUT_NONE,
					  .bar.fd = -1 };
	ASSERT_EQ(fake_run_create(&supervisor.run, 2, 4), 0);
	ASSERT_EQ(catalogue_create(&supervisor.run.catalogue), 0);
	supervisor.worker_slot_nr = stage_worker_nr(2);
	supervisor.epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	ASSERT_TRUE(supervisor.epoll_fd >= 0);
	log_begin(DIAG_INFO);
	return 0;
}

static inline int
supervisor_end(void **state)
{
	(void)state;
	supervisor_kill_all(&supervisor, DEATH_MS);
	close(supervisor.epoll_fd);
	catalogue_close(&supervisor.run.catalogue);
	fake_run_destroy(&supervisor.run);
	munmap(told, STAGE_NR * sizeof(*told));
	return 0;
}

static inline uint32_t
worker_idx(enum stage_id stage, uint32_t lane)
{
	return stage_worker_idx(stage, lane, supervisor.run.lane_nr);
}

/* From now on so many more descriptors can be open. */
static inline void
limit_descriptors(int more)
{
	int first = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct rlimit limit;

	ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
	limit.rlim_cur = (rlim_t)(first + more);
	close(first);
	ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

#define SUPERVISOR_CASE(name) \
	cmocka_unit_test_setup_teardown(name, supervisor_set, supervisor_end)

#endif
