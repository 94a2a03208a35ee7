/* SPDX-License-Identifier: MIT */
/*
 * test_dedup_poison.c - entries that end dedup each time: their file is left
 *                       out, the others are not.
 */
#include "catalogue/desc.h"
#include "tests/support/test_dedup_rig.h"
#include "stages/job.h"

/* Takes entries one by one, and calls the one at `poison` poison. */
static void
run_with_poison(int poison)
{
	int at = 0;

	/* relaxed: one process */
	atomic_store_explicit(&rig.worker.shm->retry, 1, memory_order_relaxed);
	for (;;) {
		int result = rig_step_uncommitted(&rig, at == poison);

		if (result != STEP_DONE)
			break;
		worker_commit(&rig.worker);
		at++;
	}
	ASSERT_EQ(rig_used(&rig, EDGE_ORDER, 0), 0);
	for (uint32_t lane = 0; lane < LANES; lane++)
		ASSERT_EQ(rig_used(&rig, EDGE_COUNTED, lane), 0);
}

static void
test_dedup_poison_in_a_survey_leaves_that_file_out(void **state)
{
	for (int poison = 0; poison < 4; poison++) {
		struct desc_file facts;
		struct desc run;

		if (poison > 0)
			setup(NULL);
		make_files(2, 9, 5);
		for (uint32_t i = 0; i < 2; i++) {
			files[i] = (struct made_file){ .content = 7,
						       .chunk_nr = 2 };
			push_turn(i);
			for (uint32_t c = 0; c < 2; c++) {
				run = scan_run(i, c);
				rig_push(&rig, EDGE_COUNTED, 0, &run);
			}
			facts = scan_facts(i);
			rig_push(&rig, EDGE_COUNTED, 0, &facts);
		}
		run_with_poison(poison);
		files[0].reason = REASON_POISON;
		assert_catalogue();
		if (poison < 3)
			teardown(NULL);
	}
}

/* Both files have the same bytes: the one left out is no first of them. */
static void
test_dedup_poison_where_all_is_taken_leaves_that_file_out(void **state)
{
	for (int poison = 0; poison < 3; poison++) {
		const struct catalogue *catalogue = &rig.run.catalogue;
		struct desc desc;
		uint32_t runs = 0;
		uint32_t slabs = 0;

		if (poison > 0)
			setup(NULL);
		rig.run.job.budget_tokens = BUDGET_ALL;
		job_resolve(&rig.run.job);
		push_emitted(0, 42, 3);
		push_emitted(1, 42, 4);
		run_with_poison(poison);
		while (rig_pop(&rig, EDGE_UNIQUE, 0, &desc)) {
			slabs += (desc.flags & DESC_RELEASE) != 0;
			runs += desc.kind == DESC_RUN;
			if (desc.kind == DESC_RUN)
				ASSERT_EQ(desc.file_idx, 1);
		}
		ASSERT_EQ(slabs, 2);
		ASSERT_EQ(catalogue_facts(catalogue, 0)->reason, REASON_POISON);
		ASSERT_EQ(catalogue_facts(catalogue, 1)->reason, REASON_NONE);
		ASSERT_EQ(runs, 1);
		ASSERT_EQ(catalogue_facts(catalogue, 1)->same_as, FILE_NONE);
		if (poison < 2)
			teardown(NULL);
	}
}

/* A large file: looked at, then written; poison at each of its entries. */
static void
test_dedup_poison_in_a_large_file_leaves_its_rest_out(void **state)
{
	for (int poison = 0; poison < 6; poison++) {
		struct desc desc = { .kind = DESC_LANE, .slab_idx = SLAB_NONE };
		struct desc_file facts;
		uint32_t runs = 0;
		uint32_t slabs = 0;
		uint8_t reason = REASON_NONE;

		if (poison > 0)
			setup(NULL);
		rig.run.job.budget_tokens = BUDGET_ALL;
		job_resolve(&rig.run.job);
		make_files(1, 1, 1);
		files[0] = (struct made_file){ .content = 10, .chunk_nr = 2 };
		rig_push(&rig, EDGE_ORDER, 0, &desc);
		desc = scan_run(0, 0);
		rig_push(&rig, EDGE_COUNTED, 0, &desc);
		facts = scan_facts(0);
		facts.flags = DESC_SCAN; /* not the last of it */
		rig_push(&rig, EDGE_COUNTED, 0, &facts);
		push_planned(0, 0, DESC_RELEASE | DESC_MORE);
		push_planned(0, 1, DESC_RELEASE | DESC_MORE);
		push_planned(0, 2, DESC_RELEASE | DESC_LAST);
		run_with_poison(poison);
		while (rig_pop(&rig, EDGE_UNIQUE, 0, &desc)) {
			slabs += (desc.flags & DESC_RELEASE) != 0;
			runs += desc.kind == DESC_RUN;
			if (desc.kind == DESC_FILE)
				reason = desc.reason;
		}
		ASSERT_EQ(slabs, 3);
		if (runs != (uint32_t)(poison < 3 ? 0 : poison - 3))
			fail_msg("poison at %d: got %u runs let through, want "
				 "%d",
				 poison, runs, poison < 3 ? 0 : poison - 3);
		/* told to the report, and to format */
		ASSERT_EQ(reason, REASON_POISON);
		assert_gathered_facts(0, REASON_POISON);
		if (poison < 5)
			teardown(NULL);
	}
}

static void
test_dedup_poison_in_a_planned_file_spoils_it(void **state)
{
	for (int poison = 0; poison < 3; poison++) {
		struct desc desc;
		uint32_t slabs = 0;

		if (poison > 0)
			setup(NULL);
		survey_three();
		push_turn(0);
		push_planned(0, 0, 0);
		push_planned(0, 1, DESC_RELEASE | DESC_LAST);
		push_turn(1);
		push_planned(1, 0, 0);
		push_planned(1, 1, DESC_RELEASE | DESC_LAST);
		run_with_poison(poison);
		while (rig_pop(&rig, EDGE_UNIQUE, 0, &desc)) {
			slabs += (desc.flags & DESC_RELEASE) != 0;
			if (desc.kind == DESC_RUN && desc.file_idx == 0)
				ASSERT_EQ(poison, 2);
		}
		ASSERT_EQ(slabs, 2);
		assert_gathered_facts(0, REASON_POISON);
		assert_gathered_facts(1, REASON_NONE);
		if (poison < 2)
			teardown(NULL);
	}
}

/* The worker that takes its place may be asked before the entry is there. */
static void
test_dedup_poison_that_is_not_there_yet_is_waited_for(void **state)
{
	make_files(1, 1, 5);
	files[0] = (struct made_file){ .chunk_nr = 1 };
	ASSERT_EQ(rig_step_uncommitted(&rig, true), STEP_AGAIN);
	push_turn(0);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_EQ(rig_step_uncommitted(&rig, true), STEP_AGAIN);
	ASSERT_EQ(rig.worker.pass, PASS_FIRST);
}

static void
test_dedup_poison_that_never_comes_ends_the_pass(void **state)
{
	rig_close_inputs(&rig, 1);
	ASSERT_EQ(rig_step_uncommitted(&rig, true), STEP_DONE);
	ASSERT_EQ(rig.worker.pass, PASS_FIRST + 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_dedup_poison_in_a_survey_leaves_that_file_out),
		CASE(test_dedup_poison_where_all_is_taken_leaves_that_file_out),
		CASE(test_dedup_poison_in_a_large_file_leaves_its_rest_out),
		CASE(test_dedup_poison_in_a_planned_file_spoils_it),
		CASE(test_dedup_poison_that_is_not_there_yet_is_waited_for),
		CASE(test_dedup_poison_that_never_comes_ends_the_pass),
	};

	return cmocka_run_group_tests_name("dedup/poison", tests, NULL, NULL);
}
