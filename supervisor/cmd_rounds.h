/* SPDX-License-Identifier: MIT */
/*
 * cmd_rounds.h - `bale rounds`: what goes from round to round, and what it
 *                costs.
 *
 * Runs in: the supervisor, which starts no worker for it.
 */
#ifndef SUPERVISOR_CMD_ROUNDS_H
#define SUPERVISOR_CMD_ROUNDS_H

#include "supervisor/cmd_window_args.h"

/* Its options, for help and manual. */
extern const struct arg_command rounds_command;

/*
 * shape:  argv[0] is "rounds"; the exit code
 * calls:  main()
 */
int
cmd_rounds(int argc, char **argv);

#endif
