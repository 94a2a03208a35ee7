/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_step.c - which entries give what, and who is left out.
 */
#include "tests/support/test_chunk_work.h"

static struct step_rig rig;

static void
test_chunk_step_whole_file_gives_a_chunk_names_and_facts(void **state)
{
	struct desc in = step_whole_file(&rig, "int a;\nint b;\n",
					 DESC_SCAN | DESC_RELEASE);

	chunk_step_entry(&rig.work, &in);
	ASSERT_EQ(rig.got_nr, 3);
	ASSERT_EQ(rig.got[0].kind, DESC_RUN);
	ASSERT_EQ(rig.got[0].line_nr, 2);
	step_assert_text(&rig, &rig.got[0], "int a;\nint b;\n");
	ASSERT_EQ(rig.got[1].kind, DESC_NAMES);
	ASSERT_EQ(rig.got[2].kind, DESC_FILE);
	ASSERT_EQ(rig.state.goes_on, 0);
}

static void
test_chunk_step_file_left_out_gives_its_slab_back_alone(void **state)
{
	struct desc in = step_whole_file(&rig, "int a;\n",
					 DESC_SCAN | DESC_RELEASE);

	chunk_step_leave_out(&rig.work, &in, REASON_POISON);
	ASSERT_EQ(rig.got_nr, 2);
	ASSERT_EQ(rig.got[0].kind, DESC_FILE);
	ASSERT_EQ(((struct desc_file *)&rig.got[0])->reason, REASON_POISON);
	ASSERT_EQ(rig.got[1].kind, DESC_SLAB);
	/* further entries of it are passed over */
	rig.got_nr = 0;
	in.flags = DESC_SCAN;
	chunk_step_entry(&rig.work, &in);
	ASSERT_EQ(rig.got_nr, 0);
	/* and one that fails as well does not end the file's turn again */
	chunk_step_leave_out(&rig.work, &in, REASON_POISON);
	ASSERT_EQ(rig.got_nr, 0);
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
		cmocka_unit_test_setup(test_chunk_step_whole_file_gives_a_chunk_names_and_facts, setup),
		cmocka_unit_test_setup(test_chunk_step_file_left_out_gives_its_slab_back_alone, setup),
	};

	return cmocka_run_group_tests_name("chunk/step", tests, setup, NULL);
}
