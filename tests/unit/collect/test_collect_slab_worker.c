/* SPDX-License-Identifier: MIT */
/*
 * test_collect_slab_worker.c - slabs of each lane, and which lane is next.
 */
#include "tests/support/test_collect_rig.h"

static void
give_back(enum edge_id edge, uint32_t lane, uint32_t slab_idx)
{
	const struct desc back = { .kind = DESC_SLAB,
				   .flags = DESC_RELEASE,
				   .slab_idx = slab_idx };

	rig_push(&rig, edge, lane, &back);
}

/* Of 8 slabs and 2 lanes each lane has 4; the first that is free is used. */
static void
test_slab_is_the_first_of_its_lane_that_is_free(void **state)
{
	collector_begin();
	for (uint32_t lane = 0; lane < 2; lane++) {
		for (uint32_t i = 0; i < 4; i++) {
			assert_int_equal(collect_free_slab(&rig.worker, lane),
					 4 * lane + i);
			/* to look does not take it */
			assert_int_equal(collect_free_slab(&rig.worker, lane),
					 4 * lane + i);
			collect_use_slab(&rig.worker, 4 * lane + i);
		}
		assert_int_equal(collect_free_slab(&rig.worker, lane),
				 SLAB_NONE);
	}
	give_back(EDGE_COUNT_SLABS, 0, 2);
	give_back(EDGE_COUNT_SLABS, 1, 7);
	give_back(EDGE_FORMAT_SLABS, 0, 5);
	assert_int_equal(collect_take_slabs_back(&rig.worker), 3);
	assert_int_equal(collect_take_slabs_back(&rig.worker), 0);
	assert_int_equal(collect_free_slab(&rig.worker, 0), 2);
	assert_int_equal(collect_free_slab(&rig.worker, 1), 5);
	collect_use_slab(&rig.worker, 5);
	assert_int_equal(collect_free_slab(&rig.worker, 1), 7);
}

/* Many slabs, against a list of bytes. */
static void
test_slab_of_many_is_found(void **state)
{
	bool used[RIG_SLABS_MAX] = { false };
	uint64_t seed = 0x51ab;

	rig_close(&rig);
	rig_open(&rig, 3, RIG_SLABS_MAX);
	rig.run.job.roots = scratch_here;
	rig.run.job.root_nr = 1;
	rig.run.job.io = IO_READ;
	collector_begin();
	for (int i = 0; i < 3000; i++) {
		uint32_t lane = (uint32_t)(random_next(&seed) % 3);
		uint32_t got = collect_free_slab(&rig.worker, lane);
		uint32_t idx = (uint32_t)(random_next(&seed) % RIG_SLABS_MAX);
		uint32_t first;
		uint32_t end;
		uint32_t want;

		slabs_of_lane(&rig.run.segment.slabs, lane, 3, &first, &end);
		for (want = first; want < end && used[want]; want++)
			;
		assert_int_equal(got, want < end ? want : SLAB_NONE);
		if (got != SLAB_NONE) {
			collect_use_slab(&rig.worker, got);
			used[got] = true;
		}
		if (used[idx] && i % 2 == 0) {
			give_back(EDGE_FORMAT_SLABS, 0, idx);
			assert_int_equal(collect_take_slabs_back(&rig.worker),
					 1);
			used[idx] = false;
			worker_commit(&rig.worker);
		}
	}
}

static void
fill_lane(uint32_t lane, uint32_t nr)
{
	const struct desc desc = { .kind = DESC_PART,
				   .flags = DESC_SCAN,
				   .slab_idx = SLAB_NONE };

	for (uint32_t i = 0; i < nr; i++)
		rig_push(&rig, EDGE_CONTENT, lane, &desc);
}

/* The emptiest lane, the first of equal ones; with a slab, if one is needed. */
static void
test_slab_lane_with_the_most_room_is_picked(void **state)
{
	const uint32_t all = edge_table[EDGE_CONTENT].entry_nr;
	uint32_t slab_idx;

	collector_begin();
	assert_int_equal(collect_pick_lane(&rig.worker, 1, NULL), 0);
	fill_lane(0, 3);
	assert_int_equal(collect_pick_lane(&rig.worker, 1, NULL), 1);
	assert_int_equal(collect_pick_lane(&rig.worker, 1, &slab_idx), 1);
	assert_int_equal(slab_idx, 4);
	for (uint32_t i = 4; i < 8; i++)
		collect_use_slab(&rig.worker, i);
	assert_int_equal(collect_pick_lane(&rig.worker, 1, &slab_idx), 0);
	assert_int_equal(slab_idx, 0);
	/* without a slab the emptier one is good enough */
	assert_int_equal(collect_pick_lane(&rig.worker, 1, NULL), 1);
	fill_lane(1, all - 1);
	assert_int_equal(collect_pick_lane(&rig.worker, all - 3, NULL), 0);
	assert_int_equal(collect_pick_lane(&rig.worker, all - 2, NULL),
			 LANES_MAX);
	fill_lane(0, all - 4);
	assert_int_equal(collect_pick_lane(&rig.worker, 1, NULL), 0);
	fill_lane(0, 1);
	fill_lane(1, 1);
	assert_int_equal(collect_pick_lane(&rig.worker, 1, NULL), LANES_MAX);
}

/* Of two lanes the first has workers; more are asked for when content comes and
 * what came before is still there. */
static void
test_slab_that_is_out_is_work_for_more_lanes(void **state)
{
	struct control_shm *control = rig.run.segment.control;

	store_release(&control->lanes_live, 1);
	store_release(&control->lanes_settled, 0);
	collector_begin();
	fill_lane(0, 3);
	assert_int_equal(collect_pick_lane(&rig.worker, 1, NULL), 0);
	collect_emit_turn(&rig.worker, 0, 0);
	assert_int_equal(control->lanes_wanted, 0);
	/* one that no lane with workers has */
	collect_use_slab(&rig.worker, 5);
	collect_emit_turn(&rig.worker, 1, 0);
	assert_int_equal(control->lanes_wanted, 0);
	collect_use_slab(&rig.worker, 2);
	collect_emit_turn(&rig.worker, 2, 0);
	assert_int_equal(control->lanes_wanted, 2);
	assert_int_equal(control->lanes_pass, PASS_FIRST);
	store_release(&control->lanes_live, 2);
	assert_int_equal(collect_pick_lane(&rig.worker, 1, NULL), 1);
}

static void
test_slab_turns_say_lane_or_reason(void **state)
{
	struct desc turn;

	collector_begin();
	collect_emit_turn(&rig.worker, 5, 1);
	collect_emit_left_out(&rig.worker, 6, REASON_SECRET);
	worker_commit(&rig.worker);
	assert_true(rig_pop(&rig, EDGE_ORDER, 0, &turn));
	assert_int_equal(turn.kind, DESC_LANE);
	assert_int_equal(turn.lane, 1);
	assert_int_equal(turn.file_idx, 5);
	assert_true(rig_pop(&rig, EDGE_ORDER, 0, &turn));
	assert_int_equal(turn.kind, DESC_FILE);
	assert_int_equal(turn.flags, DESC_LAST);
	assert_int_equal(turn.reason, REASON_SECRET);
	assert_int_equal(turn.file_idx, 6);
	assert_int_equal(turn.slab_idx, SLAB_NONE);
	assert_false(rig_pop(&rig, EDGE_ORDER, 0, &turn));
}

/* Behind the file with which content passes the bound, and told once, whatever
 * a replacement does again. */
static void
test_slab_turns_say_from_where_on_tokens_are_estimated(void **state)
{
	const struct control_shm *control;
	struct collect_state *collect;
	struct collect_item item = { .file_idx = 0, .file.bytes = 100 };

	collector_begin();
	collect = rig.worker.state;
	control = rig.run.segment.control;
	rig.run.job.counted_bytes = 250;
	for (; item.file_idx < 4; item.file_idx++) {
		collect_emit_content_turn(&rig.worker, &item, 0);
		ASSERT_EQ(load_relaxed(&control->estimated_from),
			  item.file_idx < 3 ? 0 : 3 + 1);
		ASSERT_EQ(file_is_estimated(
				  load_relaxed(&control->estimated_from),
				  item.file_idx),
			  item.file_idx >= 3);
	}
	ASSERT_EQ(collect->place.content_bytes, 400);
	collect_emit_content_turn(&rig.worker, &item, 0);
	ASSERT_EQ(load_relaxed(&control->estimated_from), 3 + 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COLLECTOR(test_slab_is_the_first_of_its_lane_that_is_free),
		COLLECTOR(test_slab_of_many_is_found),
		COLLECTOR(test_slab_lane_with_the_most_room_is_picked),
		COLLECTOR(test_slab_that_is_out_is_work_for_more_lanes),
		COLLECTOR(test_slab_turns_say_lane_or_reason),
		COLLECTOR(
			test_slab_turns_say_from_where_on_tokens_are_estimated),
	};

	return cmocka_run_group_tests_name("collect/collect_slab_worker",
					   tests, NULL, NULL);
}
