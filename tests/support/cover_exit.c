/* SPDX-License-Identifier: MIT */
/*
 * cover_exit.c - what a process has run is told as it ends by _exit(2), as
 *                workers do; linked into the program built for coverage,
 *                in place of _exit().
 */
#include <unistd.h>

void
__gcov_dump(void);

_Noreturn void
__real__exit(int code);

_Noreturn void
__wrap__exit(int code);

_Noreturn void
__wrap__exit(int code)
{
	__gcov_dump();
	__real__exit(code);
}
