/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_derive.c - texts made of the content of an entry.
 */
#include "tests/support/test_chunk_work.h"

static struct step_rig rig;

static void
test_chunk_derive_strips_comments_beside_what_was_read(void **state)
{
	static const char text[] = "/* one */\nint a; /* two */\n";
	struct desc in = step_whole_file(&rig, text, DESC_SCAN);

	rig.job.strips = true;
	rig.job.strip_comments = true;
	chunk_step_entry(&rig.work, &in);
	ASSERT_EQ(rig.got[0].kind, DESC_RUN);
	step_assert_text(&rig, &rig.got[0], "int a;\n");
	ASSERT_EQ(rig.got[0].left_bytes, strlen(text) - strlen("int a;\n"));
	/* what was read stays as it is */
	step_assert_text(&rig, &in, text);
}

static void
test_chunk_derive_gives_signatures_as_one_run(void **state)
{
	struct desc in = step_whole_file(&rig,
					 "int\nf(int a)\n{\n\treturn a + a + "
					 "a + a + a + a;\n}\n",
					 DESC_SCAN | DESC_OUTLINE);

	chunk_step_entry(&rig.work, &in);
	ASSERT_EQ(rig.got_nr, 4);
	ASSERT_EQ(rig.got[1].flags, DESC_SCAN | DESC_OUTLINE);
	step_assert_text(&rig, &rig.got[1], "int\nf(int a)\n");
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
		cmocka_unit_test_setup(test_chunk_derive_strips_comments_beside_what_was_read, setup),
		cmocka_unit_test_setup(test_chunk_derive_gives_signatures_as_one_run, setup),
	};

	return cmocka_run_group_tests_name("chunk/derive", tests, setup, NULL);
}
