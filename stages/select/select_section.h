/* SPDX-License-Identifier: MIT */
/*
 * select_section.h - which chunks of a file are taken first, where not all
 * of them can be.
 *
 *   0          what others can use: a definition that is exported
 *   1 to 241   what is complex, the one that branches most first
 *   243        what has open markers, wherever they stand in it
 *   244 to 253 other definitions and what branches, most branches first
 *   255        the rest
 *
 * A chunk in which nothing begins goes on with what is exported before it.
 */
#ifndef SELECT_SELECT_SECTION_H
#define SELECT_SELECT_SECTION_H

#include "shm/base.h"

#define SELECT_ORDER_EXPORTED 0
#define SELECT_ORDER_COMPLEX 1
#define SELECT_ORDER_MARKED 243
#define SELECT_ORDER_PLAIN 253 /* less its branches */
#define SELECT_ORDER_REST 255

#define SELECT_COMPLEX_BRANCHES 10 /* from so many on: McCabe's limit */
#define SELECT_BRANCHES_MAX 250    /* more are as these */

/* What is known of a chunk by the names in it, and its code. */
struct select_section {
	uint32_t def_nr;
	uint32_t export_nr; /* of these */
	uint32_t marker_nr;
	uint32_t branch_nr;
};

/*
 * shape:  its place among the chunks of its file: less is earlier
 * units:  before: that of the chunk before it, SELECT_ORDER_REST for the first
 */
uint8_t
select_section_order(const struct select_section *section, uint8_t before);

#endif
