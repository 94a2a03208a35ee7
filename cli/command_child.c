/* SPDX-License-Identifier: MIT */
/*
 * command_child.c - descriptors and signals of a command without a shell.
 */
#include "cli/command_child.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/signals.h"

#define NAME "bale: "

void
command_child_begin(int out, int err)
{
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);

	dup2(nothing, STDIN_FILENO);
	dup2(out >= 0 ? out : nothing, STDOUT_FILENO);
	dup2(err >= 0 ? err : nothing, STDERR_FILENO);
	if (nothing > STDERR_FILENO)
		close(nothing);
	signals_init();
	diag_in_words();
}

_Noreturn void
command_child_end(int code)
{
	fflush(NULL);
	_exit(code);
}

void
command_child_said(int err, char *said, size_t size)
{
	ssize_t got = pread(err, said, size - 1, 0);

	said[got > 0 ? got : 0] = '\0';
	said[strcspn(said, "\n")] = '\0';
	if (strncmp(said, NAME, strlen(NAME)) == 0)
		memmove(said, said + strlen(NAME),
			strlen(said + strlen(NAME)) + 1);
}
