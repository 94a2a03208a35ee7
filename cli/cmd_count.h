/* SPDX-License-Identifier: MIT */
/*
 * cmd_count.h - `bale count`: exact tokens of files, like wc.
 */
#ifndef CLI_CMD_COUNT_H
#define CLI_CMD_COUNT_H

#include "cli/options.h"

/*
 * shape:  counts the operands, or stdin for none and for "-"; the exit code
 * calls:  main()
 */
int
cmd_count(const struct options *options);

#endif
