/* SPDX-License-Identifier: MIT */
/*
 * test_collect_plan_worker.c - which file of a plan is read next, and how.
 */
#include "tests/support/test_collect_rig.h"

/* What is planned: a chunk of a file, or its signatures. */
struct row {
	uint32_t file_idx;
	uint8_t tier;
	uint32_t turn; /* of the n-th entry */
};

static void
begin_gather(const struct row *rows, uint32_t nr, uint64_t sections)
{
	struct control_shm *control = rig.run.segment.control;
	uint64_t chunks[16];

	for (uint32_t i = 0; i < nr; i++) {
		chunks[i] = i;
		*rig_chunk(&rig, i) = (struct chunk_record){
			.file_idx = rows[i].file_idx,
			.bytes = 1,
			.line_first = 1,
			.line_nr = 1,
		};
	}
	rig_set_plan(&rig, chunks, nr);
	for (uint32_t i = 0; i < nr; i++) {
		struct plan_entry *entry =
			catalogue_plan(&rig.run.catalogue, i);

		entry->tier = rows[i].tier;
		entry->turn = rows[i].turn;
	}
	store_relaxed(&control->section_nr, sections);
	store_release(&control->pass, PASS_FIRST + 1);
	collector_forget_told();
}

static int
set_up(void **state)
{
	int error = collector_set_up(state);

	scratch_file("a", "a1\na2\n");
	scratch_file("b", "b1\nb2\n");
	scratch_file("c", "c1\nc2\n");
	rig.run.job.budget_tokens = 1000;
	return error;
}

static void
survey(void)
{
	collector_begin();
	collector_run_pass();
	assert_string_equal(collector_names(), "a b c");
}

static void
test_plan_files_come_by_their_paths(void **state)
{
	static const struct row rows[] = { { .file_idx = 0 },
					   { .file_idx = 0 },
					   { .file_idx = 2 } };

	survey();
	begin_gather(rows, 3, 0);
	collector_run_pass();
	assert_string_equal(collector_names(), "a c");
	assert_string_equal(told[0].text[1], "aa");
	assert_string_equal(told[1].text[1], "c");
	collector_expect_all_slabs_back();
}

static void
test_plan_of_nothing_ends_at_once(void **state)
{
	survey();
	begin_gather(NULL, 0, 0);
	assert_int_equal(collector_run_pass(), 1);
	assert_string_equal(collector_names(), "");
}

/* By rank: the first entry says where those of the best file begin. */
static void
test_plan_files_come_by_their_rank(void **state)
{
	static const struct row rows[] = { { .file_idx = 0, .turn = 2 },
					   { .file_idx = 1, .turn = 0 },
					   { .file_idx = 2, .turn = 1 } };

	rig.run.job.by_rank = true;
	survey();
	begin_gather(rows, 3, 3);
	collector_run_pass();
	assert_string_equal(collector_names(), "c a b");
	collector_expect_all_slabs_back();
}

/* Signatures are made of all of a file, and what else is planned of it is cut
 * from the same text. */
static void
test_plan_signatures_are_of_the_whole_file(void **state)
{
	static const struct row rows[] = {
		{ .file_idx = 0, .tier = TIER_SIGNATURES },
		{ .file_idx = 0 },
		{ .file_idx = 1, .tier = TIER_SIGNATURES },
	};

	rig.run.job.tiers = true;
	rig.run.job.by_path = true;
	survey();
	begin_gather(rows, 3, 0);
	collector_run_pass();
	assert_string_equal(collector_names(), "a b");
	assert_int_equal(told[0].last.kind, DESC_PART);
	assert_string_equal(told[0].text[1], "a1\na2\n");
	assert_int_equal(told[0].flags & (DESC_EMIT | DESC_OUTLINE),
			 DESC_EMIT | DESC_OUTLINE);
	assert_string_equal(told[1].text[1], "b1\nb2\n");
	collector_expect_all_slabs_back();
}

/* By rank they are sections like all others. */
static void
test_plan_signatures_by_rank_have_a_turn(void **state)
{
	static const struct row rows[] = {
		{ .file_idx = 0, .turn = 2 },
		{ .file_idx = 1, .tier = TIER_SIGNATURES, .turn = 1 },
		{ .file_idx = 2, .tier = TIER_SIGNATURES, .turn = 0 },
	};

	rig.run.job.by_rank = true;
	rig.run.job.tiers = true;
	survey();
	begin_gather(rows, 3, 3);
	collector_run_pass();
	assert_string_equal(collector_names(), "c b a");
}

/* Without its comments a file is read from end to end once, whatever is
 * planned of it. */
static void
test_plan_of_what_is_stripped_reads_the_whole_file(void **state)
{
	static const struct row rows[] = { { .file_idx = 1 },
					   { .file_idx = 1 },
					   { .file_idx = 2 } };

	rig.run.job.strip_comments = true;
	survey();
	begin_gather(rows, 3, 0);
	collector_run_pass();
	assert_string_equal(collector_names(), "b c");
	assert_string_equal(told[0].text[1], "b1\nb2\n");
	assert_string_equal(told[1].text[1], "c1\nc2\n");
	assert_int_equal(told[0].flags & DESC_OUTLINE, 0);
}

static void
test_plan_waits_for_room(void **state)
{
	static const struct row rows[] = { { .file_idx = 0 } };

	survey();
	begin_gather(rows, 1, 0);
	for (uint32_t i = 0; i < 8; i++)
		collect_use_slab(&rig.worker, i);
	assert_int_equal(rig_step(&rig), STEP_AGAIN);
	((struct collect_state *)rig.worker.state)->in_flight[0] = 0;
	collector_run_pass();
	assert_string_equal(collector_names(), "a");
}

#define PLAN(name) \
	cmocka_unit_test_setup_teardown(name, set_up, collector_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN(test_plan_files_come_by_their_paths),
		PLAN(test_plan_of_nothing_ends_at_once),
		PLAN(test_plan_files_come_by_their_rank),
		PLAN(test_plan_signatures_are_of_the_whole_file),
		PLAN(test_plan_signatures_by_rank_have_a_turn),
		PLAN(test_plan_of_what_is_stripped_reads_the_whole_file),
		PLAN(test_plan_waits_for_room),
	};

	return cmocka_run_group_tests_name("collect/collect_plan_worker",
					   tests, NULL, NULL);
}
