/* SPDX-License-Identifier: MIT */
/*
 * test_shm_signals.c - a signal ends a process, and nothing is left.
 *
 * Each case is a child that gets its signals from itself.
 */
#include "tests/support/test_dir.h"

#include <poll.h>

#include "base/base.h"
#include "base/signals.h"

#define CHECK CHILD_CHECK

/* How a child ended: its exit code, or minus its signal. */
static int
run(void (*fn)(void *))
{
	int here = AT_FDCWD;

	return run_child(fn, &here);
}

static const int handled[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU };

static int
list(const char *name, bool is_dir)
{
	sigset_t before;
	int number;

	signals_block(&before);
	number = signals_list(AT_FDCWD, name, is_dir);
	signals_restore(&before);
	return number;
}

static void
die_with_names(void *arg)
{
	signals_init();
	list("file", false);
	list("dir", true);
	list("none", false);
	raise(*(int *)arg);
}

static void
test_signals_end_the_process_and_take_names_away(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(handled); i++) {
		int signal_nr = handled[i];

		dir_write("file", "x");
		dir_write("user", "x");
		ASSERT_EQ(mkdir("dir", 0777), 0);
		dir_write("dir/a", "x");
		dir_write("dir/.b", "x");
		ASSERT_EQ(run_child(die_with_names, &signal_nr), -signal_nr);
		ASSERT_NAMES(".", "user");
	}
}

/* More than one getdents64(2) gives at a time. */
static void
test_signals_take_away_a_directory_of_many_files(void **state)
{
	int signal_nr = SIGINT;
	char name[64];

	ASSERT_EQ(mkdir("dir", 0777), 0);
	for (int i = 0; i < 1500; i++) {
		snprintf(name, sizeof(name), "dir/a-name-of-some-length-%d", i);
		dir_write(name, "");
	}
	ASSERT_EQ(run_child(die_with_names, &signal_nr), -SIGINT);
	ASSERT_NAMES(".", "");
}

static void
die_unlisted(void *arg)
{
	(void)arg;
	signals_init();
	signals_unlist(list("file", false));
	raise(SIGTERM);
}

static void
test_signals_leave_what_is_not_listed(void **state)
{
	dir_write("file", "x");
	ASSERT_EQ(run(die_unlisted), -SIGTERM);
	ASSERT_NAMES(".", "file");
}

/* A link in the place of a directory is not followed. */
static void
test_signals_follow_no_link(void **state)
{
	int signal_nr = SIGINT;

	ASSERT_EQ(mkdir("user", 0777), 0);
	dir_write("user/a", "x");
	ASSERT_EQ(symlink("user", "dir"), 0);
	ASSERT_EQ(run_child(die_with_names, &signal_nr), -SIGINT);
	ASSERT_NAMES("user", "a");
}

static void
ignore_all(void *arg)
{
	(void)arg;
	for (size_t i = 0; i < ARRAY_LEN(handled); i++)
		signal(handled[i], SIG_IGN);
	signals_init();
	list("file", false);
	for (size_t i = 0; i < ARRAY_LEN(handled); i++)
		raise(handled[i]);
	signals_unlist(0);
	for (size_t i = 0; i < ARRAY_LEN(handled); i++)
		raise(handled[i]);
}

static void
test_signals_that_are_ignored_stay_so(void **state)
{
	dir_write("file", "x");
	ASSERT_EQ(run(ignore_all), 0);
	ASSERT_NAMES(".", "file");
}

/* The kernel ends who waits for a disk only if nobody handles the signal. */
static void
look_at_dispositions(void *arg)
{
	struct sigaction action;
	int number;

	(void)arg;
	signals_init();
	sigaction(SIGINT, NULL, &action);
	CHECK(action.sa_handler == SIG_DFL);
	number = list("file", false);
	sigaction(SIGINT, NULL, &action);
	CHECK(action.sa_handler != SIG_DFL);
	signals_unlist(number);
	sigaction(SIGINT, NULL, &action);
	CHECK(action.sa_handler == SIG_DFL);
}

static void
test_signals_are_not_handled_where_nothing_is_to_be_done(void **state)
{
	ASSERT_EQ(run(look_at_dispositions), 0);
}

static void
die_with_a_result(void *arg)
{
	(void)arg;
	signals_init();
	list("file", false);
	signals_commit(3);
	raise(SIGINT);
}

static void
test_signals_after_the_result_end_with_its_exit_code(void **state)
{
	dir_write("file", "x");
	ASSERT_EQ(run(die_with_a_result), 3);
	ASSERT_NAMES(".", "");
}

static void
look_at_pending(void *arg)
{
	sigset_t before;

	(void)arg;
	signals_init();
	signals_block(&before);
	CHECK(!signals_is_pending());
	raise(SIGHUP);
	CHECK(signals_is_pending());
	signals_commit(3);
	CHECK(!signals_is_pending());
	signals_restore(&before);
	_exit(77);
}

static void
test_signals_that_wait_are_seen_until_the_result_stands(void **state)
{
	ASSERT_EQ(run(look_at_pending), 3);
}

static void
hook_that_says(int wait_ms)
{
	(void)wait_ms;
	dir_write("hook", "was here");
}

static void
die_with_hook(void *arg)
{
	(void)arg;
	signals_init();
	signals_set_hook(hook_that_says);
	raise(SIGINT);
}

static void
test_signals_run_the_hook(void **state)
{
	ASSERT_EQ(run(die_with_hook), -SIGINT);
	ASSERT_TEXT("hook", "was here");
}

/* Waits for a child that does not come: a second signal is enough. */
static void
hook_that_waits(int wait_ms)
{
	if (wait_ms < 1000)
		return;
	raise(SIGINT);
	poll(NULL, 0, 60000);
	_exit(99);
}

static void
die_twice(void *arg)
{
	(void)arg;
	signals_init();
	signals_set_hook(hook_that_waits);
	raise(SIGTERM);
}

static void
test_signals_the_second_ends_at_once(void **state)
{
	ASSERT_EQ(run(die_twice), -SIGINT);
}

static void
die_of_pipe(void *arg)
{
	(void)arg;
	signal(SIGPIPE, SIG_IGN);
	signals_init();
	list("file", false);
	signals_die(SIGPIPE);
}

static void
test_signals_die_is_a_death_by_that_signal(void **state)
{
	dir_write("file", "x");
	ASSERT_EQ(run(die_of_pipe), -SIGPIPE);
	ASSERT_NAMES(".", "");
}

static void
reset_in_child(void *arg)
{
	sigset_t before;
	pid_t pid;

	(void)arg;
	signals_init();
	list("file", false);
	signals_set_hook(hook_that_says);
	signals_block(&before);
	pid = fork();
	if (pid == 0) {
		raise(SIGINT);
		signals_reset();
		signals_restore(&before);
		_exit(99);
	}
	CHECK(wait_for(pid) == -SIGINT);
	signals_unlist(0);
	signals_set_hook(NULL);
	signals_restore(&before);
}

static void
test_signals_of_a_forked_child_take_nothing_away(void **state)
{
	dir_write("file", "x");
	ASSERT_EQ(run(reset_in_child), 0);
	ASSERT_NAMES(".", "file");
}

static void
fill_list(void *arg)
{
	(void)arg;
	signals_init();
	for (int i = 0; i < SIGNALS_NAMED_MAX; i++)
		CHECK(list("file", false) == i);
	CHECK(list("file", false) == -1);
	signals_unlist(7);
	CHECK(list("file", false) == 7);
}

static void
test_signals_list_that_is_full_says_so(void **state)
{
	ASSERT_EQ(run(fill_list), 0);
}

int
main(void)
{
#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, dir_set_up, dir_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_signals_end_the_process_and_take_names_away),
		TEST(test_signals_take_away_a_directory_of_many_files),
		TEST(test_signals_leave_what_is_not_listed),
		TEST(test_signals_follow_no_link),
		TEST(test_signals_that_are_ignored_stay_so),
		TEST(test_signals_are_not_handled_where_nothing_is_to_be_done),
		TEST(test_signals_after_the_result_end_with_its_exit_code),
		TEST(test_signals_that_wait_are_seen_until_the_result_stands),
		TEST(test_signals_run_the_hook),
		TEST(test_signals_the_second_ends_at_once),
		TEST(test_signals_die_is_a_death_by_that_signal),
		TEST(test_signals_of_a_forked_child_take_nothing_away),
		TEST(test_signals_list_that_is_full_says_so),
	};

	/* who runs the tests may have them ignored, as a shell does in the
	 * background */
	for (size_t i = 0; i < ARRAY_LEN(handled); i++)
		signal(handled[i], SIG_DFL);
	return cmocka_run_group_tests_name("shm/signals", tests, NULL, NULL);
}
