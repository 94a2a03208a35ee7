/* SPDX-License-Identifier: MIT */
/*
 * cmd_window.h - `bale window FILE ACTION`: the window of a conversation in a
 *                file.
 *
 * Runs in: the supervisor, which starts no worker for it.
 */
#ifndef CLI_CMD_WINDOW_H
#define CLI_CMD_WINDOW_H

#include "cli/command_line.h"

/* The exit code. calls: main(), after conversation_begin() */
int
cmd_window(const struct command_line *line);

#endif
