/* SPDX-License-Identifier: MIT */
/*
 * select_anchors.h - what a query names, looked up in the catalogue.
 *
 * Does: finds the files of its places and modules, and the definitions of its
 *       names.
 * Does not: read the query (rank/anchor.c) or content.
 * Runs in: select.
 * Invariants:
 * 1. The same for any number of workers: files are looked at in their order.
 * 2. Memory does not grow with the catalogue.
 */
#ifndef SELECT_SELECT_ANCHORS_H
#define SELECT_SELECT_ANCHORS_H

#include "rank/anchor.h"
#include "stages/select/select_anchors_strength.h"

/* Whether a file may be named; the others only by their path. */
typedef bool
select_anchors_fn(const void *context, uint32_t file_idx);

/*
 * shape:  all that is named, in *out
 * errors: -ENOMEM
 */
int
select_anchors_find(struct planner *planner, const struct anchors *anchors,
		    select_anchors_fn *counts, const void *context,
		    struct select_anchors *out);

#endif
