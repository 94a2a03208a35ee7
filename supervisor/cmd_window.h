/* SPDX-License-Identifier: MIT */
/*
 * cmd_window.h - `bale window FILE ACTION`: the window of a conversation in a
 *                file.
 *
 * Runs in: the supervisor, which starts no worker for it.
 */
#ifndef SUPERVISOR_CMD_WINDOW_H
#define SUPERVISOR_CMD_WINDOW_H

#include "supervisor/command_line.h"

/* The exit code. calls: main(), after conversation_begin() */
int
cmd_window(const struct command_line *line);

#endif
