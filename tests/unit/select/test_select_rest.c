/* SPDX-License-Identifier: MIT */
/*
 * test_select_rest.c - behind a plan, where what is left out stands.
 */
#include "tests/support/test_select_planner.h"

static uint64_t reserved;

static int
reserve(const struct table *table, uint64_t bytes)
{
	reserved = max_u64(reserved, bytes);
	return table_reserve(table, bytes);
}

static int
refuse(const struct table *table, uint64_t bytes)
{
	(void)table;
	(void)bytes;
	return -ENOSPC;
}

/* A plan of these chunks, by rank. */
static void
set_plan(const uint64_t *chunks, size_t nr)
{
	rig_set_plan(&rig, chunks, nr);
	planner_open();
	planner->reserve = reserve;
	planner->plan_nr = nr;
	for (size_t i = 0; i < nr; i++)
		catalogue_plan(&rig.run.catalogue, i)->score = 1;
	reserved = 0;
}

static void
assert_rest(const uint64_t *chunks, size_t nr)
{
	ASSERT_EQ(planner->rest_nr, nr);
	for (size_t i = 0; i < nr; i++)
		ASSERT_EQ(
			catalogue_plan(&rig.run.catalogue, planner->plan_nr + i)
				->chunk_idx,
			chunks[i]);
	ASSERT_TRUE(reserved >=
		    (planner->plan_nr + nr) * sizeof(struct plan_entry));
}

static void
two_files(void)
{
	add_file("a.c", 3 * MONTH, REASON_NONE);
	for (uint32_t c = 0; c < 4; c++)
		add_chunk(10, c);
	add_file("b.c", 5 * MONTH, REASON_CHANGED);
	add_chunk(10, 8);
	add_file("c.c", 2 * MONTH, REASON_NONE);
	for (uint32_t c = 0; c < 4; c++)
		add_chunk(10, 10 + c);
}

/* One for each stretch of a file that is not in the plan. */
static void
test_select_rest_is_an_entry_a_stretch(void **state)
{
	static const uint64_t plan_of[] = { 1 };
	static const uint64_t want[] = { 0, 2, 5, 6, 7 };
	const struct plan_entry *entry;

	two_files();
	request_lines("c.c", 11, 11, CATEGORY_SEARCH);
	set_plan(plan_of, 1);
	ASSERT_EQ(select_write_rest(planner), 0);
	assert_rest(want, 5);
	ASSERT_EQ(planner->newest_ns, 3 * MONTH);
	entry = catalogue_plan(&rig.run.catalogue, 1);
	ASSERT_EQ(entry[0].category, CATEGORY_TREE);
	ASSERT_EQ(entry[2].category, CATEGORY_TREE);
	ASSERT_EQ(entry[3].category, CATEGORY_SEARCH);
	ASSERT_EQ(entry[4].category, CATEGORY_TREE);
	ASSERT_EQ(entry[0].score, entry[1].score);
	ASSERT_EQ(entry[2].score, entry[4].score);
	ASSERT_TRUE(entry[0].score > entry[2].score);
	ASSERT_TRUE(entry[3].score > entry[0].score);
	ASSERT_EQ(entry[3].factors.relevance, SOURCE_ONE);
	ASSERT_EQ(entry[2].factors.recency, 500000);
	/* and again, by a replacement */
	ASSERT_EQ(select_write_rest(planner), 0);
	assert_rest(want, 5);
}

/* It stands where the best of them does. */
static void
test_select_rest_of_a_stretch_has_its_best_score(void **state)
{
	static const uint64_t plan_of[] = { 1 };
	static const uint64_t want[] = { 0, 2, 5, 6, 8 };
	const struct plan_entry *entry;

	two_files();
	request_lines("c.c", 11, 11, CATEGORY_SEARCH);
	request_lines("c.c", 21, 21, CATEGORY_SEARCH);
	requests[0].relevance = SOURCE_ONE / 10 * 9;
	set_plan(plan_of, 1);
	ASSERT_EQ(select_write_rest(planner), 0);
	assert_rest(want, 5);
	entry = catalogue_plan(&rig.run.catalogue, 1);
	ASSERT_EQ(entry[3].category, CATEGORY_SEARCH);
	ASSERT_EQ(entry[3].factors.relevance, SOURCE_ONE);
	ASSERT_TRUE(entry[3].score > entry[2].score);
}

/* Other entries than those in full leave their chunk out. */
static void
test_select_rest_has_what_is_there_by_signatures(void **state)
{
	static const uint64_t plan_of[] = { 0, 1, 1, 5, 6, 7, 8 };
	static const uint64_t want[] = { 0, 2 };

	two_files();
	set_plan(plan_of, ARRAY_LEN(plan_of));
	catalogue_plan(&rig.run.catalogue, 0)->tier = TIER_SIGNATURES;
	catalogue_plan(&rig.run.catalogue, 1)->tier = TIER_SIGNATURE_LINE;
	ASSERT_EQ(select_write_rest(planner), 0);
	assert_rest(want, 2);
}

/* In full it is, also behind its signature line. */
static void
test_select_rest_of_a_plan_of_all_is_none(void **state)
{
	static const uint64_t plan_of[] = { 0, 0, 1, 2, 3, 5, 6, 7, 8 };

	two_files();
	set_plan(plan_of, ARRAY_LEN(plan_of));
	catalogue_plan(&rig.run.catalogue, 0)->tier = TIER_SIGNATURE_LINE;
	ASSERT_EQ(select_write_rest(planner), 0);
	ASSERT_EQ(planner->rest_nr, 0);
}

/* What was not ranked has no places; an empty plan was. */
static void
test_select_rest_is_of_what_was_ranked(void **state)
{
	static const uint64_t plan_of[] = { 1 };
	static const uint64_t want[] = { 0, 5 };

	two_files();
	set_plan(plan_of, 1);
	catalogue_plan(&rig.run.catalogue, 0)->score = SCORE_NONE;
	planner->rest_nr = 77;
	ASSERT_EQ(select_write_rest(planner), 0);
	ASSERT_EQ(planner->rest_nr, 0);
	catalogue_plan(&rig.run.catalogue, 0)->score = 0;
	rig.run.job.takes_all = true;
	ASSERT_EQ(select_write_rest(planner), 0);
	ASSERT_EQ(planner->rest_nr, 0);
	rig.run.job.takes_all = false;
	planner->plan_nr = 0;
	ASSERT_EQ(select_write_rest(planner), 0);
	assert_rest(want, 2);
}

/* What is known of a file of which nothing is there is not found again, unless
 * somebody asks why. */
static void
test_select_rest_takes_what_is_known(void **state)
{
	static const uint64_t plan_of[] = { 1 };
	static const uint64_t want[] = { 0, 2, 5 };
	const struct plan_entry *entry;

	two_files();
	set_plan(plan_of, 1);
	catalogue_traits(&rig.run.catalogue, 0)->best = traits_best(7, 5);
	catalogue_traits(&rig.run.catalogue, 2)->best =
		traits_best(SCORE_MAX, 900000);
	ASSERT_EQ(select_write_rest(planner), 0);
	assert_rest(want, 3);
	entry = catalogue_plan(&rig.run.catalogue, 1);
	ASSERT_TRUE(entry[0].score > 7);
	ASSERT_EQ(entry[2].score, SCORE_MAX);
	ASSERT_EQ(entry[2].factors.relevance, 900000);
	ASSERT_EQ(entry[2].category, CATEGORY_TREE);
	rig.run.job.wants_scores = true;
	ASSERT_EQ(select_write_rest(planner), 0);
	assert_rest(want, 3);
	ASSERT_TRUE(entry[2].score < entry[0].score);
	ASSERT_EQ(entry[2].factors.recency, 500000);
}

/* Thousands of files, and room for all of them. */
static void
test_select_rest_has_room_for_all(void **state)
{
	static const uint64_t plan_of[] = { 0 };
	static uint64_t want[5000];

	for (uint32_t i = 0; i <= ARRAY_LEN(want); i++) {
		char path[20];

		snprintf(path, sizeof(path), "f%04u.c", i);
		add_file(path, 0, REASON_NONE);
		add_chunk(1, i);
		if (i > 0)
			want[i - 1] = i;
	}
	set_plan(plan_of, 1);
	ASSERT_EQ(select_write_rest(planner), 0);
	assert_rest(want, ARRAY_LEN(want));
	planner->reserve = refuse;
	ASSERT_EQ(select_write_rest(planner), -ENOSPC);
	ASSERT_EQ(planner->rest_nr, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_CASE(test_select_rest_is_an_entry_a_stretch),
		PLAN_CASE(test_select_rest_of_a_stretch_has_its_best_score),
		PLAN_CASE(test_select_rest_has_what_is_there_by_signatures),
		PLAN_CASE(test_select_rest_of_a_plan_of_all_is_none),
		PLAN_CASE(test_select_rest_is_of_what_was_ranked),
		PLAN_CASE(test_select_rest_takes_what_is_known),
		PLAN_CASE(test_select_rest_has_room_for_all),
	};

	return cmocka_run_group_tests_name("select/rest", tests, NULL, NULL);
}
