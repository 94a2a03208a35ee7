/* SPDX-License-Identifier: MIT */
/*
 * section.h - which chunks of a file are taken first, where not all
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
#ifndef RANK_SECTION_H
#define RANK_SECTION_H

#include "base/base.h"

#define RANK_ORDER_EXPORTED 0
#define RANK_ORDER_COMPLEX 1
#define RANK_ORDER_MARKED 243
#define RANK_ORDER_PLAIN 253 /* less its branches */
#define RANK_ORDER_REST 255

#define RANK_COMPLEX_BRANCHES 10 /* from so many on: McCabe's limit */
#define RANK_BRANCHES_MAX 250    /* more count as this */

/* The properties of a chunk by the names in it, and its code. */
struct rank_section {
	uint32_t def_nr;
	uint32_t export_nr; /* of these */
	uint32_t marker_nr;
	uint32_t branch_nr;
};

/*
 * shape:  its place among the chunks of its file: less is earlier
 * units:  before: that of the previous chunk, RANK_ORDER_REST for the first
 */
uint8_t
rank_section_order(const struct rank_section *section, uint8_t before);

#endif
