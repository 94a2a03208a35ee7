/* SPDX-License-Identifier: MIT */
/*
 * exit_code.h - how bale ends, and the two endings that any code may come to.
 */
#ifndef BASE_EXIT_CODE_H
#define BASE_EXIT_CODE_H

#include "base/base.h"
#include "base/diag.h"

/* Exit codes of bale; docs/exit-codes.md. */
enum bale_exit {
	EXIT_COMPLETE = 0,
	EXIT_USAGE = 2,
	EXIT_DEGRADED = 3,
	EXIT_OUTPUT = 4,
	EXIT_RESOURCES = 5,
	EXIT_INTERNAL = 6,
	EXIT_SECRET = 7,
	EXIT_FRAME = 8,
	EXIT_NOTHING = 9
};

/*
 * shape:  logs that `path` (NULL: stdout) cannot be written, and why:
 *         EXIT_OUTPUT. Silent if a signal waits (-EINTR). 0: no error
 */
int
exit_cannot_write(const char *path, int error);

/* Logs an error (a format and its arguments); its value is the exit code. */
#define exit_with(code, ...) (diag_log(DIAG_ERROR, __VA_ARGS__), (code))

/* Logs that there is no memory: EXIT_RESOURCES. */
int
exit_out_of_memory(void);

#endif
