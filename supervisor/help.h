/* SPDX-License-Identifier: MIT */
/*
 * help.h - what bale says about itself.
 *
 * Does: writes the help from the table of options.def.
 * Does not: decide where to: stdout when it was asked for, stderr when not.
 * Runs in: the supervisor.
 */
#ifndef SUPERVISOR_HELP_H
#define SUPERVISOR_HELP_H

#include <stdio.h>

#include "supervisor/options.h"

#define BALE_VERSION "0.1.0"

/*
 * shape:  the help on a command; COMMAND_NONE: on bale as a whole
 * errors: -errno of writing
 * calls:  main(), for `help` and `--help`
 */
int
help_print(FILE *out, enum command topic);

/* The short usage, for somebody who gave nothing. */
int
help_print_usage(FILE *out);

/* "bale 0.1.0", and which layers of the sandbox this kernel has. */
int
help_print_version(FILE *out);

#endif
