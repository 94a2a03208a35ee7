/* SPDX-License-Identifier: MIT */
/*
 * plan.c - finding a place in the plan.
 */
#include "catalogue/plan.h"

uint64_t
catalogue_plan_first(const struct catalogue *catalogue, uint64_t plan_nr,
		     uint32_t file_idx)
{
	uint64_t from = 0;

	while (plan_nr > 0) {
		uint64_t half = plan_nr / 2;
		uint64_t chunk_idx =
			catalogue_plan(catalogue, from + half)->chunk_idx;

		if (catalogue_chunk(catalogue, chunk_idx)->file_idx <
		    file_idx) {
			from += half + 1;
			plan_nr -= half + 1;
		} else {
			plan_nr = half;
		}
	}
	return from;
}
