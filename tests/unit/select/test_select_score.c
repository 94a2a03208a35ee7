/* SPDX-License-Identifier: MIT */
/*
 * test_select_score.c - scores of chunks, against sums worked by hand.
 */
#include "tests/support/test_select_planner.h"

#include "catalogue/terms.h"

static const uint32_t ONE = 1000000;

static uint32_t
score_of(uint64_t chunk_idx, uint8_t *category)
{
	uint32_t file_idx =
		catalogue_chunk(&rig.run.catalogue, chunk_idx)->file_idx;

	select_scores_file(&plan.scores, file_idx);
	return select_scores_chunk(
		&plan.scores,
		(uint32_t)(chunk_idx - rig_facts(&rig, file_idx)->chunk_first),
		category, NULL);
}

/* Of 100 points; weights 5, 3, 2; new counts 1, the tree 0.4. */
static uint32_t
expect(double points, double recency)
{
	return (uint32_t)(ONE * (0.5 * points / 100 + 0.3 * recency +
				 0.2 * 0.4) +
			  0.5);
}

static void
assert_about(uint32_t got, uint32_t want)
{
	if (got + 1 < want || got > want + 1)
		fail_msg("score: got %u, want %u", got, want);
}

/* Points and age; the newest is the newest of what can be packed. */
static void
test_select_score_is_of_points_age_and_the_tree(void **state)
{
	uint8_t category;

	add_file("binary.c", 99 * MONTH, REASON_BINARY);
	add_file("a.c", 3 * MONTH, REASON_NONE);
	add_chunk(10, 1);
	add_file("b.c", 1 * MONTH, REASON_NONE);
	add_chunk(10, 2);
	add_file("empty.c", 98 * MONTH, REASON_NONE);
	add_file("tests/test_c.c", 3 * MONTH, REASON_NONE);
	add_chunk(10, 3);
	add_file("index.js", 3 * MONTH, REASON_NONE);
	add_chunk(10, 4);
	plan_open(1000);
	*catalogue_traits(&rig.run.catalogue, 2) = (struct file_traits){
		.importers = 4,
		.exports = 3,
		.markers = 1,
		.is_boosted = 1,
	};
	catalogue_traits(&rig.run.catalogue, 4)->kinds |= RANK_KIND_ENTRY;
	plan_score();
	ASSERT_EQ(plan.scores.times.newest_ns, 3 * MONTH);
	ASSERT_EQ(plan.scores.times.oldest_ns, 1 * MONTH);
	assert_about(score_of(0, &category), expect(0, 1));
	ASSERT_EQ(category, CATEGORY_TREE);
	/* two months behind: a third; 12, 6, 10 and 20 points */
	assert_about(score_of(1, &category), expect(48, 1.0 / 3));
	/* an entry point in a test: 30 less 15 */
	assert_about(score_of(2, &category), expect(15, 1));
	assert_about(score_of(3, &category), expect(30, 1));
}

static void
test_select_score_is_explained_by_its_factors(void **state)
{
	struct plan_factors factors;
	uint8_t category;

	add_file("Makefile", 3 * MONTH, REASON_NONE);
	add_chunk(10, 1);
	add_file("b.c", 4 * MONTH, REASON_NONE);
	add_chunk(10, 2);
	plan_open(1000);
	*catalogue_traits(&rig.run.catalogue, 0) = (struct file_traits){
		.kinds = catalogue_traits(&rig.run.catalogue, 0)->kinds,
		.importers = 2,
		.exports = 1,
		.markers = 1,
		.is_boosted = 1,
		.is_pinned = 1,
	};
	plan_score();
	select_scores_file(&plan.scores, 0);
	ASSERT_EQ(select_scores_chunk(&plan.scores, 0, &category, &factors),
		  score_of(0, &category));
	ASSERT_EQ(factors.importers, 6);
	ASSERT_EQ(factors.exports, 2);
	ASSERT_EQ(factors.markers, 10);
	ASSERT_EQ(factors.boost, 20);
	ASSERT_EQ(factors.config, 15);
	ASSERT_EQ(factors.entry, 0);
	ASSERT_EQ(factors.tests, 0);
	ASSERT_EQ(factors.commits, 0);
	ASSERT_EQ(factors.points, 53);
	ASSERT_EQ(factors.is_pinned, 1);
	ASSERT_EQ(factors.relevance, 530000);
	ASSERT_EQ(factors.recency, 500000);
	ASSERT_EQ(factors.source, 400000);
	ASSERT_EQ(factors.own, 0);
	select_scores_file(&plan.scores, 1);
	select_scores_chunk(&plan.scores, 0, &category, &factors);
	ASSERT_EQ(factors.is_pinned, 0);
	ASSERT_EQ(factors.points, 0);
}

/* A request is of its category; of several the best; none is worse off. */
static void
test_select_score_of_what_sources_ask_for(void **state)
{
	uint8_t category;

	add_file("a.c", 0, REASON_NONE);
	for (uint32_t c = 0; c < 4; c++)
		add_chunk(10, c);
	add_file("b.c", 0, REASON_NONE);
	add_chunk(10, 9);
	request_lines("a.c", 1, 5, CATEGORY_REFERENCE);
	request_lines("a.c", 10, 11, CATEGORY_SEARCH);
	request_lines("a.c", 31, 31, CATEGORY_REFERENCE);
	requests[0].relevance = ONE / 2;
	requests[2].relevance = 0;
	plan_open(1000);
	plan_score();
	/* 1-10: of the two the search: 0.5 + 0.3 + 0.2 * 0.6 */
	assert_about(score_of(0, &category), 920000);
	ASSERT_EQ(category, CATEGORY_SEARCH);
	assert_about(score_of(1, &category), 920000);
	ASSERT_EQ(category, CATEGORY_SEARCH);
	assert_about(score_of(2, &category), expect(0, 1));
	ASSERT_EQ(category, CATEGORY_TREE);
	/* a reference that says nothing is as good as the tree */
	assert_about(score_of(3, &category), expect(0, 1));
	ASSERT_EQ(category, CATEGORY_REFERENCE);
	assert_about(score_of(4, &category), expect(0, 1));
	ASSERT_EQ(category, CATEGORY_TREE);
	ASSERT_TRUE(plan.scores.requested == NULL);
}

/* What is asked for is worse than its file: its score is the file's. */
static void
test_select_score_is_never_less_than_as_part_of_the_tree(void **state)
{
	struct plan_factors factors;
	uint8_t category;
	uint32_t tree;

	add_file("index.js", 9 * MONTH, REASON_NONE);
	add_chunk(10, 1);
	add_file("b.c", 10 * MONTH, REASON_NONE);
	add_chunk(10, 2);
	request_lines("index.js", 1, 5, CATEGORY_REFERENCE);
	requests[0].relevance = 1000;
	requests[0].time_ns = 4 * MONTH;
	rig.run.job.sources.has_times = true;
	plan_open(1000);
	plan_score();
	ASSERT_EQ(plan.scores.times.oldest_ns, 4 * MONTH);
	ASSERT_EQ(plan.scores.times.newest_ns, 10 * MONTH);
	tree = expect(30, 0.5);
	assert_about(score_of(0, &category), tree);
	ASSERT_EQ(category, CATEGORY_REFERENCE);
	select_scores_chunk(&plan.scores, 0, &category, &factors);
	ASSERT_EQ(factors.relevance, 300000);
	plan_close();
	/* unless the tree is not packed: then it is the request's alone */
	rig.run.job.sources_only = true;
	plan_open(1000);
	plan_score();
	/* six months behind: a seventh */
	assert_about(
		score_of(0, &category),
		(uint32_t)(ONE * (0.5 * 0.001 + 0.3 / 7 + 0.2 * 0.4) + 0.5));
	select_scores_chunk(&plan.scores, 0, &category, &factors);
	ASSERT_EQ(factors.relevance, 1000);
	ASSERT_EQ(factors.source, 400000);
}

/* Of several requests the best says the category, of equals the first. */
static void
test_select_score_of_several_requests_is_the_best(void **state)
{
	struct plan_factors factors;
	uint8_t category;

	add_file("a.c", 0, REASON_NONE);
	add_chunk(10, 1);
	add_chunk(10, 2);
	request_lines("a.c", 1, 1, CATEGORY_SEARCH);
	request_lines("a.c", 2, 2, CATEGORY_REFERENCE);
	request_lines("a.c", 11, 11, CATEGORY_SEARCH);
	request_lines("a.c", 12, 12, CATEGORY_REFERENCE);
	/* 0.3 + 0.2 * 0.6, and 0.5 * 0.08 + 0.3 + 0.2 * 0.4 */
	requests[2].relevance = 0;
	requests[3].relevance = 80000;
	plan_open(1000);
	plan_score();
	assert_about(score_of(0, &category), 920000);
	ASSERT_EQ(category, CATEGORY_SEARCH);
	assert_about(score_of(1, &category), 420000);
	ASSERT_EQ(category, CATEGORY_SEARCH);
	select_scores_chunk(&plan.scores, 1, &category, &factors);
	ASSERT_EQ(factors.source, 600000);
	ASSERT_EQ(factors.relevance, 0);
}

/* With a query it is by the terms of each chunk, each time from the start. */
static void
test_select_score_by_a_query_begins_again(void **state)
{
	static struct query query;
	uint32_t scores[2][2];
	uint8_t category;

	query_init(&query, (const uint8_t *)"apple", 5);
	rig.run.job.query = &query;
	add_file("a.c", 0, REASON_NONE);
	add_chunk(10, 1);
	add_file("b.c", 0, REASON_NONE);
	add_chunk(10, 2);
	ASSERT_EQ(table_reserve(&rig.run.catalogue.terms,
				2 * sizeof(struct term_record)),
		  0);
	*catalogue_term(&rig.run.catalogue, 0) = term_record(0, 0, 3);
	*catalogue_term(&rig.run.catalogue, 1) = term_record(CHUNK_NONE, 0, 0);
	plan_open(1000);
	plan_score();
	for (int round = 0; round < 2; round++) {
		for (uint64_t c = 0; c < 2; c++)
			scores[round][c] = score_of(c, &category);
	}
	/* 1.4 of the 4.1 that there can be; as new as it is to the point */
	assert_about(scores[0][0], 273171 + 80000);
	assert_about(scores[0][1], 80000);
	ASSERT_EQ(scores[1][0], scores[0][0]);
	ASSERT_EQ(scores[1][1], scores[0][1]);
}

/* An empty chunk stands on a line, too. */
static void
test_select_score_of_an_empty_chunk_is_that_of_its_line(void **state)
{
	uint8_t category;

	add_file("a.c", 0, REASON_NONE);
	add_chunk(10, 1);
	rig_chunk(&rig, 0)->line_nr = 0;
	rig_chunk(&rig, 0)->line_first = 7;
	request_lines("a.c", 7, 7, CATEGORY_OPEN);
	plan_open(1000);
	plan_score();
	/* 0.5 + 0.3 + 0.2 * 0.8 */
	assert_about(score_of(0, &category), 960000);
	ASSERT_EQ(category, CATEGORY_OPEN);
}

/* A text that came with a source is as new as the newest file. */
static void
test_select_score_of_a_text_has_no_time_of_its_own(void **state)
{
	uint8_t category;

	add_file("a.c", 5 * MONTH, REASON_NONE);
	add_chunk(10, 1);
	add_file("text", 50 * MONTH, REASON_NONE);
	add_chunk(10, 2);
	catalogue_file(&rig.run.catalogue, 1)->root_idx = SOURCE_ROOT_TEXT;
	plan_open(1000);
	plan_score();
	ASSERT_EQ(plan.scores.times.newest_ns, 5 * MONTH);
	ASSERT_EQ(plan.scores.times.oldest_ns, 5 * MONTH);
	assert_about(score_of(1, &category), expect(0, 1));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_CASE(test_select_score_is_of_points_age_and_the_tree),
		PLAN_CASE(test_select_score_is_explained_by_its_factors),
		PLAN_CASE(test_select_score_of_what_sources_ask_for),
		PLAN_CASE(
			test_select_score_is_never_less_than_as_part_of_the_tree),
		PLAN_CASE(test_select_score_of_several_requests_is_the_best),
		PLAN_CASE(test_select_score_by_a_query_begins_again),
		PLAN_CASE(
			test_select_score_of_an_empty_chunk_is_that_of_its_line),
		PLAN_CASE(test_select_score_of_a_text_has_no_time_of_its_own),
	};

	return cmocka_run_group_tests_name("select/score", tests, NULL, NULL);
}
