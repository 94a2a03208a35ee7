/* SPDX-License-Identifier: MIT */
/*
 * collect_io_names.h - what stands before the paths of each PATH in outputs.
 *
 *   --paths root      nothing; where several trees are packed, the shortest end
 *                     of each one's path that tells them apart: "src/", "b/src/"
 *           cwd       its path from the current directory: "../src/"
 *           absolute  its path: "/srv/x/src/"
 *
 * Does: finds the trees: a directory that was named and is in no other; of a
 *       file that is in none of them the current directory, if it is below
 *       that, or else the one that it lies in.
 * Does not: open anything; look at paths below a PATH.
 * Runs in: the collector, before the sandbox: a tree may not answer.
 * Invariants:
 * 1. How a PATH was typed makes no difference.
 * 2. No name is another one's directory: all paths of outputs differ.
 */
#ifndef COLLECT_COLLECT_IO_NAMES_H
#define COLLECT_COLLECT_IO_NAMES_H

#include "stages/job.h"

/*
 * shape:  a name for each PATH, "" or ended by a slash; "" of one that is not
 *         there or has no path
 * owner:  the caller, free(3): the array and each name
 * errors: -ENOMEM
 */
int
collect_names(const char *const *roots, size_t nr, enum paths_mode mode,
	      char ***names);

#endif
