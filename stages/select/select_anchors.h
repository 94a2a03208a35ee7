/* SPDX-License-Identifier: MIT */
/*
 * select_anchors.h - what a query names, looked up in the catalogue.
 *
 * Does: finds the files of its places and modules, and the definitions of its
 *       names; says how strongly a file and lines of it are named.
 * Does not: read the query (rank/anchor.c) or content.
 * Runs in: select.
 * Invariants:
 * 1. The same for any number of workers: files are looked at in their order.
 * 2. Memory does not grow with the catalogue.
 */
#ifndef SELECT_SELECT_ANCHORS_H
#define SELECT_SELECT_ANCHORS_H

#include "rank/anchor.h"
#include "stages/select/select_planner.h"

#define SELECT_ANCHORS_MAX 1024

/* A file that is named, or a line of one. */
struct select_anchor {
	uint32_t file_idx;
	uint32_t line; /* 0: the file */
	float strength;
};

struct select_anchors {
	struct select_anchor found[SELECT_ANCHORS_MAX]; /* by file and line */
	uint32_t nr;
	bool is_all; /* the query is these and nothing else, or half of it is a
		      * phrase that was found */
};

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

/* Adds a file, or a line of it, unless there is no room or its strength is 0. */
void
select_anchors_add(struct select_anchors *out, uint32_t file_idx, uint32_t line,
		   double strength);

/* By file and line; before any of the following is asked for. */
void
select_anchors_sort(struct select_anchors *anchors);

/* Whether a file, or a place in it, is named. */
bool
select_anchors_has(const struct select_anchors *anchors, uint32_t file_idx);

/* How strongly a file is named, 0 to 1. */
double
select_anchors_file(const struct select_anchors *anchors, uint32_t file_idx);

/* The same of a chunk of a file, with the definition that it begins within. */
double
select_anchors_chunk(const struct planner *planner,
		     const struct select_anchors *anchors, uint32_t file_idx,
		     uint32_t ordinal);

#endif
