/* SPDX-License-Identifier: MIT */
/*
 * test_stages_table.c - the wiring: that the real table can be a pipeline,
 * and the arithmetic over it.
 */
#include "tests/support/test_shm.h"

#include "shm/ring.h"
#include "stages/chunk/chunk_work.h"
#include "stages/collect/collect_worker.h"
#include "stages/count/count_entry.h"
#include "stages/stage.h"

static const uint32_t lanes[] = { 1, 2, 3, 8, LANES_MAX };

static void
test_stage_table_names_every_stage(void **state)
{
	for (int i = 0; i < STAGE_NR; i++) {
		const struct stage *stage = &stage_table[i];

		ASSERT_TRUE(stage->name != NULL && stage->does != NULL);
		ASSERT_EQ(strspn(stage->name, "abcdefghijklmnopqrstuvwxyz"),
			  strlen(stage->name));
		for (int j = 0; j < i; j++)
			assert_string_not_equal(stage->name,
						stage_table[j].name);
	}
}

static void
test_stage_table_has_all_callbacks_and_small_states(void **state)
{
	for (int i = 0; i < STAGE_NR; i++) {
		const struct stage_ops *ops = stage_table[i].ops;

		ASSERT_TRUE(ops->init != NULL && ops->step != NULL &&
			    ops->flush != NULL && ops->poison != NULL);
		ASSERT_TRUE(ops->state_bytes > 0);
		ASSERT_TRUE(ops->state_bytes <= STATE_BYTES_MAX);
	}
}

/* verifies: R1 */
static void
test_edge_table_gives_each_ring_one_producer_and_one_consumer(void **state)
{
	for (size_t l = 0; l < ARRAY_LEN(lanes); l++) {
		struct segment_plan plan;

		stage_plan_segment(&plan, lanes[l], 0, 0);
		ASSERT_TRUE(plan.ring_nr <= RINGS_MAX);
		ASSERT_EQ(plan.worker_nr, stage_worker_nr(lanes[l]));
		for (uint32_t i = 0; i < plan.ring_nr; i++) {
			ASSERT_TRUE(plan.ring_producer[i] < plan.worker_nr);
			ASSERT_TRUE(plan.ring_consumer[i] < plan.worker_nr);
			ASSERT_TRUE(plan.ring_producer[i] !=
				    plan.ring_consumer[i]);
			ASSERT_TRUE(ring_bytes(plan.ring_entries[i]) > 0);
		}
	}
}

/*
 * A step emits into one ring what the step log and the ring can hold. A
 * producer that wakes its peer only after more than the ring holds would
 * never wake it but by going to sleep itself.
 */
static void
test_edge_table_wakes_before_a_ring_is_full(void **state)
{
	for (int i = 0; i < EDGE_NR; i++) {
		ASSERT_TRUE(edge_table[i].entry_nr >= 1);
		ASSERT_TRUE(edge_table[i].wake_after >= 1);
		ASSERT_TRUE(edge_table[i].wake_after <= edge_table[i].entry_nr);
		ASSERT_TRUE(edge_table[i].carries != NULL);
	}
}

/*
 * A producer that waits for room is woken each time that a quarter of the ring
 * was taken: what a step asks for is free by the last time.
 */
static void
test_edge_table_leaves_room_for_a_step_before_a_ring_is_empty(void **state)
{
	static const struct {
		enum edge_id edge;
		uint32_t room; /* that its producer may ask for */
	} cases[] = {
		{ EDGE_CONTENT, COLLECT_BATCH_MAX },
		{ EDGE_CHUNKS, EMITS_NEEDED },
		{ EDGE_COUNTED, COUNT_OUT_MAX },
		{ EDGE_ORDER, COLLECT_TURN_ROOM },
		{ EDGE_UNIQUE, 2 },
		{ EDGE_SELECTED, 1 },
		{ EDGE_COUNT_SLABS, COUNT_OUT_MAX },
		{ EDGE_FORMAT_SLABS, 1 },
	};

	_Static_assert(ARRAY_LEN(cases) == EDGE_NR, "each edge");
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint32_t entry_nr = edge_table[cases[i].edge].entry_nr;

		ASSERT_TRUE(cases[i].room <= entry_nr - entry_nr / 4);
	}
}

/* Streams go forward; only what is no stream may go back. */
static void
test_edge_table_streams_make_no_circle(void **state)
{
	for (int i = 0; i < EDGE_NR; i++) {
		ASSERT_TRUE(edge_table[i].from != edge_table[i].to);
		if (edge_table[i].is_stream)
			ASSERT_TRUE(edge_table[i].from < edge_table[i].to);
		else
			ASSERT_EQ(edge_table[i].to, STAGE_COLLECT);
	}
}

/* verifies: R4 */
static void
test_edge_table_brings_slabs_back_to_collect(void **state)
{
	ASSERT_EQ(edge_table[EDGE_COUNT_SLABS].from, STAGE_COUNT);
	ASSERT_EQ(edge_table[EDGE_COUNT_SLABS].to, STAGE_COLLECT);
	ASSERT_EQ(edge_table[EDGE_FORMAT_SLABS].from, STAGE_FORMAT);
	ASSERT_EQ(edge_table[EDGE_FORMAT_SLABS].to, STAGE_COLLECT);
}

static void
test_stage_index_of_a_worker_goes_both_ways(void **state)
{
	for (size_t l = 0; l < ARRAY_LEN(lanes); l++) {
		uint32_t idx = 0;

		for (int i = 0; i < STAGE_NR; i++) {
			enum stage_id stage = (enum stage_id)i;
			uint32_t nr = stage_table[i].per_lane ? lanes[l] : 1;

			for (uint32_t lane = 0; lane < nr; lane++, idx++) {
				enum stage_id back;
				uint32_t its_lane;

				ASSERT_EQ(
					stage_worker_idx(stage, lane, lanes[l]),
					idx);
				stage_of_worker(idx, lanes[l], &back,
						&its_lane);
				ASSERT_EQ(back, stage);
				ASSERT_EQ(its_lane, lane);
			}
		}
		ASSERT_EQ(stage_worker_nr(lanes[l]), idx);
		ASSERT_TRUE(idx <= WORKERS_MAX);
	}
}

static void
test_edge_index_of_a_ring_counts_through(void **state)
{
	for (size_t l = 0; l < ARRAY_LEN(lanes); l++) {
		uint32_t idx = 0;

		for (int i = 0; i < EDGE_NR; i++) {
			enum edge_id edge = (enum edge_id)i;
			uint32_t nr = edge_ring_nr(edge, lanes[l]);

			for (uint32_t lane = 0; lane < nr; lane++, idx++)
				ASSERT_EQ(edge_ring_idx(edge, lane, lanes[l]),
					  idx);
		}
	}
}

static uint32_t
rings_of(const struct segment_plan *plan, uint32_t worker)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < plan->ring_nr; i++)
		nr += plan->ring_producer[i] == worker ||
		      plan->ring_consumer[i] == worker;
	return nr;
}

static void
test_stage_plan_gives_no_worker_more_rings_than_ports(void **state)
{
	struct segment_plan plan;

	stage_plan_segment(&plan, LANES_MAX, 0, 0);
	for (uint32_t i = 0; i < plan.worker_nr; i++)
		ASSERT_TRUE(rings_of(&plan, i) <= PORTS_MAX);
}

static void
child_asks_for_no_such_worker(void *arg)
{
	enum stage_id stage;
	uint32_t lane;

	stage_of_worker(stage_worker_nr(2), 2, &stage, &lane);
}

static void
child_asks_for_no_such_ring(void *arg)
{
	edge_ring_idx(EDGE_CONTENT, 2, 2);
}

static void
child_plans_too_many_lanes(void *arg)
{
	struct segment_plan plan;

	stage_plan_segment(&plan, LANES_MAX + 1, 0, 0);
}

/* verifies: R7 */
static void
test_stage_arithmetic_out_of_range_ends_the_process(void **state)
{
	ASSERT_EQ(run_child(child_asks_for_no_such_worker, NULL), -SIGABRT);
	ASSERT_EQ(run_child(child_asks_for_no_such_ring, NULL), -SIGABRT);
	ASSERT_EQ(run_child(child_plans_too_many_lanes, NULL), -SIGABRT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_stage_table_names_every_stage),
		cmocka_unit_test(
			test_stage_table_has_all_callbacks_and_small_states),
		cmocka_unit_test(
			test_edge_table_gives_each_ring_one_producer_and_one_consumer),
		cmocka_unit_test(test_edge_table_wakes_before_a_ring_is_full),
		cmocka_unit_test(
			test_edge_table_leaves_room_for_a_step_before_a_ring_is_empty),
		cmocka_unit_test(test_edge_table_streams_make_no_circle),
		cmocka_unit_test(test_edge_table_brings_slabs_back_to_collect),
		cmocka_unit_test(test_stage_index_of_a_worker_goes_both_ways),
		cmocka_unit_test(test_edge_index_of_a_ring_counts_through),
		cmocka_unit_test(
			test_stage_plan_gives_no_worker_more_rings_than_ports),
		cmocka_unit_test(
			test_stage_arithmetic_out_of_range_ends_the_process),
	};

	return cmocka_run_group_tests_name("stages/table", tests, NULL, NULL);
}
