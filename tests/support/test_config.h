/* SPDX-License-Identifier: MIT */
/*
 * test_config.h - a configuration that is loaded from a text.
 */
#ifndef TESTS_SUPPORT_TEST_CONFIG_H
#define TESTS_SUPPORT_TEST_CONFIG_H

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "cli/config.h"

static struct config config;

static inline int
load(const char *text)
{
	config_fini(&config);
	return config_load_text(&config, "c.yml", text, strlen(text), 0);
}

static inline int
tear_down(void **state)
{
	config_fini(&config);
	return 0;
}

static inline void
loads(const char *text)
{
	if (load(text) != 0)
		fail_msg("%s\n%s", text, config.problems[0].fault.text);
}

/* One error: where, which code, with which words. */
static inline void
refuses(const char *text, unsigned line, unsigned column, const char *code,
	const char *words)
{
	const struct config_problem *problem = &config.problems[0];
	int got = load(text);

	if (got != -EINVAL || config.error_nr == 0)
		fail_msg("got %d, want -EINVAL:\n%s", got, text);
	while (problem->is_warning)
		problem++;
	if (problem->fault.place.line != line ||
	    problem->fault.place.column != column)
		fail_msg("got %u:%u, want %u:%u: %s\n%s",
			 problem->fault.place.line, problem->fault.place.column,
			 line, column, problem->fault.text, text);
	if (strcmp(problem->code, code) != 0 ||
	    strstr(problem->fault.text, words) == NULL)
		fail_msg("got %s %s, want %s %s\n%s", problem->code,
			 problem->fault.text, code, words, text);
}

static inline void
warns(const char *text, const char *words)
{
	loads(text);
	assert_int_equal(config.problem_nr, 1);
	assert_true(config.problems[0].is_warning);
	assert_string_equal(config.problems[0].code, "BALE-CFG-006");
	if (strstr(config.problems[0].fault.text, words) == NULL)
		fail_msg("got %s, want %s", config.problems[0].fault.text,
			 words);
}

static inline void
is_set(enum option_id id, const char *want)
{
	const char *got = config_text(&config, id);

	if (want == NULL)
		assert_null(got);
	else if (got == NULL || strcmp(got, want) != 0)
		fail_msg("%s: got %s, want %s", option_table[id].key,
			 got == NULL ? "nothing" : got, want);
}

#define TEST(name) cmocka_unit_test_teardown(test_##name, tear_down)

/* What pack would run with. */
static inline void
apply(struct command_line *out, const char *line)
{
	static char copy[256];
	static char program[] = "bale";
	char *argv[17] = { program };
	int argc = 1;
	char *state;

	snprintf(copy, sizeof(copy), "%s", line);
	for (char *word = strtok_r(copy, " ", &state); word != NULL;
	     word = strtok_r(NULL, " ", &state))
		argv[argc++] = word;
	if (command_line_parse(argc, argv, out) != 0 ||
	    config_apply(&config, out) != 0 || command_line_complete(out) != 0)
		fail_msg("%s: %s", line, out->error);
}

#endif
