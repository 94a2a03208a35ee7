/* SPDX-License-Identifier: MIT */
/*
 * commands.h - what each command of commands.def does; each gives its exit
 *              code.
 *
 * Runs in: the supervisor, which starts no worker for them, but for cmd_pack().
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include <stdio.h>

#include "cli/command_line.h"

#define COMMAND(id, name, run, ...) int run(struct command_line *line);
#include "cli/commands.def"

#endif
