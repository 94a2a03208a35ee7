/* SPDX-License-Identifier: MIT */
/*
 * test_window_dir.h - a folder of a test's own, for what lies in files.
 */
#ifndef TESTS_SUPPORT_TEST_WINDOW_DIR_H
#define TESTS_SUPPORT_TEST_WINDOW_DIR_H

#include "tests/support/test_window.h"

static char dir[SCRATCH_BYTES];

static const char *
path_of(const char *name)
{
	static char path[SCRATCH_BYTES + 32];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static inline int
set_up(void **state)
{
	return mkdtemp(scratch_name(dir, "window")) == NULL;
}

static inline int
tear_down(void **state)
{
	char command[SCRATCH_BYTES + 32];

	snprintf(command, sizeof(command), "rm -rf %s", dir);
	return system(command);
}

static inline int
entries_in_dir(void)
{
	char command[SCRATCH_BYTES + 32];
	int nr = -1;
	FILE *pipe;

	snprintf(command, sizeof(command), "ls -A %s | wc -l", dir);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_int_equal(fscanf(pipe, "%d", &nr), 1);
	pclose(pipe);
	return nr;
}

#endif
