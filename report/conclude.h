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
 * shape:  the whole output as it is to be; a stream has it then: 0 or an exit
 *         code, said
 * calls:  supervisor_conclude(), when all workers are gone
 */
int
supervisor_prepare_output(struct supervisor *supervisor,
			  const struct report *report);

/*
 * shape:  all but the last step, and then that, to its place: 0 or an exit
 *         code, said, and what was there before is there; nothing is said
 *         where a signal waits
 * calls:  with the signals blocked
 */
int
supervisor_ready_output(struct supervisor *supervisor);
int
supervisor_commit_output(struct supervisor *supervisor);

/* Instead of an output the plan, as `bale preview` and `bale tree` show it. */
int
supervisor_prepare_plan(struct supervisor *supervisor,
			const struct report *report);
int
supervisor_ready_plan(struct supervisor *supervisor);
int
supervisor_commit_plan(struct supervisor *supervisor);

#endif
