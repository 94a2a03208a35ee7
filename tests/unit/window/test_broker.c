/* SPDX-License-Identifier: MIT */
/*
 * What a process that is shut in has its broker do: the file and the commands
 * that the user has named, and no others. Each test is a child, which may have
 * one broker.
 */
#include "window/broker.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/signals.h"
#include "supervisor/sandbox.h"
#include "window/child.h"
#include "window/store.h"

#define SECONDS 60
#define LARGE_BYTES (3u << 20)

static char base[200];
static char store_path[300];
static char lines_path[300];
static char seen_path[300];
static unsigned layers;

static int
set_up(void **state)
{
	const char *tmp = getenv("TMPDIR");
	struct sandbox sandbox;

	snprintf(base, sizeof(base), "%s/bale-broker.XXXXXX",
		 tmp == NULL ? "/tmp" : tmp);
	assert_non_null(mkdtemp(base));
	snprintf(store_path, sizeof(store_path), "%s/store", base);
	snprintf(lines_path, sizeof(lines_path), "%s/lines", base);
	snprintf(seen_path, sizeof(seen_path), "%s/seen", base);
	sandbox_probe(&sandbox);
	layers = sandbox.layers;
	return 0;
}

static int
tear_down(void **state)
{
	unlink(store_path);
	unlink(lines_path);
	unlink(seen_path);
	rmdir(base);
	return 0;
}

static pid_t
start(const struct broker_names *names, int (*attempt)(void))
{
	pid_t pid = fork();

	if (pid != 0)
		return pid;
	/* whoever runs the tests in the background ignores it */
	signal(SIGINT, SIG_DFL);
	signals_init();
	if (broker_begin(names) != 0 ||
	    sandbox_enter_command(layers, NULL, 0) != 0)
		_exit(255);
	pid = attempt();
	broker_end();
	_exit(pid);
}

static int
finish(pid_t pid)
{
	int status;

	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status)
				 : 1000 + WTERMSIG(status);
}

static void
read_file(const char *path, char *out, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? 0 : read(fd, out, size - 1);

	out[got < 0 ? 0 : got] = '\0';
	if (fd >= 0)
		close(fd);
}

static bool
is_there(const char *path)
{
	return access(path, F_OK) == 0;
}

static int
change_store(void)
{
	struct store store;
	struct window_error error;
	char *text = NULL;
	char *large = malloc(LARGE_BYTES);
	size_t bytes = 0;

	/* which path is said does not matter */
	if (store_open(&store, "/etc/passwd", "first", 1000, &error) != 0 ||
	    store_read(&store, &text, &bytes, &error) != 0)
		return 1;
	if (bytes != 5 || strcmp(text, "first") != 0 || large == NULL)
		return 2;
	free(text);
	memset(large, 'x', LARGE_BYTES);
	if (store_replace(&store, large, LARGE_BYTES, &error) != 0)
		return 3;
	store_close(&store);
	if (store_open(&store, "/etc/passwd", NULL, 1000, &error) != 0 ||
	    store_read(&store, &text, &bytes, &error) != 0)
		return 4;
	if (bytes != LARGE_BYTES || memcmp(text, large, bytes) != 0)
		return 5;
	if (store_replace(&store, "last", 4, &error) != 0)
		return 6;
	store_close(&store);
	return 0;
}

static void
test_broker_opens_reads_and_replaces_the_file_that_was_named(void **state)
{
	const struct broker_names names = { .store = store_path };
	char text[16];

	assert_int_equal(finish(start(&names, change_store)), 0);
	read_file(store_path, text, sizeof(text));
	assert_string_equal(text, "last");
}

/* Whether a process waits for something, in the filter of one that is shut in. */
static bool
is_asleep(pid_t pid)
{
	char path[64];
	char text[2048];

	snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	read_file(path, text, sizeof(text));
	return strstr(text, "State:\tS") != NULL &&
	       (strstr(text, "Seccomp:\t2") != NULL ||
		!(layers & SANDBOX_SECCOMP));
}

static int
open_missing(void)
{
	struct store store;
	struct window_error error = { .text = "" };
	int result = store_open(&store, store_path, NULL, 0, &error);

	return result == -ENOENT && strstr(error.text, "no such file") != NULL
		       ? 0
		       : 1;
}

static int
make_and_leave(void)
{
	struct store store;
	struct window_error error;

	return store_open(&store, store_path, "made", 0, &error) == 0 ? 0 : 1;
}

static int
make_and_be_killed(void)
{
	make_and_leave();
	raise(SIGKILL);
	return 1;
}

/* For others to end: the test's own limit is the bound. */
static void
wait_until(bool (*is_so)(const char *path), const char *path, bool want)
{
	while (is_so(path) != want)
		sched_yield();
}

static int
make_and_be_ended(void)
{
	make_and_leave();
	raise(SIGTERM);
	return 1;
}

/* The lock is somebody else's: the broker waits, and the parent for it. */
static int
wait_for_lock(void)
{
	struct store store;
	struct window_error error;

	return store_open(&store, store_path, "made", SECONDS * 1000, &error);
}

/* No limit of time is near: it ends by the signal or the test does not. */
static void
test_broker_that_waits_for_a_lock_ends_with_its_parent(void **state)
{
	const struct broker_names names = { .store = store_path };
	static const int signals[] = { SIGTERM, SIGINT };
	int fd = open(store_path, O_CREAT | O_RDWR | O_CLOEXEC, 0600);

	assert_int_equal(flock(fd, LOCK_EX), 0);
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		pid_t pid = start(&names, wait_for_lock);

		while (!is_asleep(pid))
			sched_yield();
		assert_int_equal(kill(pid, signals[i]), 0);
		assert_int_equal(finish(pid), 1000 + signals[i]);
		/* it has waited for the broker: none is left to us */
		assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	}
	close(fd);
}

static void
test_broker_leaves_no_file_that_was_not_written(void **state)
{
	const struct broker_names names = { .store = store_path };

	assert_int_equal(finish(start(&names, open_missing)), 0);
	assert_false(is_there(store_path));
	assert_int_equal(finish(start(&names, make_and_leave)), 0);
	assert_false(is_there(store_path));
	assert_int_equal(finish(start(&names, make_and_be_ended)),
			 1000 + SIGTERM);
	assert_false(is_there(store_path));
	assert_int_equal(finish(start(&names, make_and_be_killed)),
			 1000 + SIGKILL);
	wait_until(is_there, store_path, false);
}

static int
add_lines(void)
{
	return broker_append("/etc/passwd", "one\ntwo\n", 8) == 0 ? 0 : 1;
}

static int
add_nowhere(void)
{
	return broker_append(lines_path, "one\n", 4) == -EPROTO ? 0 : 1;
}

static void
test_broker_adds_lines_to_the_file_that_was_named_alone(void **state)
{
	const struct broker_names names = { .append = lines_path };
	const struct broker_names others = { .store = store_path };
	struct stat info;
	char text[32];

	assert_int_equal(finish(start(&names, add_lines)), 0);
	assert_int_equal(finish(start(&names, add_lines)), 0);
	/* what was said in a conversation is for its owner alone */
	assert_int_equal(stat(lines_path, &info), 0);
	assert_int_equal(info.st_mode & 0777, 0600);
	read_file(lines_path, text, sizeof(text));
	assert_string_equal(text, "one\ntwo\none\ntwo\n");
	assert_int_equal(unlink(lines_path), 0);
	assert_int_equal(finish(start(&others, add_nowhere)), 0);
	assert_false(is_there(lines_path));
}

static const char *const shouting = "tr a-z A-Z";
static char ours[sizeof("tr a-z A-Z")] = "tr a-z A-Z";

static int
run_commands(void)
{
	struct child_spec spec = { .command = shouting,
				   .input = "text",
				   .input_bytes = 4,
				   .time_limit_ms = SECONDS * 1000,
				   .output_max_bytes = 1000 };
	struct child_result result;

	child_run(&spec, &result);
	if (result.end != CHILD_DONE || strcmp(result.output, "TEXT") != 0)
		return 1;
	free(result.output);
	spec.output_max_bytes = 3;
	child_run(&spec, &result);
	if (result.end != CHILD_TOO_MUCH || result.output != NULL)
		return 2;
	/* the same words, from elsewhere */
	spec.command = ours;
	child_run(&spec, &result);
	return result.end == CHILD_NOT_RUN ? 0 : 3;
}

static void
test_broker_runs_the_commands_that_were_named_alone(void **state)
{
	const struct broker_names names = { .commands = { "false", shouting } };

	assert_int_equal(finish(start(&names, run_commands)), 0);
}

static const char *const killing = "kill -9 $PPID";

static int
lose_broker(void)
{
	const struct child_spec spec = { .command = killing,
					 .input = "",
					 .time_limit_ms = SECONDS * 1000,
					 .output_max_bytes = 1000 };
	struct child_result result;
	struct window_error error = { .text = "" };
	struct store store;

	child_run(&spec, &result);
	if (result.end != CHILD_NOT_RUN)
		return 1;
	if (store_open(&store, store_path, "first", 0, &error) != -EPIPE ||
	    strstr(error.text, "has ended") == NULL)
		return 2;
	store_close(&store);
	return broker_append(lines_path, "one\n", 4) == -EPIPE ? 0 : 3;
}

static void
test_broker_that_is_no_more_is_an_error_and_no_signal(void **state)
{
	const struct broker_names names = { .store = store_path,
					    .append = lines_path,
					    .commands = { killing } };

	assert_int_equal(finish(start(&names, lose_broker)), 0);
	assert_false(is_there(store_path));
}

/* Says that it has begun, and then that it goes on. */
static char slow[1000];

static int
run_slow(void)
{
	const struct child_spec spec = { .command = slow,
					 .input = "",
					 .time_limit_ms = SECONDS * 1000,
					 .output_max_bytes = 1000 };
	struct child_result result;

	child_run(&spec, &result);
	return result.end == CHILD_ENDED ? 0 : 1;
}

static bool
is_alive(const char *path)
{
	char text[32];

	read_file(path, text, sizeof(text));
	return atoi(text) > 0 && kill(atoi(text), 0) == 0;
}

static void
test_broker_command_ends_with_who_waits_for_it(void **state)
{
	static const int signals[] = { SIGTERM, SIGINT, SIGKILL };
	struct broker_names names = { .commands = { slow } };

	snprintf(slow, sizeof(slow),
		 "echo $$ >%s.new; mv %s.new %s; exec sleep 1000", seen_path,
		 seen_path, seen_path);
	for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
		pid_t pid = start(&names, run_slow);

		wait_until(is_there, seen_path, true);
		assert_true(is_alive(seen_path));
		assert_int_equal(kill(pid, signals[i]), 0);
		assert_int_equal(finish(pid), 1000 + signals[i]);
		/* before, but for the signal that cannot be waited for */
		if (signals[i] != SIGKILL)
			assert_false(is_alive(seen_path));
		wait_until(is_alive, seen_path, false);
		assert_int_equal(unlink(seen_path), 0);
	}
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_broker_opens_reads_and_replaces_the_file_that_was_named),
		TEST(test_broker_that_waits_for_a_lock_ends_with_its_parent),
		TEST(test_broker_leaves_no_file_that_was_not_written),
		TEST(test_broker_adds_lines_to_the_file_that_was_named_alone),
		TEST(test_broker_runs_the_commands_that_were_named_alone),
		TEST(test_broker_that_is_no_more_is_an_error_and_no_signal),
		TEST(test_broker_command_ends_with_who_waits_for_it),
	};

	return cmocka_run_group_tests_name("supervisor/broker", tests, NULL,
					   NULL);
}
