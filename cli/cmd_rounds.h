/* SPDX-License-Identifier: MIT */
/*
 * cmd_rounds.h - `bale rounds`: what goes from round to round, and what it
 *                costs.
 *
 * Runs in: the supervisor, which starts no worker for it.
 */
#ifndef CLI_CMD_ROUNDS_H
#define CLI_CMD_ROUNDS_H

#include "cli/command_line.h"

/* The exit code. calls: main(), after conversation_begin() */
int
cmd_rounds(const struct command_line *line);

#endif
