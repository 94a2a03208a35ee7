/* SPDX-License-Identifier: MIT */
/*
 * help.h - the help texts.
 *
 * Does: writes the help from the table of options.def.
 * Does not: choose the stream: stdout if help was requested, else stderr.
 * Runs in: the supervisor.
 */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <stdio.h>

#include "cli/command_line.h"

/* A line of the exit codes, as they stand in help and manual. */
struct help_exit_code {
	const char *code;
	const char *meaning;
};

/* The help of an option, with its default: free(); NULL: no memory. */
char *
help_text(enum command command, const struct option_spec *spec);

/* The text after the options of a command; NULL: none. */
const char *
help_more(enum command command);

/* Ended by a row of NULL. */
extern const struct help_exit_code help_exit_codes[];

/*
 * shape:  the help on a command; COMMAND_NONE: on bale as a whole
 * errors: -errno of writing
 * calls:  cmd_help()
 */
int
help_print(FILE *out, enum command topic);

/* The short usage, for somebody who gave nothing. */
int
help_print_usage(FILE *out);

/*
 * shape:  words of `text`, from column `column` on, in lines of 79 columns;
 *         each after the first begins with `begin`; ends the line
 */
void
print_wrapped(FILE *out, const char *text, size_t column, const char *begin);

#endif
