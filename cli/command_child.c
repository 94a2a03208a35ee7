/* SPDX-License-Identifier: MIT */
/*
 * command_child.c - descriptors and signals of a command without a shell.
 */
#include "cli/command_child.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/ascii.h"
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

/* Whether a line is a warning, of bale or of one of its stages. */
static bool
is_warning(const char *line)
{
	const char *mark = strstr(line, "warning: ");
	size_t stage;

	if (mark == NULL)
		return false;
	for (stage = 0; ascii_is_lower((uint8_t)line[stage]); stage++)
		;
	return mark == line || (strncmp(line + stage, ": ", 2) == 0 &&
				mark == line + stage + 2);
}

/* The line at `off`, without "bale: "; returns where the next one begins. */
static off_t
read_line(int err, off_t off, char line[static DIAG_LINE_MAX])
{
	ssize_t got = pread(err, line, DIAG_LINE_MAX - 1, off);
	size_t bytes;

	line[got > 0 ? got : 0] = '\0';
	bytes = strcspn(line, "\n");
	off += (off_t)bytes + (line[bytes] == '\n');
	line[bytes] = '\0';
	if (strncmp(line, NAME, strlen(NAME)) == 0)
		memmove(line, line + strlen(NAME),
			strlen(line + strlen(NAME)) + 1);
	return off;
}

void
command_child_said(int err, char *said, size_t size)
{
	char line[DIAG_LINE_MAX];
	off_t next = read_line(err, 0, line);
	off_t off = 0;

	snprintf(said, size, "%s", line);
	while (next > off && is_warning(line)) {
		off = next;
		next = read_line(err, off, line);
	}
	if (next > off)
		snprintf(said, size, "%s", line);
}
