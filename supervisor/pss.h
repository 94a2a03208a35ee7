/* SPDX-License-Identifier: MIT */
/*
 * pss.h - how much memory the processes of a run take.
 */
#ifndef SUPERVISOR_PSS_H
#define SUPERVISOR_PSS_H

#include <sys/types.h>

#include "base/base.h"

/*
 * shape:  memory of these processes now, shared pages divided among those
 *         that map them; a process that is gone counts as 0
 * units:  bytes
 * calls:  the supervisor, now and then, itself included; costs a walk over
 *         the pages of each process, a millisecond or so
 * source: Pss of /proc/PID/smaps_rollup, which can be read only of processes
 *         that are dumpable (see child_process_no_core())
 */
uint64_t
pss_now(const pid_t *pids, size_t nr);

/*
 * shape:  the most memory that this process has had; 0: nobody knows
 * units:  bytes
 * source: VmHWM of /proc/self/status; ru_maxrss may be that of who started it
 */
uint64_t
rss_peak(void);

#endif
