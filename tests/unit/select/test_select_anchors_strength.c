/* SPDX-License-Identifier: MIT */
/*
 * test_select_anchors_strength.c - how strongly files and chunks are named,
 * beside all anchors gone through.
 */
#include "tests/support/test_select_planner.h"

#include "stages/select/select_anchors_strength.h"

#define FILES 4
#define CHUNKS 3

static struct select_anchors anchors;
static struct select_anchor all[64];

/* Files of three chunks of ten lines. */
static void
make_tree(void)
{
	static const char *const paths[FILES] = { "a", "b", "c", "d" };

	for (uint32_t i = 0; i < FILES; i++) {
		add_file(paths[i], 0, REASON_NONE);
		for (uint32_t k = 0; k < CHUNKS; k++) {
			struct chunk_record *chunk;

			add_chunk(10, CHUNKS * i + k);
			chunk = catalogue_chunk(&rig.run.catalogue,
						CHUNKS * i + k);
			chunk->line_first = 1 + 10 * k;
			chunk->line_nr = 10;
		}
	}
	planner_open();
}

/* The strongest one of some lines of a file. */
static double
strongest(uint32_t file_idx, uint32_t from, uint32_t to)
{
	float best = 0;

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		if (all[i].file_idx == file_idx && all[i].line >= from &&
		    all[i].line < to && all[i].strength > best)
			best = all[i].strength;
	return (double)best;
}

static void
test_select_anchors_are_those_of_a_file_and_of_its_lines(void **state)
{
	make_tree();
	for (uint32_t i = 0; i < ARRAY_LEN(all); i++) {
		/* of the first two files, and some of them whole */
		all[i] = (struct select_anchor){
			.file_idx = (i * 7 + 3) % FILES & ~2u,
			.line = i % 5 == 0 ? 0 : 1 + i * 11 % 30,
			.strength = (float)(1 + i * 37 % 50) / 50,
		};
		select_anchors_add(&anchors, all[i].file_idx, all[i].line,
				   (double)all[i].strength);
	}
	select_anchors_sort(&anchors);
	for (uint32_t i = 0; i < FILES; i++) {
		ASSERT_EQ(select_anchors_has(&anchors, i),
			  strongest(i, 0, UINT32_MAX) > 0);
		ASSERT_TRUE(select_anchors_file(&anchors, i) ==
			    strongest(i, 0, 1));
		for (uint32_t k = 0; k < CHUNKS; k++)
			ASSERT_TRUE(
				select_anchors_chunk(planner, &anchors, i, k) ==
				strongest(i, 1 + 10 * k, 11 + 10 * k));
	}
}

static void
test_select_anchors_have_limits(void **state)
{
	make_tree();
	select_anchors_add(&anchors, 0, 1, 0);
	ASSERT_EQ(anchors.nr, 0);
	for (uint32_t i = 0; i < 2 * SELECT_ANCHORS_MAX; i++)
		select_anchors_add(&anchors, 1, 0, 1);
	ASSERT_EQ(anchors.nr, SELECT_ANCHORS_MAX);
}

static int
setup_strength(void **state)
{
	memset(&anchors, 0, sizeof(anchors));
	memset(all, 0, sizeof(all));
	return setup_plan(state);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_select_anchors_are_those_of_a_file_and_of_its_lines,
			setup_strength, teardown_plan),
		cmocka_unit_test_setup_teardown(test_select_anchors_have_limits,
						setup_strength, teardown_plan),
	};

	return cmocka_run_group_tests_name("select/anchors_strength", tests,
					   NULL, NULL);
}
