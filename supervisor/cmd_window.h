/* SPDX-License-Identifier: MIT */
/*
 * cmd_window.h - `bale window FILE ACTION`: the window of a conversation in a
 *                file.
 *
 * Runs in: the supervisor, which starts no worker for it.
 */
#ifndef SUPERVISOR_CMD_WINDOW_H
#define SUPERVISOR_CMD_WINDOW_H

#include "supervisor/cmd_window_args.h"

/* Its options, for help and manual. */
extern const struct arg_command window_command;

/*
 * shape:  argv[0] is "window"; the exit code
 * calls:  main()
 */
int
cmd_window(int argc, char **argv);

#endif
