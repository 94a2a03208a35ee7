/* SPDX-License-Identifier: MIT */
/*
 * test_select_preamble.c - the facts that the output of a plan begins with.
 */
#include "tests/support/test_select_planner.h"

#include "catalogue/preamble.h"

static char text[PREAMBLE_TEXT_BYTES + 1];

/* As it was written for format. */
static const char *
written(void)
{
	const struct catalogue *catalogue = &rig.run.catalogue;
	size_t nr = catalogue_preamble(catalogue)->text_bytes;

	memcpy(text, table_at(&catalogue->preamble, PREAMBLE_TEXT_OFF, nr), nr);
	text[nr] = '\0';
	return text;
}

static void
plan_writes(const char *want)
{
	ASSERT_EQ(plan_write(&plan), 0);
	ASSERT_EQ(plan_write_preamble(&plan), 0);
	if (strstr(written(), want) == NULL)
		fail_msg("no \"%s\" in %s", want, text);
}

static void
take(uint64_t chunk_idx)
{
	const struct rank_candidate candidate = candidate_of(chunk_idx);

	ASSERT_EQ(plan_put(&plan, &candidate), 0);
}

/* Five directories and a file in none; one of the files is another's copy. */
static void
make_files(void)
{
	static const struct {
		const char *path;
		uint32_t tokens;
	} files[] = { { "a/x.c", 100 },   { "a-b/x.c", 10 }, { "b/x.c", 2000 },
		      { "b/y/z.c", 900 }, { "c/x.c", 500 },  { "d/x.c", 50 },
		      { "e.c", 9000 } };

	rig.run.job.root_nr = 1;
	rig.run.job.markup.preamble = true;
	for (uint32_t i = 0; i < ARRAY_LEN(files); i++) {
		add_file(files[i].path, 0, REASON_NONE);
		add_chunk(files[i].tokens, i + 1);
		add_chunk(1, 100 + i);
	}
	add_file("f/none", 0, REASON_BINARY);
}

static void
test_select_preamble_names_the_directories_with_most_text(void **state)
{
	make_files();
	plan_open(50000);
	plan_begin_preamble(&plan);
	ASSERT_TRUE(plan.cost.preamble.text_bytes > 0);
	take(0);
	take(1);
	take(2);
	plan_writes(": 2 files, 1 in part; 6 are left out.\n");
	plan_writes("\nMost text is below b (about 2k tokens), c (375), a (75).\n");
}

/* Before there is a plan its cost is the same, whatever was planned before. */
static void
test_select_preamble_costs_the_same_after_another_plan(void **state)
{
	uint64_t before;

	make_files();
	plan_open(50000);
	before = select_cost_frame(&plan.cost);
	plan_begin_preamble(&plan);
	ASSERT_TRUE(select_cost_frame(&plan.cost) > before + 50);
	before = select_cost_frame(&plan.cost);
	take(0);
	ASSERT_EQ(plan_write(&plan), 0);
	ASSERT_EQ(plan_write_preamble(&plan), 0);
	plan_begin_preamble(&plan);
	ASSERT_EQ(select_cost_frame(&plan.cost), before);
}

static void
test_select_preamble_of_all_is_that_of_the_whole(void **state)
{
	make_files();
	add_file("g", 0, REASON_NONE);
	add_chunk(100, 1);
	make_duplicates(0);
	plan_open(50000);
	plan_begin_preamble(&plan);
	for (uint64_t i = 0; i < 14; i++)
		take(i);
	plan_writes("all of a source tree: 7 files; 2 are left out.\n");
}

/* What is asked for, and too little to be told of. */
static void
test_select_preamble_of_a_small_budget_is_none(void **state)
{
	make_files();
	rig.run.job.budget_tokens = PREAMBLE_LEAST_TOKENS - 1;
	plan_open(1000);
	plan_begin_preamble(&plan);
	ASSERT_TRUE(plan.cost.preamble.text == NULL);
	ASSERT_EQ(plan_write_preamble(&plan), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_CASE(
			test_select_preamble_names_the_directories_with_most_text),
		PLAN_CASE(
			test_select_preamble_costs_the_same_after_another_plan),
		PLAN_CASE(test_select_preamble_of_all_is_that_of_the_whole),
		PLAN_CASE(test_select_preamble_of_a_small_budget_is_none),
	};

	return cmocka_run_group_tests_name("select/preamble", tests, NULL,
					   NULL);
}
