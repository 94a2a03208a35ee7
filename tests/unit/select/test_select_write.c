/* SPDX-License-Identifier: MIT */
/*
 * test_select_write.c - what is taken, as the entries of a plan.
 */
#include "tests/support/test_select_planner.h"

struct want {
	uint64_t chunk_idx;
	uint8_t tier;
	uint16_t signature_line;
	uint32_t kept_lines;
};

static void
assert_plan(const struct want *want, size_t nr)
{
	ASSERT_EQ(planner->plan_nr, nr);
	for (size_t i = 0; i < nr; i++) {
		const struct plan_entry *entry =
			catalogue_plan(&rig.run.catalogue, i);

		ASSERT_TRUE(plan_entry_valid(entry));
		ASSERT_EQ(entry->chunk_idx, want[i].chunk_idx);
		ASSERT_EQ(entry->tier, want[i].tier);
		ASSERT_EQ(entry->signature_line, want[i].signature_line);
		ASSERT_EQ(entry->kept_lines, want[i].kept_lines);
	}
}

static void
put(uint64_t chunk_idx)
{
	const struct rank_candidate it = candidate_of(chunk_idx);

	ASSERT_EQ(plan_put(&plan, &it), 0);
}

static void
put_signatures(uint32_t file_idx)
{
	const struct rank_candidate it = signatures_of(file_idx);

	ASSERT_EQ(plan_put(&plan, &it), 0);
}

/* Files of four chunks: 0 to 3, 4 to 7, 8 to 11. */
static void
three_files(void)
{
	static const char *const paths[] = { "a.c", "b.c", "c.c" };

	for (uint32_t f = 0; f < 3; f++) {
		add_file(paths[f], (int64_t)f * MONTH, REASON_NONE);
		for (uint32_t c = 0; c < 4; c++)
			add_chunk(10, chunk_nr);
	}
	plan_open(100000);
}

/* In the order of the catalogue; signatures before what is there in full. */
static void
test_select_write_is_in_order_of_files_and_places(void **state)
{
	static const struct want want[] = {
		{ 0, TIER_SIGNATURES, 0, 0 }, { 4, TIER_SIGNATURES, 0, 0 },
		{ 4, TIER_FULL, 0, 0 },       { 7, TIER_FULL, 0, 0 },
		{ 9, TIER_FULL, 0, 0 },
	};

	three_files();
	put(9);
	put(7);
	put_signatures(1);
	put(4);
	put_signatures(0);
	ASSERT_EQ(plan_write(&plan), 0);
	assert_plan(want, ARRAY_LEN(want));
	/* nothing was ranked */
	for (size_t i = 2; i < ARRAY_LEN(want); i++)
		ASSERT_EQ(catalogue_plan(&rig.run.catalogue, i)->score,
			  SCORE_NONE);
	ASSERT_EQ(planner->section_nr, 0);
}

/* Of the edge: chunks whose lines are counted, and one up to a line. */
static void
test_select_write_says_how_many_lines_are_kept(void **state)
{
	static const struct want chunks[] = {
		{ 1, TIER_FULL, 0, KEPT_MEASURED },
		{ 4, TIER_SIGNATURES, 0, 0 },
		{ 4, TIER_FULL, 0, 7 },
	};
	static const struct want signatures[] = {
		{ 1, TIER_FULL, 0, 0 },
		{ 4, TIER_SIGNATURES, 0, 7 },
		{ 4, TIER_FULL, 0, 0 },
	};
	static const struct want measured[] = {
		{ 1, TIER_FULL, 0, 0 },
		{ 4, TIER_SIGNATURES, 0, KEPT_MEASURED },
		{ 4, TIER_FULL, 0, 0 },
	};

	three_files();
	put(1);
	put(4);
	put_signatures(1);
	ASSERT_EQ(select_bits_set(&plan.set.measured, 1), 0);
	plan.set.truncated.chunk_idx = 4;
	plan.set.truncated.lines = 7;
	ASSERT_EQ(plan_write(&plan), 0);
	assert_plan(chunks, ARRAY_LEN(chunks));
	plan.set.truncated.unit = RANK_SIGNATURES;
	select_bits_clear(&plan.set.measured, 1);
	ASSERT_EQ(plan_write(&plan), 0);
	assert_plan(signatures, ARRAY_LEN(signatures));
	rig.run.job.compress = true;
	ASSERT_EQ(select_bits_set(&plan.set.measured, 4), 0);
	ASSERT_EQ(plan_write(&plan), 0);
	assert_plan(measured, ARRAY_LEN(measured));
}

static void
add_line(uint64_t idx, uint32_t in_chunk)
{
	ASSERT_EQ(table_reserve(&rig.run.catalogue.signature_lines,
				20 * sizeof(struct chunk_record)),
		  0);
	*catalogue_signature_line(&rig.run.catalogue, idx) =
		(struct chunk_record){ .line_first = 10 * in_chunk + 3,
				       .line_nr = 1,
				       .tokens = 5,
				       .in_chunk = in_chunk };
}

/*
 * A line stands before the first chunk behind the one that it is in; not where
 * that is there, nor where no chunk needs it.
 */
static void
test_select_write_has_signature_lines_before_chunks(void **state)
{
	static const struct want want[] = {
		{ 4, TIER_SIGNATURE_LINE, 0, 0 },
		{ 6, TIER_FULL, 0, 0 },
		{ 7, TIER_FULL, 0, 0 },
		{ 8, TIER_SIGNATURE_LINE, 1, 0 },
		{ 9, TIER_SIGNATURE_LINE, 2, 0 },
		{ 11, TIER_FULL, 0, 0 },
	};

	three_files();
	/* of b.c at 10, of c.c at 12 */
	rig_facts(&rig, 1)->signature_line_first = 10;
	rig_facts(&rig, 2)->signature_line_first = 12;
	add_line(10, 0);
	add_line(11, 2);
	add_line(12, 0);
	add_line(13, 0);
	add_line(14, 1);
	rig_chunk(&rig, 6)->signature_line = 1;
	rig_chunk(&rig, 7)->signature_line = 2;
	rig_chunk(&rig, 11)->signature_line = 3;
	rig.run.job.keeps_signature_lines = true;
	/* its line is not needed any more when the chunk that it is in comes */
	put(7);
	put(6);
	put(11);
	ASSERT_EQ(select_bits_set(&plan.set.signature_lines, 13), 0);
	ASSERT_EQ(plan_write(&plan), 0);
	assert_plan(want, ARRAY_LEN(want));
	/* without them chunks alone */
	rig.run.job.keeps_signature_lines = false;
	ASSERT_EQ(plan_write(&plan), 0);
	ASSERT_EQ(planner->plan_nr, 3);
}

/* A line is there for the best of its chunks, and scores as it does. */
static void
test_select_write_explains_by_the_best_chunk(void **state)
{
	const struct plan_entry *entry;

	three_files();
	rig_facts(&rig, 0)->signature_line_first = 10;
	add_line(10, 0);
	for (uint64_t c = 1; c < 4; c++)
		rig_chunk(&rig, c)->signature_line = 1;
	request_lines("a.c", 21, 21, CATEGORY_SEARCH);
	rig.run.job.keeps_signature_lines = true;
	plan_score();
	put(1);
	put(2);
	put(3);
	put_signatures(0);
	ASSERT_EQ(plan_write(&plan), 0);
	ASSERT_EQ(planner->plan_nr, 5);
	entry = catalogue_plan(&rig.run.catalogue, 0);
	ASSERT_EQ(entry[0].tier, TIER_SIGNATURES);
	ASSERT_EQ(entry[1].tier, TIER_SIGNATURE_LINE);
	ASSERT_EQ(entry[3].chunk_idx, 2);
	ASSERT_EQ(entry[3].category, CATEGORY_SEARCH);
	ASSERT_TRUE(entry[3].score > entry[2].score);
	ASSERT_EQ(entry[2].score, entry[4].score);
	for (size_t i = 0; i < 2; i++) {
		ASSERT_EQ(entry[i].score, entry[3].score);
		ASSERT_EQ(entry[i].category, CATEGORY_SEARCH);
		ASSERT_EQ(entry[i].factors.relevance, SOURCE_ONE);
	}
	ASSERT_EQ(entry[2].category, CATEGORY_TREE);
	ASSERT_EQ(entry[2].factors.relevance, 0);
}

/* By rank: the newest file first, of each all that is taken. */
static void
test_select_write_by_rank_has_the_order_of_sections(void **state)
{
	/* c.c: entries 5, 6; b.c: 3, 4; a.c: 0 to 2 */
	static const uint32_t want[] = { 5, 3, 0 };

	three_files();
	plan_score();
	put(0);
	put(3);
	put_signatures(0);
	put(4);
	put(5);
	put(11);
	put_signatures(2);
	rig.run.job.by_rank = true;
	ASSERT_EQ(plan_write(&plan), 0);
	ASSERT_EQ(planner->plan_nr, 7);
	ASSERT_EQ(planner->section_nr, ARRAY_LEN(want));
	for (size_t i = 0; i < ARRAY_LEN(want); i++)
		ASSERT_EQ(catalogue_plan(&rig.run.catalogue, i)->turn, want[i]);
}

/* Of equals the first category comes first: a file that is asked for. */
static void
test_select_write_by_rank_has_categories_in_order(void **state)
{
	static const uint32_t want[] = { 1, 0 };

	add_file("a.c", 0, REASON_NONE);
	add_chunk(10, 1);
	add_file("b.c", 0, REASON_NONE);
	add_chunk(10, 2);
	plan_open(100000);
	request_lines("b.c", 1, 1, CATEGORY_REFERENCE);
	requests[0].relevance = 0;
	plan_score();
	put(0);
	put(1);
	rig.run.job.by_rank = true;
	/* also where nothing has any score */
	for (int round = 0; round < 2; round++) {
		ASSERT_EQ(plan_write(&plan), 0);
		ASSERT_EQ(planner->section_nr, 2);
		for (size_t i = 0; i < ARRAY_LEN(want); i++)
			ASSERT_EQ(catalogue_plan(&rig.run.catalogue, i)->turn,
				  want[i]);
		plan.scores.weights = (struct rank_weights){ 0 };
	}
	ASSERT_EQ(catalogue_plan(&rig.run.catalogue, 0)->score, 0);
}

/* Of chunks that are as good the first one says what signatures are. */
static void
test_select_write_of_equals_explains_by_the_first(void **state)
{
	add_file("a.c", 0, REASON_NONE);
	add_chunk(10, 1);
	add_chunk(10, 2);
	add_chunk(10, 3);
	plan_open(100000);
	request_lines("a.c", 11, 11, CATEGORY_REFERENCE);
	requests[0].relevance = 0;
	plan_score();
	put_signatures(0);
	ASSERT_EQ(plan_write(&plan), 0);
	ASSERT_EQ(planner->plan_nr, 1);
	ASSERT_EQ(catalogue_plan(&rig.run.catalogue, 0)->category,
		  CATEGORY_TREE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_CASE(test_select_write_is_in_order_of_files_and_places),
		PLAN_CASE(test_select_write_says_how_many_lines_are_kept),
		PLAN_CASE(test_select_write_has_signature_lines_before_chunks),
		PLAN_CASE(test_select_write_explains_by_the_best_chunk),
		PLAN_CASE(test_select_write_by_rank_has_the_order_of_sections),
		PLAN_CASE(test_select_write_by_rank_has_categories_in_order),
		PLAN_CASE(test_select_write_of_equals_explains_by_the_first),
	};

	return cmocka_run_group_tests_name("select/write", tests, NULL, NULL);
}
