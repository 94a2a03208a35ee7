/* SPDX-License-Identifier: MIT */
/*
 * test_select_min_chunks.c - the cheapest chunks that differ, against a sort.
 */
#include "tests/support/test_select_planner.h"

static int
compare_costs(const void *left, const void *right)
{
	const uint64_t *a = left;
	const uint64_t *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* Costs of the first chunk of each content, ascending. */
static size_t
sort_costs(uint64_t *costs)
{
	static bool has[1000];
	size_t nr = 0;

	memset(has, 0, sizeof(has));
	for (uint64_t c = 0; c < chunk_nr; c++) {
		const struct chunk_record *chunk =
			catalogue_chunk(&rig.run.catalogue, c);
		uint64_t print = print_of(chunk);

		if (chunk->tokens == 0 || has[print] ||
		    !has_content(chunk->file_idx))
			continue;
		has[print] = true;
		costs[nr++] = chunk->tokens + header_cost(c);
	}
	qsort(costs, nr, sizeof(*costs), compare_costs);
	return nr;
}

static void
test_select_min_chunks_are_the_cheapest_that_differ(void **state)
{
	static const uint64_t wanted_of[] = { 2, 7, 40, 1000 };
	uint64_t costs[1000];
	uint64_t seed = 3;
	size_t nr;

	for (uint32_t i = 0; i < 100; i++) {
		uint64_t print = random_next(&seed) % 60;
		char path[20];

		/* all headers cost the same; so do chunks of one content */
		snprintf(path, sizeof(path), "f%03u.c", i);
		add_file(path, 0, i % 9 == 8 ? REASON_BINARY : REASON_NONE);
		add_chunk((uint32_t)(print == 5 ? 0 : 10 + print * print % 47),
			  print);
	}
	nr = sort_costs(costs);
	ASSERT_TRUE(nr > 41);
	for (size_t i = 0; i < ARRAY_LEN(wanted_of); i++) {
		const struct min_chunk_reserve *least = &plan.tokens.least;
		uint64_t want = min_u64(wanted_of[i], nr);

		rig.run.job.min_chunks = wanted_of[i];
		plan_open(1000000);
		plan_find_min_chunks(&plan);
		ASSERT_EQ(least->wanted, want);
		ASSERT_EQ(least->nr, want);
		for (uint32_t k = 0; k < least->nr; k++)
			ASSERT_EQ(least->cheapest[k].cost, costs[k]);
		plan_close();
	}
}

/* One is what any plan has; and no more are wanted than fit. */
static void
test_select_min_chunks_are_no_more_than_fit(void **state)
{
	uint64_t cost;

	for (uint32_t i = 0; i < 3; i++) {
		char path[] = "a.c";

		path[0] = (char)('a' + i);
		add_file(path, 0, REASON_NONE);
		add_chunk(20, i);
	}
	cost = 20 + header_cost(0);
	rig.run.job.min_chunks = 1;
	plan_open(10 * cost);
	plan_find_min_chunks(&plan);
	ASSERT_EQ(plan.tokens.least.nr, 0);
	ASSERT_EQ(plan.tokens.least.wanted, 1);
	plan_close();
	rig.run.job.min_chunks = 3;
	plan_open(2 * cost + cost - 1);
	plan_find_min_chunks(&plan);
	ASSERT_EQ(plan.tokens.least.wanted, 2);
	plan_close();
	plan_open(3 * cost);
	plan_find_min_chunks(&plan);
	ASSERT_EQ(plan.tokens.least.wanted, 3);
}

/* With signatures a file is one of them, however many chunks it has. */
static void
test_select_min_chunks_with_signatures_are_files(void **state)
{
	static const uint32_t outlines[] = { 30, 20, 25 };

	for (uint32_t i = 0; i < ARRAY_LEN(outlines); i++) {
		char path[] = "a.c";

		path[0] = (char)('a' + i);
		add_file(path, 0, REASON_NONE);
		add_chunk(1, 7);
		add_chunk(2, 7);
		rig_facts(&rig, i)->outline_tokens = outlines[i];
		rig_facts(&rig, i)->outline_fingerprint[0] = (uint8_t)(i + 1);
	}
	/* two files with the same signatures are two */
	rig_facts(&rig, 2)->outline_fingerprint[0] = 2;
	rig.run.job.compress = true;
	rig.run.job.min_chunks = 9;
	plan_open(100000);
	plan_find_min_chunks(&plan);
	ASSERT_EQ(plan.tokens.least.nr, 3);
	ASSERT_EQ(plan.tokens.least.wanted, 3);
	ASSERT_EQ(plan.tokens.least.cheapest[0].chunk_idx, 2);
	ASSERT_EQ(plan.tokens.least.cheapest[1].chunk_idx, 4);
	ASSERT_EQ(plan.tokens.least.cheapest[2].chunk_idx, 0);
}

/* Of what sources ask for: only chunks with a line of it, also an empty one. */
static void
test_select_min_chunks_of_sources_are_those_that_are_asked_for(void **state)
{
	static const struct {
		uint64_t line;
		bool want[3]; /* of chunks at 1-10, at 11, at 12-21 */
	} cases[] = {
		{ 1, { true, false, false } },  { 10, { true, false, false } },
		{ 11, { false, true, false } }, { 12, { false, false, true } },
		{ 21, { false, false, true } }, { 22, { false, false, false } },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const struct source_file *requested;

		if (i > 0) {
			teardown_plan(NULL);
			setup_plan(NULL);
		}
		add_file("a.c", 0, REASON_NONE);
		for (uint32_t c = 0; c < 3; c++)
			add_chunk(20, c);
		rig_chunk(&rig, 1)->line_nr = 0;
		rig_chunk(&rig, 2)->line_first = 12;
		add_file("b.c", 0, REASON_NONE);
		add_chunk(5, 9);
		request_lines("a.c", cases[i].line, cases[i].line,
			      CATEGORY_SEARCH);
		rig.run.job.min_chunks = 9;
		plan_open(100000);
		/* with the tree all are */
		ASSERT_TRUE(plan_requested_of(&plan, 0) == NULL);
		ASSERT_TRUE(!plan_is_not_requested(&plan, NULL,
						   rig_chunk(&rig, 3)));
		plan_find_min_chunks(&plan);
		ASSERT_EQ(plan.tokens.least.nr, 4);
		plan_close();
		rig.run.job.sources_only = true;
		plan_open(100000);
		requested = plan_requested_of(&plan, 0);
		ASSERT_TRUE(requested == &requested_files[0]);
		ASSERT_TRUE(plan_requested_of(&plan, 1) == NULL);
		for (uint32_t c = 0; c < 3; c++)
			ASSERT_EQ(plan_is_not_requested(&plan, requested,
							rig_chunk(&rig, c)),
				  !cases[i].want[c]);
		ASSERT_TRUE(
			plan_is_not_requested(&plan, NULL, rig_chunk(&rig, 3)));
		plan_find_min_chunks(&plan);
		ASSERT_EQ(plan.tokens.least.nr, cases[i].line < 22);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_CASE(test_select_min_chunks_are_the_cheapest_that_differ),
		PLAN_CASE(test_select_min_chunks_are_no_more_than_fit),
		PLAN_CASE(test_select_min_chunks_with_signatures_are_files),
		PLAN_CASE(
			test_select_min_chunks_of_sources_are_those_that_are_asked_for),
	};

	return cmocka_run_group_tests_name("select/min_chunks", tests, NULL,
					   NULL);
}
