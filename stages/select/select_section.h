/* SPDX-License-Identifier: MIT */
/*
 * select_section.h - which chunks of a file are taken first, where not all
 * of them can be.
 *
 *   0          what others can use: a definition that is exported
 *   1 to 100   other definitions, those with the most in them first
 *   101        what has open markers
 *   102        the rest
 *
 * A chunk in which nothing begins goes on with the one before it.
 */
#ifndef SELECT_SELECT_SECTION_H
#define SELECT_SELECT_SECTION_H

#include "shm/base.h"

#define SELECT_ORDER_EXPORTED 0
#define SELECT_ORDER_DEFINED 1
#define SELECT_ORDER_MARKED 101
#define SELECT_ORDER_REST 102

/* What is known of a chunk by the names in it. */
struct select_section {
	uint32_t def_nr;
	uint32_t export_nr; /* of these */
	uint32_t marker_nr;
};

/*
 * shape:  its place among the chunks of its file: less is earlier
 * units:  before: that of the chunk before it, SELECT_ORDER_REST for the first
 */
uint8_t
select_section_order(const struct select_section *section, uint8_t before);

#endif
