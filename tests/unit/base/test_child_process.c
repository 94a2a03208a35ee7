/* SPDX-License-Identifier: MIT */
/*
 * test_child_process.c - a helper ends with its parent, however that ends.
 *
 * Each case is a parent of its own; a pipe that only the helper holds ends when
 * the helper does.
 */
#include "tests/support/test_dir.h"

#include <poll.h>

#include "base/base.h"
#include "base/child_process.h"
#include "base/signals.h"

static int lives[2]; /* the helper holds the second end */

static void
try_code(void *arg)
{
	struct helper helper;
	int before = open_fds();
	int status;
	pid_t pid = helper_fork(&helper, false);

	if (pid == 0)
		_exit(7);
	CHILD_CHECK(pid > 0 && helper.pid == pid);
	CHILD_CHECK(helper_wait(&helper, &status) == 0);
	CHILD_CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 7);
	CHILD_CHECK(open_fds() == before);
	CHILD_CHECK(waitpid(-1, NULL, 0) < 0 && errno == ECHILD);
}

static void
try_two(void *arg)
{
	struct helper helpers[2];
	int status;

	signals_init();
	for (int i = 0; i < 2; i++) {
		pid_t pid = helper_fork(&helpers[i], i == 0);

		if (pid == 0)
			for (;;)
				pause();
		CHILD_CHECK(pid > 0);
	}
	/* in the order they came, and the end of one is not that of all */
	kill(helpers[0].pid, SIGKILL);
	CHILD_CHECK(helper_wait(&helpers[0], &status) == 0);
	CHILD_CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	CHILD_CHECK(kill(helpers[1].pid, 0) == 0);
	close(helpers[1].alarm);
	helpers[1].alarm = -1;
	CHILD_CHECK(helper_wait(&helpers[1], &status) == 0);
	/* one that had not yet begun says so by its code */
	CHILD_CHECK(WIFSIGNALED(status) ? WTERMSIG(status) == SIGKILL
					: WEXITSTATUS(status) == 128 + SIGKILL);
}

static void
test_child_process_is_waited_for(void **state)
{
	ASSERT_EQ(run_child(try_code, NULL), CHILD_OK);
	ASSERT_EQ(run_child(try_two, NULL), CHILD_OK);
}

/* A parent that says when its helper runs, and waits for its end. */
static void
be_parent(void *arg)
{
	const bool *has_names = arg;
	struct helper helper;
	pid_t pid;

	/* a shell starts what it runs in the background with this ignored */
	signal(SIGINT, SIG_DFL);
	signals_init();
	pid = helper_fork(&helper, *has_names);
	if (pid == 0) {
		if (write(lives[1], "x", 1) == 1)
			for (;;)
				pause();
		_exit(1);
	}
	close(lives[1]);
	if (pid > 0)
		for (;;)
			pause();
}

static void
end_parent(bool has_names, int signal_nr)
{
	struct pollfd end = { .events = POLLIN };
	pid_t parent;
	char c;

	ASSERT_EQ(pipe2(lives, O_CLOEXEC), 0);
	parent = start_child(be_parent, &has_names);
	close(lives[1]);
	ASSERT_EQ(read(lives[0], &c, 1), 1);
	kill(parent, signal_nr);
	ASSERT_EQ(wait_for(parent), -signal_nr);
	end.fd = lives[0];
	/* of a signal that is handled, the parent ends last */
	if (signal_nr != SIGKILL)
		ASSERT_EQ(poll(&end, 1, 0), 1);
	ASSERT_EQ(read(lives[0], &c, 1), 0);
	close(lives[0]);
}

static void
test_child_process_ends_with_its_parent(void **state)
{
	end_parent(false, SIGKILL);
	end_parent(true, SIGKILL);
	end_parent(false, SIGTERM);
	end_parent(true, SIGTERM);
	end_parent(true, SIGINT);
}

static void
try_no_core(void *arg)
{
	struct rlimit limit;

	CHILD_CHECK(child_process_no_core() == 0);
	CHILD_CHECK(getrlimit(RLIMIT_CORE, &limit) == 0);
#ifndef BALE_DEBUG
	CHILD_CHECK(limit.rlim_cur <= 1 && limit.rlim_max <= 1);
#endif
	/* a second time is no error, although the limit is lower now */
	CHILD_CHECK(child_process_no_core() == 0);
}

static void
test_child_process_has_no_core(void **state)
{
	ASSERT_EQ(run_child(try_no_core, NULL), CHILD_OK);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_child_process_is_waited_for),
		cmocka_unit_test(test_child_process_ends_with_its_parent),
		cmocka_unit_test(test_child_process_has_no_core),
	};

	return cmocka_run_group_tests_name("base/child_process", tests, NULL,
					   NULL);
}
