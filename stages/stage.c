/* SPDX-License-Identifier: MIT */
/*
 * stage.c - arithmetic over the stage and edge tables.
 */
#include "stages/stage.h"

uint32_t
stage_worker_nr(uint32_t lane_nr)
{
	uint32_t nr = 0;

	for (int stage = 0; stage < STAGE_NR; stage++)
		nr += stage_table[stage].per_lane ? lane_nr : 1;
	return nr;
}

uint32_t
stage_worker_idx(enum stage_id stage, uint32_t lane, uint32_t lane_nr)
{
	uint32_t idx = 0;

	for (int before = 0; before < (int)stage; before++)
		idx += stage_table[before].per_lane ? lane_nr : 1;
	return idx + (stage_table[stage].per_lane ? lane : 0);
}

void
stage_of_worker(uint32_t worker_idx, uint32_t lane_nr, enum stage_id *stage,
		uint32_t *lane)
{
	for (int i = 0; i < STAGE_NR; i++) {
		uint32_t nr = stage_table[i].per_lane ? lane_nr : 1;

		if (worker_idx < nr) {
			*stage = (enum stage_id)i;
			*lane = worker_idx;
			return;
		}
		worker_idx -= nr;
	}
	base_assert_failed("worker index in range", __FILE__, __LINE__);
}

uint32_t
edge_ring_nr(enum edge_id edge, uint32_t lane_nr)
{
	bool lanes = stage_table[edge_table[edge].from].per_lane ||
		     stage_table[edge_table[edge].to].per_lane;

	return lanes ? lane_nr : 1;
}

uint32_t
edge_ring_idx(enum edge_id edge, uint32_t lane, uint32_t lane_nr)
{
	uint32_t idx = 0;

	for (int before = 0; before < (int)edge; before++)
		idx += edge_ring_nr((enum edge_id)before, lane_nr);
	ASSERT(lane < edge_ring_nr(edge, lane_nr));
	return idx + lane;
}

void
stage_plan_segment(struct segment_plan *plan, uint32_t lane_nr,
		   uint32_t slab_nr, uint64_t cache_bytes)
{
	ASSERT(lane_nr >= 1 && lane_nr <= LANES_MAX);
	*plan = (struct segment_plan){
		.worker_nr = stage_worker_nr(lane_nr),
		.lane_nr = lane_nr,
		.slab_nr = slab_nr,
		.cache_bytes = cache_bytes,
	};
	for (int i = 0; i < EDGE_NR; i++) {
		enum edge_id edge = (enum edge_id)i;
		const struct edge *e = &edge_table[edge];

		for (uint32_t lane = 0; lane < edge_ring_nr(edge, lane_nr);
		     lane++) {
			uint32_t ring = plan->ring_nr++;

			plan->ring_entries[ring] = e->entry_nr;
			plan->ring_producer[ring] =
				stage_worker_idx(e->from, lane, lane_nr);
			plan->ring_consumer[ring] =
				stage_worker_idx(e->to, lane, lane_nr);
		}
	}
}
