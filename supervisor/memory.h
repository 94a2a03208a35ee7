/* SPDX-License-Identifier: MIT */
/*
 * memory.h - shares --memory out, and makes the arena.
 *
 * Does: slabs, token cache, objects of git, within the limit; fewer workers
 *       where it is too small for all.
 * Does not: measure what is used (report_pss.c).
 * Runs in: the supervisor, before any fork.
 */
#ifndef SUPERVISOR_MEMORY_H
#define SUPERVISOR_MEMORY_H

#include "supervisor/supervisor.h"

/*
 * shape:  makes the segment; sets lanes, members and the bytes for objects of
 *         git, whether or not there is a repository: to look would be to touch
 *         a tree that may not answer
 * owner:  the supervisor, segment_destroy()
 * errors: an exit code, and an error is logged
 * calls:  supervisor_set_up(); again, with fewer lanes, once the segment is
 *         destroyed
 */
int
memory_share(struct supervisor *supervisor);

#endif
