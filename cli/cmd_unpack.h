/* SPDX-License-Identifier: MIT */
/*
 * cmd_unpack.h - `bale unpack`: the files of an output, as they were.
 */
#ifndef CLI_CMD_UNPACK_H
#define CLI_CMD_UNPACK_H

#include "cli/options.h"

/*
 * shape:  writes the files of the operands below the directory; exit code
 * calls:  main()
 */
int
cmd_unpack(const struct options *options);

#endif
