/* SPDX-License-Identifier: MIT */
/*
 * cmd_dedup.h - `bale dedup`: a list of chunks without what is there twice.
 */
#ifndef CLI_CMD_DEDUP_H
#define CLI_CMD_DEDUP_H

#include "cli/options.h"

/*
 * shape:  reads the list, says what is a duplicate and what was merged: the
 *         exit code
 * calls:  main()
 */
int
cmd_dedup(const struct options *options);

#endif
