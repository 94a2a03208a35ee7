/* SPDX-License-Identifier: MIT */
/*
 * cmd_report.h - `bale report`.
 */
#ifndef SUPERVISOR_CMD_REPORT_H
#define SUPERVISOR_CMD_REPORT_H

#include "supervisor/options.h"

/*
 * shape:  the report of a run as tables, JSON or a page: the exit code
 * calls:  main()
 */
int
cmd_report(const struct options *options);

#endif
