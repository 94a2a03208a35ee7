/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_names.c - what a file defines, imports and has left to do.
 */
#include "tests/support/test_chunk_work.h"

static struct step_rig rig;

/* The names of the one file, and its entry number nr. */
static const struct names *
names_of(const struct desc *desc)
{
	return catalogue_lane_names(&rig.catalogue, &rig.lane, desc->bytes,
				    NAMES_FILE_BYTES);
}

static const struct name_entry *
entry_at(const struct names *names, uint32_t nr)
{
	const uint8_t *at = (const uint8_t *)(names + 1);

	for (; nr > 0; nr--) {
		const struct name_entry *entry = (const void *)at;

		at += sizeof(*entry) + (entry->bytes + 3u) / 4 * 4;
	}
	return (const void *)at;
}

static void
test_chunk_names_counts_and_keeps_what_is_named(void **state)
{
	struct desc in = step_whole_file(&rig,
					 "#include <a.h>\n/* TODO */\n"
					 "int\nf(void)\n{\n}\n",
					 DESC_SCAN);
	const struct names *names;

	chunk_step_entry(&rig.work, &in);
	ASSERT_EQ(rig.got_nr, 3);
	ASSERT_EQ(rig.got[1].kind, DESC_NAMES);
	names = names_of(&rig.got[1]);
	ASSERT_EQ(names->def_nr, 1);
	ASSERT_EQ(names->import_nr, 1);
	ASSERT_EQ(names->marker_nr, 1);
	ASSERT_EQ(entry_at(names, 0)->type, NAME_IMPORT);
	ASSERT_EQ(entry_at(names, 0)->flags, NAME_ANGLED);
	assert_memory_equal(entry_at(names, 0) + 1, "a.h", 3);
	ASSERT_EQ(entry_at(names, 1)->type, NAME_MARKER);
	ASSERT_EQ(entry_at(names, 1)->line, 2);
	ASSERT_EQ(entry_at(names, 2)->type, NAME_DEF);
	assert_memory_equal(entry_at(names, 2) + 1, "f", 1);
}

/* Bytes of the signatures that are kept of so many functions. */
static uint32_t
kept_of(uint32_t functions)
{
	static char text[SLAB_BODY_BYTES / 2];
	size_t at = 0;
	struct desc in;

	for (uint32_t i = 0; i < functions; i++)
		at += (size_t)sprintf(text + at,
				      "int a_function_of_many_%04u(int a)\n"
				      "{\n\treturn %u;\n}\n\n",
				      i, i);
	in = step_whole_file(&rig, text, DESC_SCAN | DESC_OUTLINE);
	rig.got_nr = 0;
	rig.work.emit_nr = 0;
	chunk_step_entry(&rig.work, &in);
	for (uint32_t i = 0; i < rig.got_nr; i++)
		if (rig.got[i].kind == DESC_NAMES)
			return rig.got[i].signatures_bytes;
	return UINT32_MAX;
}

/* They stand behind the names; where names leave no room for them, none are kept. */
static void
test_chunk_names_have_signatures_behind_them_or_none(void **state)
{
	uint32_t few = kept_of(100);
	uint32_t many = kept_of(800);

	ASSERT_TRUE(few > 100);
	ASSERT_TRUE(many > 7 * few && many < NAMES_SIGNATURES_BYTES);
	ASSERT_EQ(kept_of(1500), 0);
}

/* The names of a file are the same bytes, whatever lay there before. */
static void
test_chunk_names_are_the_same_wherever_they_lie(void **state)
{
	uint8_t *room = catalogue_lane_names(&rig.catalogue, &rig.lane, 0,
					     NAMES_EXTENT_BYTES);
	const struct names *names;
	static uint8_t want[1024];
	uint32_t bytes = 0;

	for (int dirty = 0; dirty < 2; dirty++) {
		struct desc in = step_whole_file(&rig,
						 "#include <a.h>\nint\nf(void)"
						 "\n{\n}\n",
						 DESC_SCAN);

		memset(room, dirty * 0xa5, NAMES_EXTENT_BYTES);
		rig.state.names.next = 0;
		rig.got_nr = 0;
		chunk_begin_file(&rig.work, FILE_NONE);
		chunk_step_entry(&rig.work, &in);
		ASSERT_EQ(rig.got[1].kind, DESC_NAMES);
		names = names_of(&rig.got[1]);
		ASSERT_TRUE(dirty == 0 || names->bytes == bytes);
		bytes = names->bytes;
		if (dirty == 0)
			memcpy(want, names + 1, bytes);
		assert_memory_equal(names + 1, want, bytes);
	}
}

static void
test_chunk_names_of_nothing_are_not_told(void **state)
{
	struct desc in = step_whole_file(&rig, "int a;\n", DESC_SCAN);

	catalogue_file(&rig.catalogue, 0)->hint_bytes = 0;
	chunk_step_entry(&rig.work, &in);
	for (uint32_t i = 0; i < rig.got_nr; i++)
		ASSERT_TRUE(rig.got[i].kind != DESC_NAMES);
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
		cmocka_unit_test_setup(
			test_chunk_names_counts_and_keeps_what_is_named, setup),
		cmocka_unit_test_setup(test_chunk_names_of_nothing_are_not_told,
				       setup),
		cmocka_unit_test_setup(
			test_chunk_names_have_signatures_behind_them_or_none,
			setup),
		cmocka_unit_test_setup(
			test_chunk_names_are_the_same_wherever_they_lie, setup),
	};

	return cmocka_run_group_tests_name("chunk/names", tests, setup, NULL);
}
