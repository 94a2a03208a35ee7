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

/* The entry of a pass that writes the signatures of a file. */
static struct desc
written(const char *text)
{
	struct desc in = step_whole_file(&rig, text,
					 DESC_EMIT | DESC_OUTLINE | DESC_LAST);

	in.kind = DESC_PART;
	return in;
}

/* What is kept is altered here, so that it is seen where it is used. */
static void
test_chunk_derive_takes_what_the_survey_has_derived(void **state)
{
	static const char text[] =
		"int\nf(int a)\n{\n\treturn a + a + a + a + a + a;\n}\n";
	const struct plan_entry signatures = { .tier = TIER_SIGNATURES };
	static struct chunk_kept kept;
	struct desc in =
		step_whole_file(&rig, text, DESC_SCAN | DESC_OUTLINE);
	char other[sizeof(text)];

	rig.work.kept = &kept;
	chunk_step_entry(&rig.work, &in);
	ASSERT_EQ(kept.file_nr, 1);
	memcpy(memmem(kept.room, kept.used, "f(int", 5), "F", 1);
	step_plan(&rig, &signatures);
	rig.got_nr = 0;
	in = written(text);
	chunk_step_entry(&rig.work, &in);
	ASSERT_EQ(rig.got[0].flags, DESC_EMIT | DESC_OUTLINE);
	ASSERT_EQ(rig.got[0].line_first, 1);
	step_assert_text(&rig, &rig.got[0], "int\nF(int a)\n");
	/* content that is another is scanned */
	memcpy(other, text, sizeof(text));
	other[4] = 'g';
	rig.got_nr = 0;
	in = written(other);
	chunk_step_entry(&rig.work, &in);
	step_assert_text(&rig, &rig.got[0], "int\ng(int a)\n");
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
		cmocka_unit_test_setup(test_chunk_derive_takes_what_the_survey_has_derived, setup),
	};

	return cmocka_run_group_tests_name("chunk/derive", tests, setup, NULL);
}
