/* SPDX-License-Identifier: MIT */
/*
 * cmd_compact.h - `bale compact`: a conversation made shorter, or a look at
 *                 whether it has to be.
 *
 * Runs in: the supervisor, which starts no worker for it.
 */
#ifndef CLI_CMD_COMPACT_H
#define CLI_CMD_COMPACT_H

#include "cli/command_line.h"

/* The exit code. calls: main(), after conversation_begin() */
int
cmd_compact(const struct command_line *line);

#endif
