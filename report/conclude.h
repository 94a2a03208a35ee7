/* SPDX-License-Identifier: MIT */
/*
 * conclude.h - what a run came to, and where that goes.
 *
 *   conclude.c  the exit code, and which reports are due
 *   deliver.c   what the run made goes to where it was asked for
 *   sidecars.c  what is written about the run goes to its places, too
 */
#ifndef REPORT_CONCLUDE_H
#define REPORT_CONCLUDE_H

#include "report/report.h"
#include "supervisor/supervisor.h"

/*
 * shape:  judges a run that came to its end, writes its output and what is
 *         told of it: the exit code
 */
int
supervisor_conclude(struct supervisor *supervisor);

/*
 * shape:  what the run made as it is to be: the output, its parts or, for
 *         `bale preview` and `bale tree`, the plan; a stream has it then: 0 or
 *         an exit code, said
 * calls:  supervisor_conclude(), when all workers are gone
 */
int
deliver_prepare(struct supervisor *supervisor, const struct report *report);

/*
 * shape:  all but the last step, and then that, to its place: 0 or an exit
 *         code, said, and what was there before is there; nothing is said
 *         where a signal waits
 * calls:  with the signals blocked
 */
int
deliver_ready(struct supervisor *supervisor);
int
deliver_commit(struct supervisor *supervisor);

#endif
