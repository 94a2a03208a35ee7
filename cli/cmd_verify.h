/* SPDX-License-Identifier: MIT */
/*
 * cmd_verify.h - `bale verify`: an output counted again.
 */
#ifndef CLI_CMD_VERIFY_H
#define CLI_CMD_VERIFY_H

#include "cli/options.h"

/*
 * shape:  counts each operand and compares it with the budget and with the
 *         figures of a report; exit code
 * calls:  main()
 */
int
cmd_verify(const struct options *options);

#endif
