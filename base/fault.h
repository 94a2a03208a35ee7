/* SPDX-License-Identifier: MIT */
/*
 * fault.h - points where a test can make a process fail.
 *
 * Does: in debug builds, FAULT("point") acts as the environment says:
 *         BALE_FAULT=name:point:hit:action
 *       name    as in the log: a stage with its lane ("count.0"), "find", or
 *               "bale", which is the supervisor and any other command
 *       hit     the how-manieth time the point is passed, from 1
 *       action  kill, segv, abort, stop, exit; int, term, hup; spin: computes
 *               for ever; wait: says so on stderr and does not go on, but by a
 *               signal
 *       Each happens once in a run, however often the worker is replaced,
 *       unless the action ends with "!" (kill!).
 *       With the action say the process goes on, and names each point that
 *       it passes on stderr, whatever the point is called.
 * Does not: exist in release builds.
 */
#ifndef BASE_FAULT_H
#define BASE_FAULT_H

#ifdef BALE_DEBUG
#include <sys/types.h>

/* calls: FAULT() */
void
fault_point(const char *point);

/*
 * shape:  reads the environment; `hits` is one word of shared memory in which
 *         passes are counted over all incarnations
 * calls:  each worker after its fork, with its own word
 */
void
fault_init(const char *name, _Atomic unsigned long *hits);

/* Sends the signals of faults to another process, whose helper this is. */
void
fault_stand_for(pid_t pid);

#define FAULT(point) fault_point(point)
#define FAULT_STAND_FOR(pid) fault_stand_for(pid)
#else
#define FAULT(point) ((void)0)
#define FAULT_STAND_FOR(pid) ((void)(pid))
#endif

#endif
