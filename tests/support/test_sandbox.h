/* SPDX-License-Identifier: MIT */
/*
 * test_sandbox.h - what the tests of the sandbox share.
 */
#ifndef TESTS_SUPPORT_TEST_SANDBOX_H
#define TESTS_SUPPORT_TEST_SANDBOX_H

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "supervisor/sandbox.h"

static struct sandbox sandbox; /* what this kernel has; by set_up() */

/* A new folder for a test, beside which nothing else is made. */
static inline void
make_folder(char *out, size_t size, const char *name)
{
	const char *dir = getenv("TMPDIR");

	snprintf(out, size, "%s/%s.XXXXXX", dir == NULL ? "/tmp" : dir, name);
	assert_non_null(mkdtemp(out));
}

static inline void
make_file(const char *path)
{
	int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "text\n", 5), 5);
	close(fd);
}

/* Skips the test where the kernel lacks a layer. */
static inline void
need(unsigned layers)
{
	const char *preload = getenv("LD_PRELOAD");

	/* valgrind makes system calls of its own in our name */
	if ((sandbox.layers & layers) != layers ||
	    (preload != NULL && strstr(preload, "vgpreload") != NULL))
		skip();
}

static inline int
try_open(const char *path, int flags)
{
	return open(path, flags | O_CLOEXEC, 0644) >= 0 ? 0 : errno;
}

#endif
