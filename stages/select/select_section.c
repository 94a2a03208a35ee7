/* SPDX-License-Identifier: MIT */
/*
 * select_section.c - the order of the chunks within a file.
 */
#include "stages/select/select_section.h"

uint8_t
select_section_order(const struct select_section *section, uint8_t before)
{
	uint32_t branch_nr =
		(uint32_t)min_u64(section->branch_nr, SELECT_BRANCHES_MAX);

	if (section->export_nr > 0 ||
	    (section->def_nr == 0 && before == SELECT_ORDER_EXPORTED))
		return SELECT_ORDER_EXPORTED;
	if (branch_nr >= SELECT_COMPLEX_BRANCHES)
		return (uint8_t)(SELECT_ORDER_COMPLEX + SELECT_BRANCHES_MAX -
				 branch_nr);
	if (section->marker_nr > 0)
		return SELECT_ORDER_MARKED;
	if (section->def_nr > 0 || branch_nr > 0)
		return (uint8_t)(SELECT_ORDER_PLAIN - branch_nr);
	return SELECT_ORDER_REST;
}
