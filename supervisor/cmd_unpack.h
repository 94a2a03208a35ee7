/* SPDX-License-Identifier: MIT */
/*
 * cmd_unpack.h - `bale unpack`: the files of an output, as they were.
 */
#ifndef SUPERVISOR_CMD_UNPACK_H
#define SUPERVISOR_CMD_UNPACK_H

#include "supervisor/options.h"

/*
 * shape:  writes the files of the operands below the directory; exit code
 * calls:  main()
 */
int
cmd_unpack(const struct options *options);

#endif
