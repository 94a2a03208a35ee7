/* SPDX-License-Identifier: MIT */
/*
 * list_trees.h - the files of the trees, before a run.
 *
 * Does: has collect walk in a process of its own, shut in as the collector is.
 * Does not: know what the names are for.
 * Runs in: the supervisor, before the first worker.
 */
#ifndef SUPERVISOR_LIST_TREES_H
#define SUPERVISOR_LIST_TREES_H

#include "sources/source.h"

/*
 * shape:  calls fn, in the other process, for each file that a run would find
 * units:  trees: struct run; deadline_ns as of clock_now_ns()
 * errors: -ETIMEDOUT: not by the deadline; -ECHILD: the process ended by
 *         itself, or by another's hand; -errno, of fn as well
 */
int
list_trees(const void *trees, uint64_t deadline_ns, source_file_fn *fn,
	   void *context);

#endif
