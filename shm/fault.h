/* SPDX-License-Identifier: MIT */
/*
 * fault.h - points where a test can make a process fail.
 *
 * Does: in debug builds, FAULT("point") acts as the environment says:
 *         BALE_FAULT=name:point:hit:action
 *       name    as in the log: a stage with its lane ("count.0"), or "bale"
 *       hit     the how-manieth time the point is passed, from 1
 *       action  kill, segv, abort, stop, exit
 *       Each happens once in a run, however often the worker is replaced,
 *       unless the action ends with "!" (kill!).
 * Does not: exist in release builds.
 */
#ifndef SHM_FAULT_H
#define SHM_FAULT_H

#ifdef BALE_DEBUG
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

#define FAULT(point) fault_point(point)
#else
#define FAULT(point) ((void)0)
#endif

#endif
