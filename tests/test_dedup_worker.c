/* SPDX-License-Identifier: MIT */
/*
 * test_dedup_worker.c - counted runs of several lanes into one order.
 *
 * The test plays collect (turns), the count workers of all lanes, and select.
 * Files are made from a seed; what dedup writes into the catalogue and lets
 * through is compared with what follows from the list of files.
 */
#include "tests/test_dedup_rig.h"

static void
test_dedup_chain_of_runs_is_one_chunk(void **state)
{
	const struct chunk_record *chunk;
	struct desc_file facts;
	struct desc run;

	make_files(1, 1, 1);
	files[0] = (struct made_file){ .chunk_nr = 1 };
	push_turn(0);
	for (uint32_t i = 0; i < 4; i++) {
		run = scan_run(0, 0);
		run.file_off = 50 + 1000ull * i;
		run.line_first = 8;
		run.line_nr = 1;
		run.tokens = i == 3 ? 700 : 0;
		run.flags = i == 3 ? DESC_SCAN : DESC_SCAN | DESC_MORE;
		rig_push(&rig, EDGE_COUNTED, 0, &run);
		ASSERT_TRUE(rig_step_twice(&rig) == STEP_DONE);
	}
	facts = scan_facts(0);
	rig_push(&rig, EDGE_COUNTED, 0, &facts);
	ASSERT_EQ(rig_run(&rig), 1);
	ASSERT_EQ(catalogue_facts(&rig.run.catalogue, 0)->chunk_nr, 1);
	chunk = catalogue_chunk(&rig.run.catalogue, 0);
	ASSERT_EQ(chunk->file_off, 50);
	ASSERT_EQ(chunk->bytes, 4000);
	ASSERT_EQ(chunk->line_first, 8);
	ASSERT_EQ(chunk->line_nr, 1);
	ASSERT_EQ(chunk->tokens, 700);
}

/* ---- everything is taken: one pass, content goes through ---- */

/* A file of one run, to be written as it is read. */
static void
push_emitted(uint32_t file_idx, uint32_t content, uint32_t slab_idx)
{
	struct desc turn = { .kind = DESC_TURN,
			     .file_idx = file_idx,
			     .slab_idx = SLAB_NONE };
	struct desc_file facts = {
		.kind = DESC_FILE,
		.flags = DESC_EMIT,
		.file_idx = file_idx,
		.slab_idx = SLAB_NONE,
		.bytes = 500,
		.line_nr = 5,
	};
	struct desc run = {
		.kind = DESC_RUN,
		.flags = DESC_EMIT | DESC_LAST | DESC_RELEASE,
		.file_idx = file_idx,
		.slab_idx = slab_idx,
		.slab_off = SLAB_HEAD_BYTES,
		.bytes = 500,
		.line_first = 1,
		.line_nr = 5,
		.tokens_alone = 111,
	};

	rig_add_file(&rig, file_idx, "f", "");
	digest_of(content, facts.sha256);
	rig_push(&rig, EDGE_TURNS, 0, &turn);
	rig_push(&rig, EDGE_COUNTED, 0, &facts);
	rig_push(&rig, EDGE_COUNTED, 0, &run);
}

static struct desc
pop(void)
{
	struct desc desc = { 0 };

	if (!rig_pop(&rig, EDGE_UNIQUE, 0, &desc))
		fail_msg("got nothing let through, want an entry");
	return desc;
}

static void
assert_popped(uint8_t kind, uint32_t file_idx, uint8_t reason)
{
	struct desc desc = pop();

	ASSERT_EQ(desc.kind, kind);
	ASSERT_EQ(desc.file_idx, file_idx);
	ASSERT_EQ(desc.reason, reason);
}

static void
assert_nothing_more(void)
{
	ASSERT_EQ(rig_used(&rig, EDGE_UNIQUE, 0), 0);
}

/* verifies: FR-016-94, AC-016c-021 */
static void
test_dedup_of_the_same_files_lets_the_first_through(void **state)
{
	const struct catalogue *catalogue = &rig.run.catalogue;
	struct desc_file gone = { .kind = DESC_FILE,
				  .flags = DESC_LAST,
				  .reason = REASON_SYMLINK,
				  .file_idx = 1,
				  .slab_idx = SLAB_NONE };

	rig.run.options.budget_tokens = BUDGET_ALL;
	push_emitted(0, 42, 3);
	rig_push(&rig, EDGE_TURNS, 0, &gone);
	push_emitted(2, 42, 4);
	push_emitted(3, 43, 5);
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	ASSERT_EQ(rig_step(&rig), STEP_AGAIN);
	assert_popped(DESC_FILE, 0, REASON_NONE);
	assert_popped(DESC_RUN, 0, REASON_NONE);
	assert_popped(DESC_FILE, 1, REASON_SYMLINK);
	assert_popped(DESC_FILE, 2, REASON_NONE); /* for its header */
	assert_popped(DESC_SLAB, 2, REASON_NONE); /* its content is not */
	assert_popped(DESC_FILE, 3, REASON_NONE);
	assert_popped(DESC_RUN, 3, REASON_NONE);
	assert_nothing_more();
	ASSERT_EQ(catalogue_facts(catalogue, 0)->same_as, FILE_NONE);
	ASSERT_EQ(catalogue_facts(catalogue, 1)->reason, REASON_SYMLINK);
	ASSERT_EQ(catalogue_facts(catalogue, 2)->same_as, 0);
	ASSERT_EQ(catalogue_facts(catalogue, 3)->same_as, FILE_NONE);
	/* done twice, added once */
	ASSERT_EQ(catalogue_facts(catalogue, 0)->tokens, 111);
	ASSERT_EQ(catalogue_facts(catalogue, 3)->tokens, 111);
}

static void
test_dedup_waits_for_the_lane_whose_turn_it_is(void **state)
{
	struct desc_file facts;

	make_files(2, 50, 3);
	files[0] = (struct made_file){ .lane = 2, .empty = true };
	files[1] = (struct made_file){ .lane = 0, .empty = true };
	push_turn(0);
	push_turn(1);
	facts = scan_facts(1);
	rig_push(&rig, EDGE_COUNTED, 0, &facts);
	ASSERT_EQ(rig_step(&rig), STEP_DONE); /* the turn of file 0 */
	ASSERT_EQ(rig_step(&rig), STEP_AGAIN);
	facts = scan_facts(0);
	rig_push(&rig, EDGE_COUNTED, 2, &facts);
	ASSERT_EQ(rig_step(&rig), STEP_DONE);
	ASSERT_EQ(rig_used(&rig, EDGE_COUNTED, 0), 0);
	ASSERT_EQ(rig_used(&rig, EDGE_COUNTED, 2), 0);
}

/* ---- gather of a plan ---- */

/* Three surveyed files of two chunks each, all of them planned. */
static void
survey_three(void)
{
	static const uint64_t plan[] = { 0, 1, 2, 3, 4, 5 };
	struct desc desc;

	make_files(3, 9, 5);
	for (uint32_t i = 0; i < 3; i++)
		files[i] = (struct made_file){ .content = 10 + i,
					       .chunk_nr = 2,
					       .lane = i };
	survey(3, false);
	while (rig_pop(&rig, EDGE_UNIQUE, 0, &desc))
		;
	rig_set_plan(&rig, plan, ARRAY_LEN(plan));
}

static void
push_planned(uint32_t file_idx, uint32_t chunk, uint8_t flags)
{
	struct desc run = scan_run(file_idx, chunk);

	run.flags = (uint8_t)(DESC_EMIT | flags);
	run.slab_idx = file_idx;
	run.slab_off = SLAB_HEAD_BYTES;
	run.tokens_alone = 0;
	rig_push(&rig, EDGE_COUNTED, files[file_idx].lane, &run);
}

static void
assert_gathered_facts(uint32_t file_idx, uint8_t reason)
{
	uint8_t got = catalogue_facts(&rig.run.catalogue, file_idx)->reason;

	if (got != reason)
		fail_msg("file %u: got reason %s, want %s", file_idx,
			 reason_text(got), reason_text(reason));
}

static void
test_dedup_planned_chunks_as_surveyed_go_through(void **state)
{
	survey_three();
	for (uint32_t i = 0; i < 3; i++) {
		push_turn(i);
		push_planned(i, 0, 0);
		push_planned(i, 1, DESC_RELEASE | DESC_LAST);
	}
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	for (uint32_t i = 0; i < 3; i++) {
		assert_popped(DESC_RUN, i, REASON_NONE);
		assert_popped(DESC_RUN, i, REASON_NONE);
		assert_gathered_facts(i, REASON_NONE);
	}
	assert_nothing_more();
}

/* What a chunk up to a line comes to is told; so it is if it comes in runs. */
static void
test_dedup_planned_chunk_in_part_tells_its_tokens(void **state)
{
	const struct control_shm *control = rig.run.segment.control;
	struct desc run;

	survey_three();
	catalogue_plan(&rig.run.catalogue, 1)->parted_lines = 3;
	push_turn(0);
	for (uint32_t i = 0; i < 3; i++) {
		run = scan_run(0, i == 0 ? 0 : 1);
		run.flags = i == 1   ? DESC_EMIT | DESC_MORE
			    : i == 2 ? DESC_EMIT | DESC_RELEASE | DESC_LAST
				     : DESC_EMIT;
		run.slab_idx = 0;
		run.slab_off = SLAB_HEAD_BYTES;
		run.tokens_alone = 1000 + i;
		rig_push(&rig, EDGE_COUNTED, files[0].lane, &run);
	}
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	assert_gathered_facts(0, REASON_NONE);
	ASSERT_EQ(atomic_load_explicit(&control->parted_tokens,
				       memory_order_relaxed),
		  1001 + 1002);
}

/* verifies: NFR-016-43 */
static void
test_dedup_planned_chunk_that_changed_spoils_its_file(void **state)
{
	survey_three();
	push_turn(0);
	push_planned(0, 0, 0);
	push_planned(0, 1, DESC_RELEASE | DESC_LAST);
	push_turn(1);
	files[1].content = 99; /* it is not what it was */
	push_planned(1, 0, 0);
	files[1].content = 11;
	push_planned(1, 1, DESC_RELEASE | DESC_LAST);
	push_turn(2);
	push_planned(2, 0, 0);
	push_planned(2, 1, DESC_RELEASE | DESC_LAST);
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	assert_popped(DESC_RUN, 0, REASON_NONE);
	assert_popped(DESC_RUN, 0, REASON_NONE);
	assert_popped(DESC_SLAB, 1, REASON_NONE);
	assert_popped(DESC_RUN, 2, REASON_NONE);
	assert_popped(DESC_RUN, 2, REASON_NONE);
	assert_nothing_more();
	assert_gathered_facts(0, REASON_NONE);
	assert_gathered_facts(1, REASON_CHANGED);
	assert_gathered_facts(2, REASON_NONE);
}

static void
test_dedup_planned_file_that_is_gone_keeps_the_others_in_step(void **state)
{
	struct desc_file gone = { .kind = DESC_FILE,
				  .flags = DESC_EMIT | DESC_LAST,
				  .reason = REASON_VANISHED,
				  .slab_idx = SLAB_NONE };

	survey_three();
	/* one is gone before its first chunk, one in the middle */
	rig_push(&rig, EDGE_TURNS, 0, &gone);
	push_turn(1);
	push_planned(1, 0, DESC_RELEASE);
	gone.file_idx = 1;
	rig_push(&rig, EDGE_COUNTED, files[1].lane, &gone);
	push_turn(2);
	push_planned(2, 0, 0);
	push_planned(2, 1, DESC_RELEASE | DESC_LAST);
	ASSERT_EQ(rig_step_twice(&rig), STEP_DONE);
	assert_popped(DESC_RUN, 1, REASON_NONE);
	assert_popped(DESC_RUN, 2, REASON_NONE);
	assert_popped(DESC_RUN, 2, REASON_NONE);
	assert_nothing_more();
	assert_gathered_facts(0, REASON_VANISHED);
	assert_gathered_facts(1, REASON_VANISHED);
	assert_gathered_facts(2, REASON_NONE);
}

/* ---- entries that end this stage each time ---- */

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
	ASSERT_EQ(rig_used(&rig, EDGE_TURNS, 0), 0);
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
		rig.run.options.budget_tokens = BUDGET_ALL;
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
		struct desc desc = { .kind = DESC_TURN, .slab_idx = SLAB_NONE };
		struct desc_file facts;
		uint32_t runs = 0;
		uint32_t slabs = 0;
		uint8_t reason = REASON_NONE;

		if (poison > 0)
			setup(NULL);
		rig.run.options.budget_tokens = BUDGET_ALL;
		make_files(1, 1, 1);
		files[0] = (struct made_file){ .content = 10, .chunk_nr = 2 };
		rig_push(&rig, EDGE_TURNS, 0, &desc);
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_dedup_chain_of_runs_is_one_chunk),
		CASE(test_dedup_of_the_same_files_lets_the_first_through),
		CASE(test_dedup_waits_for_the_lane_whose_turn_it_is),
		CASE(test_dedup_planned_chunks_as_surveyed_go_through),
		CASE(test_dedup_planned_chunk_in_part_tells_its_tokens),
		CASE(test_dedup_planned_chunk_that_changed_spoils_its_file),
		CASE(test_dedup_planned_file_that_is_gone_keeps_the_others_in_step),
		CASE(test_dedup_poison_in_a_survey_leaves_that_file_out),
		CASE(test_dedup_poison_where_all_is_taken_leaves_that_file_out),
		CASE(test_dedup_poison_in_a_large_file_leaves_its_rest_out),
		CASE(test_dedup_poison_in_a_planned_file_spoils_it),
	};

	return cmocka_run_group_tests_name("dedup/worker", tests, NULL, NULL);
}
