/* SPDX-License-Identifier: MIT */
/*
 * cmd_config_init.h - a configuration file to begin with.
 */
#ifndef CLI_CMD_CONFIG_INIT_H
#define CLI_CMD_CONFIG_INIT_H

#include <stdio.h>

/*
 * shape:  writes a file in which every key stands as a comment, with its
 *         default and what it means; path NULL: .agent/config.yml. A file that
 *         is there stays as it is.
 * errors: an exit code; what is wrong has been said
 */
int
config_init(const char *path);

/* The text of that file. */
void
config_print_template(FILE *out);

#endif
