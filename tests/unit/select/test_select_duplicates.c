/* SPDX-License-Identifier: MIT */
/*
 * test_select_duplicates.c - which of the files of one content is kept.
 */
#include "tests/support/test_select_planner.h"

#include "catalogue/terms.h"
#include "stages/select/select_score.h"

/* Of files of three contents, with random times, the newest; else the first. */
static void
test_select_duplicates_keep_the_best_rank(void **state)
{
	enum { FILES = 60, CONTENTS = 12 };
	uint64_t seed = 23;
	uint32_t first[CONTENTS];
	uint32_t best[CONTENTS];
	uint32_t content[FILES];
	int64_t month[FILES];

	memset(first, 0xff, sizeof(first));
	memset(best, 0xff, sizeof(best));
	for (uint32_t i = 0; i < FILES; i++) {
		char path[20];
		bool has = random_next(&seed) % 6 > 0;

		content[i] = (uint32_t)(random_next(&seed) % CONTENTS);
		month[i] = (int64_t)(random_next(&seed) % 5);
		snprintf(path, sizeof(path), "f%02u.c", i);
		add_file(path, month[i] * MONTH,
			 has ? REASON_NONE : REASON_CHANGED);
		add_chunk(10, content[i]);
		if (first[content[i]] == FILE_NONE)
			first[content[i]] = i;
		else
			make_duplicates(first[content[i]]);
		if (has && (best[content[i]] == FILE_NONE ||
			    month[i] > month[best[content[i]]]))
			best[content[i]] = i;
	}
	planner_open();
	ASSERT_TRUE(select_has_duplicates(planner));
	ASSERT_EQ(plan_make_scores(planner), 0);
	/* made again, after a death, it comes to the same */
	for (int round = 0; round < 2; round++) {
		select_find_duplicates(&planner->kept->scores);
		for (uint32_t i = 0; i < FILES; i++) {
			uint32_t kept = best[content[i]];

			if (kept != FILE_NONE)
				ASSERT_EQ(rig_facts(&rig, i)->same_as,
					  i == kept ? FILE_NONE : kept);
		}
		ASSERT_TRUE(select_has_duplicates(planner));
		for (uint32_t i = 0; i < FILES; i++)
			if (rig_facts(&rig, i)->has_duplicates)
				ASSERT_EQ(rig_facts(&rig, i)->same_as,
					  FILE_NONE);
	}
}

/* What nobody has a twin of is not looked at. */
static void
test_select_duplicates_of_none_are_none(void **state)
{
	add_file("a.c", 0, REASON_NONE);
	add_chunk(10, 1);
	rig_facts(&rig, 0)->same_as = 5; /* not said by us */
	planner_open();
	ASSERT_TRUE(!select_has_duplicates(planner));
	ASSERT_EQ(rig_facts(&rig, 0)->same_as, 5);
	ASSERT_EQ(plan_make_scores(planner), 0);
	rig_facts(&rig, 0)->duplicate_rank = 77;
	select_find_duplicates(&planner->kept->scores);
	ASSERT_EQ(rig_facts(&rig, 0)->duplicate_rank, 77);
}

static void
three_twins(void)
{
	static const char *const paths[] = { "a.c", "b.c", "c.c" };

	for (uint32_t i = 0; i < 3; i++) {
		add_file(paths[i], (3 - (int64_t)i) * MONTH, REASON_NONE);
		add_chunk(10, 7);
		if (i > 0)
			make_duplicates(0);
	}
}

/* A file that a source or a pin names is kept, beside the best. */
static void
test_select_duplicates_that_are_asked_for_are_kept(void **state)
{
	static const char *const pins[] = { "c.c" };

	three_twins();
	rig.run.job.pins = pins;
	rig.run.job.pin_nr = 1;
	planner_open();
	ASSERT_TRUE(select_has_duplicates(planner));
	ASSERT_EQ(plan_make_scores(planner), 0);
	select_find_duplicates(&planner->kept->scores);
	ASSERT_EQ(rig_facts(&rig, 2)->same_as, FILE_NONE);
	ASSERT_EQ(rig_facts(&rig, 1)->same_as, 2);
	ASSERT_EQ(rig_facts(&rig, 0)->same_as, 2);
	plan_close();
	/* all that are asked for, not the first of them alone */
	rig.run.job.pin_nr = 0;
	request_lines("b.c", 1, 1, CATEGORY_OPEN);
	request_lines("c.c", 1, 1, CATEGORY_OPEN);
	planner_open();
	ASSERT_TRUE(select_has_duplicates(planner));
	ASSERT_EQ(plan_make_scores(planner), 0);
	select_find_duplicates(&planner->kept->scores);
	ASSERT_EQ(rig_facts(&rig, 0)->same_as, 1);
	ASSERT_EQ(rig_facts(&rig, 1)->same_as, FILE_NONE);
	ASSERT_EQ(rig_facts(&rig, 2)->same_as, FILE_NONE);
}

/* The rank of a file is that of its best chunk, above that of none. */
static void
test_select_duplicates_rank_by_the_best_chunk(void **state)
{
	add_file("a.c", 0, REASON_NONE);
	add_chunk(10, 7);
	add_chunk(10, 8);
	add_file("b.c", 0, REASON_NONE);
	add_chunk(10, 9);
	make_duplicates(0);
	planner_open();
	ASSERT_TRUE(select_has_duplicates(planner));
	ASSERT_EQ(plan_make_scores(planner), 0);
	select_find_duplicates(&planner->kept->scores);
	/* 0.3 for recency, a fifth of 0.4 for the tree */
	ASSERT_EQ(rig_facts(&rig, 0)->duplicate_rank, 380000 + 1);
	ASSERT_EQ(rig_facts(&rig, 1)->duplicate_rank, 380000 + 1);
	/* of equals the first */
	ASSERT_EQ(rig_facts(&rig, 0)->same_as, FILE_NONE);
	ASSERT_EQ(rig_facts(&rig, 1)->same_as, 0);
}

/* With a query the rank is that of its own chunks, and of no other file's. */
static void
test_select_duplicates_rank_by_their_own_chunks(void **state)
{
	static struct query query;

	query_init(&query, (const uint8_t *)"apple", 5);
	rig.run.job.query = &query;
	add_file("a.c", 0, REASON_NONE);
	add_chunk(10, 1);
	add_file("b.c", 0, REASON_NONE);
	add_chunk(10, 1);
	make_duplicates(0);
	add_file("c.c", 0, REASON_NONE);
	add_chunk(10, 2);
	add_chunk(10, 3);
	ASSERT_EQ(table_reserve(&rig.run.catalogue.terms,
				2 * sizeof(struct term_record)),
		  0);
	*catalogue_term(&rig.run.catalogue, 0) = term_record(3, 0, 3);
	*catalogue_term(&rig.run.catalogue, 1) = term_record(CHUNK_NONE, 0, 0);
	/* what lies behind the last file is none */
	*rig_facts(&rig, 3) = (struct file_facts){ .chunk_nr = 1,
						   .same_as = 77,
						   .duplicate_rank = 78 };
	planner_open();
	ASSERT_TRUE(select_has_duplicates(planner));
	ASSERT_EQ(plan_make_scores(planner), 0);
	select_find_duplicates(&planner->kept->scores);
	/* a fifth of 0.4, for the tree */
	ASSERT_EQ(rig_facts(&rig, 0)->duplicate_rank, 80000 + 1);
	ASSERT_EQ(rig_facts(&rig, 1)->duplicate_rank, 80000 + 1);
	ASSERT_EQ(rig_facts(&rig, 1)->same_as, 0);
	ASSERT_EQ(rig_facts(&rig, 3)->same_as, 77);
	ASSERT_EQ(rig_facts(&rig, 3)->duplicate_rank, 78);
}

/* From the one that is kept to those that are left out, by path. */
static void
test_select_duplicates_are_linked(void **state)
{
	static const char *const pins[] = { "b.c" };

	three_twins();
	add_file("d.c", 0, REASON_NONE);
	add_chunk(10, 9);
	rig_facts(&rig, 3)->next_copy = 77;
	rig.run.job.pins = pins;
	rig.run.job.pin_nr = 1;
	planner_open();
	ASSERT_TRUE(select_has_duplicates(planner));
	ASSERT_EQ(plan_make_scores(planner), 0);
	select_find_duplicates(&planner->kept->scores);
	select_link_copies(planner);
	ASSERT_EQ(rig_facts(&rig, 1)->next_copy, 0);
	ASSERT_EQ(rig_facts(&rig, 0)->next_copy, 2);
	ASSERT_EQ(rig_facts(&rig, 2)->next_copy, FILE_NONE);
	ASSERT_EQ(rig_facts(&rig, 3)->next_copy, 77);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_CASE(test_select_duplicates_keep_the_best_rank),
		PLAN_CASE(test_select_duplicates_of_none_are_none),
		PLAN_CASE(test_select_duplicates_that_are_asked_for_are_kept),
		PLAN_CASE(test_select_duplicates_rank_by_the_best_chunk),
		PLAN_CASE(test_select_duplicates_are_linked),
		PLAN_CASE(test_select_duplicates_rank_by_their_own_chunks),
	};

	return cmocka_run_group_tests_name("select/duplicates", tests, NULL,
					   NULL);
}
