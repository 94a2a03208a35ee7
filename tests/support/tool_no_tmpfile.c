/* SPDX-License-Identifier: MIT */
/*
 * tool_no_tmpfile.c - runs a command where there are no nameless files.
 *
 *   tool_no_tmpfile COMMAND [ARGUMENT...]
 *
 * Exit code 77 and why, if that cannot be done here.
 */
#include "tests/support/no_tmpfile.h"

#include <stdio.h>

int
main(int argc, char **argv)
{
	if (argc < 2) {
		fprintf(stderr, "usage: %s COMMAND [ARGUMENT...]\n", argv[0]);
		return 2;
	}
	if (no_tmpfile() != 0) {
		perror("seccomp");
		return 77;
	}
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 127;
}
