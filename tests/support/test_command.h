/* SPDX-License-Identifier: MIT */
/*
 * test_command.h - a command by its entry, in a child, with what it prints.
 *
 *   command_run(cmd_count, "count a.c", "input")   its exit code; "bale" and
 *                                                  the options as they are
 *                                                  typed, split at blanks
 *   command_out, command_err                       what it has printed
 *
 * The working directory is a new one for each test (test_dir.h). Nothing is
 * confined, and no configuration file is read. What is asserted is asserted
 * by the parent.
 */
#ifndef TESTS_SUPPORT_TEST_COMMAND_H
#define TESTS_SUPPORT_TEST_COMMAND_H

#include "tests/support/test_dir.h"

#include <jansson.h>

#include "base/diag.h"
#include "base/exit_code.h"
#include "cli/command_line.h"
#include "stages/job.h"

#define COMMAND_OUT_BYTES (1u << 17)
#define COMMAND_WORDS_MAX 24

typedef int
command_fn(struct command_line *line);

/* Set: what is called in the place of an entry, with the words themselves. */
static int (*command_main)(int argc, char **argv);

static char command_out[COMMAND_OUT_BYTES];
static char command_err[COMMAND_OUT_BYTES];

/* Coverage is told by who ends as a program does, which a child must not. */
extern void
__gcov_dump(void) __attribute__((weak));

static _Noreturn void
command_child(command_fn *run, int argc, char **argv)
{
	static struct command_line line;
	int code = EXIT_USAGE;

	diag_init(STDERR_FILENO, DIAG_WARN, false, "run");
	if (command_main != NULL)
		code = command_main(argc, argv);
	else if (command_line_parse(argc, argv, &line) != 0 ||
		 command_line_complete(&line) != 0)
		diag_log(DIAG_ERROR, "%s", line.error);
	else
		code = run(&line);
	command_line_fini(&line);
	fflush(NULL);
	if (__gcov_dump != NULL)
		__gcov_dump();
	_exit(code);
}

/* All of a file without a name; NUL behind it. */
static void
command_take(int fd, char *out)
{
	ssize_t got = pread(fd, out, COMMAND_OUT_BYTES - 1, 0);

	out[got < 0 ? 0 : got] = '\0';
	close(fd);
}

/* How it ended: the exit code, or minus the signal. input NULL: none. */
static __attribute__((unused)) int
command_run(command_fn *run, const char *words, const char *input)
{
	static char copy[1024];
	static char program[] = "bale";
	char *argv[COMMAND_WORDS_MAX + 2] = { program };
	int fds[3];
	int argc = 1;
	char *state;
	pid_t pid;

	if (under_valgrind()) /* which has no pidfd_open(2) */
		skip();
	snprintf(copy, sizeof(copy), "%s", words);
	for (char *word = strtok_r(copy, " ", &state); word != NULL;
	     word = strtok_r(NULL, " ", &state)) {
		assert_true(argc <= COMMAND_WORDS_MAX);
		argv[argc++] = word;
	}
	for (int i = 0; i < 3; i++)
		fds[i] = memfd_create("command", MFD_CLOEXEC);
	if (input != NULL)
		ASSERT_EQ(pwrite(fds[0], input, strlen(input), 0),
			  strlen(input));
	fflush(NULL);
	pid = fork();
	ASSERT_TRUE(pid >= 0);
	if (pid == 0) {
		for (int i = 0; i < 3; i++)
			dup2(fds[i], i);
		command_child(run, argc, argv);
	}
	ASSERT_TRUE(pid > 0);
	argc = wait_for(pid);
	close(fds[0]);
	command_take(fds[1], command_out);
	command_take(fds[2], command_err);
	return argc;
}

/* Fails the test unless it ends so and says that on stderr ("": nothing). */
#define ASSERT_RUN(run, words, input, code, said)                            \
	do {                                                                 \
		int ended_ = command_run(run, words, input);                 \
                                                                             \
		if (ended_ != (code) || strstr(command_err, said) == NULL || \
		    (*(said) == '\0' && *command_err != '\0'))               \
			fail_msg("%s: ended with %d, want %d\n%s%s", words,  \
				 ended_, code, command_out, command_err);    \
	} while (0)

#define ASSERT_OUT(want)                                                    \
	do {                                                                \
		if (strcmp(command_out, want) != 0)                         \
			fail_msg("got:\n%s\nwant:\n%s", command_out, want); \
	} while (0)

#define ASSERT_SAYS(words)                                                 \
	do {                                                               \
		if (strstr(command_out, words) == NULL)                    \
			fail_msg("not in it: %s\n%s", words, command_out); \
	} while (0)

/* What was printed, as JSON; owner: json_decref() */
static __attribute__((unused)) json_t *
command_json(void)
{
	json_error_t error;
	json_t *json = json_loads(command_out, JSON_REJECT_DUPLICATES, &error);

	if (json == NULL)
		fail_msg("not JSON: %s\n%s", error.text, command_out);
	return json;
}

/* In memory, for some commands wait until a disk has what they write. */
static __attribute__((unused)) int
command_set_up(void **state)
{
	if (access("/dev/shm", W_OK) == 0)
		setenv("TMPDIR", "/dev/shm", 1);
	return dir_set_up(state);
}

#define COMMAND_TEST(name)                                           \
	cmocka_unit_test_setup_teardown(test_##name, command_set_up, \
					dir_tear_down)

#endif
