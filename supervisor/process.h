/* SPDX-License-Identifier: MIT */
/*
 * process.h - what the kernel says of processes: their time, their memory.
 */
#ifndef SUPERVISOR_PROCESS_H
#define SUPERVISOR_PROCESS_H

#include <sys/types.h>

#include "base/base.h"

/* The kernel's figures on a process. */
struct process_use {
	char state;      /* as in /proc: R, S, D, T, ... */
	uint64_t faults; /* page faults, minor and major */
	uint64_t cpu_ns; /* processor time, all of it */
};

/*
 * shape:  the state of a process now
 * errors: false: there is no such process, or no /proc
 */
bool
process_use(pid_t pid, struct process_use *use);

/* Whether it sleeps in a system call: neither computing nor stopped. */
bool
process_is_in_kernel(pid_t pid);

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
 * shape:  the peak memory of this process; 0: unknown
 * units:  bytes
 * source: VmHWM of /proc/self/status; ru_maxrss may be that of its parent
 */
uint64_t
rss_peak(void);

#endif
