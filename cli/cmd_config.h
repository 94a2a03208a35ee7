/* SPDX-License-Identifier: MIT */
/*
 * cmd_config.h - `bale config`: what is configured, and whether it is right.
 */
#ifndef CLI_CMD_CONFIG_H
#define CLI_CMD_CONFIG_H

#include "cli/command_line.h"

/*
 * shape:  show, validate or init, as the operand says; an exit code
 * calls:  main()
 */
int
cmd_config(struct command_line *line);

#endif
