/* SPDX-License-Identifier: MIT */
/*
 * report_merged.h - requests on the same lines, and what became of them.
 *
 * Runs in: the supervisor.
 */
#ifndef SUPERVISOR_REPORT_MERGED_H
#define SUPERVISOR_REPORT_MERGED_H

#include "supervisor/report.h"
#include "supervisor/report_emit.h"

/*
 * shape:  the keys `merged` and `unmerged` of a report: ranges that sources ask
 *         for more than once, in whole or in part, and those that they became;
 *         ranges that stay and share lines
 * errors: -errno of report_path()
 * calls:  report_write_fd(), after report_take_sources()
 */
int
report_emit_merged(const struct report *report, struct emitter *out);

#endif
