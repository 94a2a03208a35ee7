/* SPDX-License-Identifier: MIT */
/*
 * test_git_tree.h - work trees, with git at hand to make and list them.
 */
#ifndef TESTS_SUPPORT_TEST_GIT_TREE_H
#define TESTS_SUPPORT_TEST_GIT_TREE_H

#include "tests/support/test_collect_scratch.h"

#include "stages/collect/collect_io_walk.h"

static int back;

static inline int
setup(void **state)
{
	scratch_enter(&back);
	/* Nobody's own settings. */
	setenv("HOME", "/nonexistent", 1);
	unsetenv("XDG_CONFIG_HOME");
	setenv("GIT_CONFIG_NOSYSTEM", "1", 1);
	setenv("GIT_AUTHOR_NAME", "x", 1);
	setenv("GIT_AUTHOR_EMAIL", "x", 1);
	setenv("GIT_COMMITTER_NAME", "x", 1);
	setenv("GIT_COMMITTER_EMAIL", "x", 1);
	unsetenv("GIT_DIR");
	unsetenv("GIT_INDEX_FILE");
	return 0;
}

static inline int
teardown(void **state)
{
	scratch_leave(back);
	return 0;
}

/* A command of the shell, with no output; skips the test without git. */
static inline void
run(const char *command)
{
	char line[4096];

	if (system("git --version >/dev/null 2>&1") != 0) {
		print_message("there is no git\n");
		skip();
	}
	snprintf(line, sizeof(line), "{ %s; } >/dev/null 2>&1", command);
	assert_int_equal(system(line), 0);
}

/* What git lists, sorted. owner: the caller's */
static inline char *
git_lists(const char *folder)
{
	char command[1024];
	char *text = calloc(1, 1 << 16);
	FILE *pipe;

	snprintf(command, sizeof(command),
		 "cd %s && git ls-files -co --exclude-standard | "
		 "while read f; do [ -d \"$f\" ] || echo \"$f\"; done | "
		 "LC_ALL=C sort",
		 folder);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_non_null(text);
	text[fread(text, 1, (1 << 16) - 1, pipe)] = '\0';
	assert_int_equal(pclose(pipe), 0);
	return text;
}

static inline void
expect_as_git(const char *want)
{
	struct collect_options options = { SCRATCH_HERE };
	char *got = git_lists(".");

	assert_string_equal(got, want);
	free(got);
	scratch_expect(&options, want);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
