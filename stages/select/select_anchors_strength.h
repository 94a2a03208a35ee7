/* SPDX-License-Identifier: MIT */
/*
 * select_anchors_strength.h - how strongly a query names files, and lines of them.
 *
 * Does: keeps what has been found, and says it of a file and of a chunk.
 * Does not: find it (select_anchors.h).
 * Runs in: select.
 * Limits: the first SELECT_ANCHORS_MAX.
 */
#ifndef SELECT_SELECT_ANCHORS_STRENGTH_H
#define SELECT_SELECT_ANCHORS_STRENGTH_H

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
