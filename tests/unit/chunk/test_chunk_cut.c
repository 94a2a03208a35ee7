/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_cut.c - the content of an entry into runs of chunks.
 */
#include "tests/support/test_chunk_work.h"

static struct step_rig rig;

static void
test_chunk_cut_by_lines_gives_each_its_lines(void **state)
{
	struct desc in = step_whole_file(&rig, "a\nb\nc", DESC_SCAN);
	uint32_t left;

	rig.rules.fit.max_lines = 2;
	chunk_begin_file(&rig.work, 0);
	ASSERT_TRUE(chunk_cut(&rig.work, &in, in.slab_off, true, &left));
	ASSERT_EQ(left, in.slab_off + in.bytes);
	ASSERT_EQ(rig.got_nr, 2);
	step_assert_text(&rig, &rig.got[0], "a\nb\n");
	ASSERT_EQ(rig.got[0].line_first, 1);
	ASSERT_EQ(rig.got[0].line_nr, 2);
	step_assert_text(&rig, &rig.got[1], "c");
	ASSERT_EQ(rig.got[1].line_first, 3);
	ASSERT_EQ(rig.got[1].file_off, 4);
}

static void
test_chunk_cut_writes_only_what_is_planned(void **state)
{
	struct desc in = step_whole_file(&rig, "a\nb\nc\n", DESC_EMIT);
	uint32_t left;

	rig.rules.fit.max_lines = 3;
	chunk_begin_file(&rig.work, 0);
	ASSERT_TRUE(chunk_cut(&rig.work, &in, in.slab_off, true, &left));
	ASSERT_EQ(rig.got_nr, 0);
	/* of three lines two are planned: the rest is only compared */
	step_plan(&rig, &(struct plan_entry){ .tier = TIER_FULL,
					      .kept_lines = 2 });
	chunk_begin_file(&rig.work, 0);
	ASSERT_TRUE(chunk_cut(&rig.work, &in, in.slab_off, true, &left));
	ASSERT_EQ(rig.got_nr, 1);
	ASSERT_EQ(rig.got[0].line_nr, 2);
	ASSERT_EQ(rig.got[0].rest_bytes, 2);
}

static void
test_chunk_rules_fit_pieces_where_chunks_compete(void **state)
{
	uint32_t whole = rig.rules.fit.limits.max_bytes;

	ASSERT_EQ(whole, CHUNK_MAX_TOKENS * CHUNK_TOKEN_BYTES);
	ASSERT_TRUE(rig.rules.fit.keeps_whole);
	rig.job.counts_terms = true;
	chunk_rules_fit(&rig.rules);
	ASSERT_TRUE(!rig.rules.fit.keeps_whole);
	ASSERT_EQ(rig.rules.fit.limits.max_bytes, PIECE_MAX_BYTES);
}

static int
setup(void **state)
{
	step_rig_init(&rig);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_chunk_cut_by_lines_gives_each_its_lines, setup),
		cmocka_unit_test_setup(test_chunk_cut_writes_only_what_is_planned, setup),
		cmocka_unit_test_setup(test_chunk_rules_fit_pieces_where_chunks_compete, setup),
	};

	return cmocka_run_group_tests_name("chunk/cut", tests, setup, NULL);
}
