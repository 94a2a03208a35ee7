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

const struct plan_entry *
catalogue_plan_chunk(const struct catalogue *catalogue, uint64_t plan_nr,
		     uint64_t chunk_idx)
{
	uint64_t from = 0;

	while (plan_nr > 0) {
		uint64_t half = plan_nr / 2;
		const struct plan_entry *there =
			catalogue_plan(catalogue, from + half);

		if (there->chunk_idx == chunk_idx && there->tier == TIER_FULL)
			return there;
		/* signatures stand before the first chunk of their file */
		if (there->chunk_idx <= chunk_idx) {
			from += half + 1;
			plan_nr -= half + 1;
		} else {
			plan_nr = half;
		}
	}
	return NULL;
}
