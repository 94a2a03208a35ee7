/* SPDX-License-Identifier: MIT */
/*
 * select_section.c - the order of the chunks within a file.
 */
#include "stages/select/select_section.h"

uint8_t
select_section_order(const struct select_section *section, uint8_t before)
{
	uint32_t most = SELECT_ORDER_MARKED - SELECT_ORDER_DEFINED;

	if (section->export_nr > 0)
		return SELECT_ORDER_EXPORTED;
	if (section->def_nr > 0)
		return (uint8_t)(SELECT_ORDER_DEFINED + most -
				 (uint32_t)min_u64(section->def_nr, most));
	if (before < SELECT_ORDER_MARKED)
		return before;
	return section->marker_nr > 0 ? SELECT_ORDER_MARKED : SELECT_ORDER_REST;
}
