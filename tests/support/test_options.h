/* SPDX-License-Identifier: MIT */
/*
 * test_options.h - a command line that is parsed and completed.
 */
#ifndef TESTS_SUPPORT_TEST_OPTIONS_H
#define TESTS_SUPPORT_TEST_OPTIONS_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/command_line.h"
#include "stages/job.h"

#define WORDS_MAX 16

static struct command_line given;

#define options given.run

/* Parses "bale " + line, split at blanks. */
static inline int
parse(const char *words)
{
	static char copy[1024];
	static char program[] = "bale";
	char *argv[WORDS_MAX + 2] = { program };
	int argc = 1;
	char *state;
	int result;

	command_line_fini(&given);
	snprintf(copy, sizeof(copy), "%s", words);
	for (char *word = strtok_r(copy, " ", &state); word != NULL;
	     word = strtok_r(NULL, " ", &state)) {
		assert_true(argc <= WORDS_MAX);
		argv[argc++] = word;
	}
	argv[argc] = NULL;
	result = command_line_parse(argc, argv, &given);
	return result != 0 ? result : command_line_complete(&given);
}

static inline void
parses(const char *words)
{
	if (parse(words) != 0)
		fail_msg("bale %s: %s", words, given.error);
}

static inline void
refuses(const char *words, const char *want)
{
	int got = parse(words);

	if (got != -EINVAL)
		fail_msg("bale %s: got %d, want -EINVAL", words, got);
	if (strstr(given.error, want) == NULL)
		fail_msg("bale %s: got '%s', want '%s'", words, given.error,
			 want);
}

/* Those of the one who runs the tests must not matter. */
static inline void
clear_variables(void)
{
	char name[64];

	for (int i = 0; i < OPTION_NR; i++)
		if (option_table[i].name != NULL)
			unsetenv(option_variable(name, sizeof(name),
						 &option_table[i]));
}

static inline int
set_up(void **state)
{
	clear_variables();
	return 0;
}

static inline int
tear_down(void **state)
{
	command_line_fini(&given);
	clear_variables();
	return 0;
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

#endif
