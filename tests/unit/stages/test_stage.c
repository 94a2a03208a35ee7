/* SPDX-License-Identifier: MIT */
/*
 * test_stage.c - numbers of workers and rings: each has one, and all lie
 * without gaps behind each other, for any number of lanes.
 */
#include "tests/support/test_shm.h"

#include "stages/stage.h"

static void
test_stage_workers_are_numbered_without_gaps(void **state)
{
	for (uint32_t lanes = 1; lanes <= LANES_MAX; lanes += 7) {
		uint32_t next = 0;

		for (int i = 0; i < STAGE_NR; i++) {
			uint32_t nr = stage_table[i].per_lane ? lanes : 1;

			for (uint32_t lane = 0; lane < nr; lane++, next++) {
				enum stage_id stage;
				uint32_t of;

				ASSERT_EQ(stage_worker_idx((enum stage_id)i,
							   lane, lanes),
					  next);
				stage_of_worker(next, lanes, &stage, &of);
				ASSERT_EQ(stage, i);
				ASSERT_EQ(of, lane);
			}
		}
		ASSERT_EQ(stage_worker_nr(lanes), next);
	}
}

static void
test_stage_rings_have_one_producer_and_one_consumer(void **state)
{
	static const uint32_t lane_nrs[] = { 1, 2, 5, LANES_MAX };

	for (size_t l = 0; l < ARRAY_LEN(lane_nrs); l++) {
		uint32_t lanes = lane_nrs[l];
		static struct segment_plan plan;
		uint32_t next = 0;

		stage_plan_segment(&plan, lanes, 9, 77);
		ASSERT_EQ(plan.worker_nr, stage_worker_nr(lanes));
		ASSERT_EQ(plan.lane_nr, lanes);
		ASSERT_EQ(plan.slab_nr, 9);
		ASSERT_EQ(plan.cache_bytes, 77);
		for (int e = 0; e < EDGE_NR; e++) {
			const struct edge *edge = &edge_table[e];
			bool is_shared = !stage_table[edge->from].per_lane &&
					 !stage_table[edge->to].per_lane;
			uint32_t nr = edge_ring_nr((enum edge_id)e, lanes);

			ASSERT_EQ(nr, is_shared ? 1 : lanes);
			for (uint32_t lane = 0; lane < nr; lane++, next++) {
				enum stage_id stage;
				uint32_t of;

				ASSERT_EQ(edge_ring_idx((enum edge_id)e, lane,
							lanes),
					  next);
				ASSERT_EQ(plan.ring_entries[next],
					  edge->entry_nr);
				stage_of_worker(plan.ring_producer[next], lanes,
						&stage, &of);
				ASSERT_EQ(stage, edge->from);
				ASSERT_EQ(of, stage_table[stage].per_lane ? lane
									  : 0);
				stage_of_worker(plan.ring_consumer[next], lanes,
						&stage, &of);
				ASSERT_EQ(stage, edge->to);
				ASSERT_EQ(of, stage_table[stage].per_lane ? lane
									  : 0);
			}
		}
		ASSERT_EQ(plan.ring_nr, next);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stage_workers_are_numbered_without_gaps),
		cmocka_unit_test(
			test_stage_rings_have_one_producer_and_one_consumer),
	};

	return cmocka_run_group_tests_name("stages/stage", tests, NULL, NULL);
}
