/* SPDX-License-Identifier: MIT */
/*
 * cmd_compact.h - `bale compact`: a conversation made shorter, or a look at
 *                 whether it has to be.
 *
 * Runs in: the supervisor, which starts no worker for it.
 */
#ifndef SUPERVISOR_CMD_COMPACT_H
#define SUPERVISOR_CMD_COMPACT_H

#include "supervisor/cmd_window_args.h"

/* Its options, for help and manual. */
extern const struct arg_command compact_command;

/*
 * shape:  argv[0] is "compact"; the exit code
 * calls:  main()
 */
int
cmd_compact(int argc, char **argv);

#endif
