/* SPDX-License-Identifier: MIT */
/*
 * command_child.h - a command of bale in a process of its own, as a shell would
 *                   have it: with its descriptors and signals, but without the
 *                   cost of a program that is loaded.
 *
 * Does not: fork or wait (base/child_process.h).
 * Runs in: what `bale mcp` and `bale batch` start for each call and each line.
 */
#ifndef CLI_COMMAND_CHILD_H
#define CLI_COMMAND_CHILD_H

#include <stddef.h>

/*
 * shape:  the descriptors and the signals of a command: it reads nothing, and
 *         what it prints goes to `out` and `err`; -1: to nobody
 * calls:  the child, first of all
 */
void
command_child_begin(int out, int err);

/* Ends the child with the exit code of its command; what it printed is out. */
_Noreturn void
command_child_end(int code);

/*
 * shape:  the first line that the command logged and that is no warning, else the
 *         first one, without "bale: "; "": none
 * units:  err: a file from its beginning, by pread(2)
 * owner:  written to `said`, cut to size
 */
void
command_child_said(int err, char *said, size_t size);

#endif
