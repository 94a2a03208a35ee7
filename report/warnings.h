/* SPDX-License-Identifier: MIT */
/*
 * warnings.h - the warnings of a run, kept for its report.
 *
 * Does: keeps the sentences of all warnings that this process logs, at any log
 *       level; says what had no room in the budget, and whether pinned files
 *       are in full.
 * Does not: hear the workers: their warnings are reasons of files.
 * Runs in: the supervisor.
 */
#ifndef REPORT_WARNINGS_H
#define REPORT_WARNINGS_H

#include "report/report.h"

#define WARNINGS_MAX 64 /* sentences; beyond that, their number */

/*
 * shape:  from now on warnings are kept
 * calls:  main(), before anything that may warn
 */
void
warnings_keep(void);

/*
 * shape:  how many there are, *out: the sentences
 * owner:  this unit, until the process ends
 */
size_t
warnings_kept(const char *const **out);

/*
 * shape:  warns of chunks that are larger than the whole share of their
 *         category (BALE-BUD-002), of sections of git that could not be read
 *         whole, and where duplicates were not looked for; notes that content
 *         was left out
 * calls:  the supervisor, when a report is collected, before it is written
 */
void
warnings_of_run(const struct report *report);

/*
 * shape:  warns of a peak that was above --memory: true; in a debug build it
 *         is an error, for the run to end with: false
 * units:  bytes
 */
bool
warnings_of_memory(uint64_t peak_bytes, uint64_t memory_bytes);

/*
 * shape:  warns of tables that lie in memory, where they and the peak are more
 *         than --memory
 * units:  bytes
 */
void
warnings_of_tables(uint64_t table_bytes, uint64_t peak_bytes,
		   uint64_t memory_bytes);

/*
 * shape:  whether there was room for all pinned files in full; says which are
 *         not, and why (binary, say)
 * calls:  the supervisor, at the end of a run
 */
bool
pins_had_room(const struct report *report);

#endif
