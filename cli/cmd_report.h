/* SPDX-License-Identifier: MIT */
/*
 * cmd_report.h - `bale report`.
 */
#ifndef CLI_CMD_REPORT_H
#define CLI_CMD_REPORT_H

#include "cli/options.h"

/*
 * shape:  the report of a run as tables, JSON or a page: the exit code
 * calls:  main()
 */
int
cmd_report(const struct options *options);

#endif
