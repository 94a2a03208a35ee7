/* SPDX-License-Identifier: MIT */
/*
 * report_walk.h - what the files of the report share.
 */
#ifndef SUPERVISOR_REPORT_WALK_H
#define SUPERVISOR_REPORT_WALK_H

#include "supervisor/report.h"

/*
 * shape:  fills the private part: how much of the tables there is, and the
 *         fingerprints of the plan's chunks: a chunk that was left out is a
 *         duplicate if its own is among them
 * errors: -EPROTO; -errno of table_create() and table_reserve()
 * calls:  report_collect(), before the first report_each()
 */
int
report_walk_prepare(struct report *report);

#endif
