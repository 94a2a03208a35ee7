/* SPDX-License-Identifier: MIT */
/*
 * last_report.h - the report of the last run, for `bale report`.
 *
 * Does: keeps it in $XDG_STATE_HOME/bale or ~/.local/state/bale, for the user
 *       alone; it names files and has nothing of their content.
 * Runs in: the supervisor.
 */
#ifndef REPORT_LAST_REPORT_H
#define REPORT_LAST_REPORT_H

#include "report/report.h"

/*
 * shape:  where the report of the last run is, or will be
 * errors: -ENOENT: neither XDG_STATE_HOME nor HOME is an absolute path;
 *         -ENAMETOOLONG
 */
int
last_report_path(char *out, size_t size);

/*
 * shape:  keeps the report in place of the one before
 * errors: -errno, and the one before stays; a run does not fail for it
 * calls:  the supervisor, when the run is over
 */
int
last_report_keep(const struct report *report);

#endif
