/* SPDX-License-Identifier: MIT */
/*
 * section.c - the order of the chunks within a file.
 */
#include "rank/section.h"

uint8_t
rank_section_order(const struct rank_section *section, uint8_t before)
{
	uint32_t branch_nr =
		(uint32_t)min_u64(section->branch_nr, RANK_BRANCHES_MAX);

	if (section->export_nr > 0 ||
	    (section->def_nr == 0 && before == RANK_ORDER_EXPORTED))
		return RANK_ORDER_EXPORTED;
	if (branch_nr >= RANK_COMPLEX_BRANCHES)
		return (uint8_t)(RANK_ORDER_COMPLEX + RANK_BRANCHES_MAX -
				 branch_nr);
	if (section->marker_nr > 0)
		return RANK_ORDER_MARKED;
	if (section->def_nr > 0 || branch_nr > 0)
		return (uint8_t)(RANK_ORDER_PLAIN - branch_nr);
	return RANK_ORDER_REST;
}
