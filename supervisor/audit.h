/* SPDX-License-Identifier: MIT */
/*
 * audit.h - a log of what was taken and what was not.
 *
 * Does: adds JSON lines to a file: one for the run, one for each range or
 *       file that was selected or excluded, one for the end; each has the
 *       correlation id of the run. The same decisions to the log, on
 *       --log-level debug.
 * Does not: write content. Names are escaped: they cannot add lines.
 * Runs in: the supervisor.
 */
#ifndef SUPERVISOR_AUDIT_H
#define SUPERVISOR_AUDIT_H

#include "supervisor/report.h"

/*
 * shape:  appends the decisions of a run to the file at `path`
 * errors: -errno; lines that were written before stay
 * calls:  the supervisor, when the run is over
 */
int
audit_append(const struct report *report, int exit_code, const char *path);

/* The decisions to the log, if it is as talkative as that. */
int
audit_log(const struct report *report);

#endif
