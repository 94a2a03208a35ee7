/* SPDX-License-Identifier: MIT */
/*
 * test_format_cut.c - places to cut at, against where they lie in the output.
 */
#include "tests/support/test_format_rig.h"

#include "catalogue/cuts.h"

/* Where a text begins in the output. */
static uint64_t
place_of(const char *text)
{
	const uint8_t *at = memmem(out, out_bytes, text, strlen(text));

	ASSERT_TRUE(at != NULL);
	return (uint64_t)(at - out);
}

static void
assert_cut(uint32_t idx, enum cut_kind kind, const char *off,
	   const char *content)
{
	const struct cut_record *cut = catalogue_cut(&facts_of_all, idx);

	ASSERT_EQ(cut->kind, kind);
	ASSERT_EQ(cut->off, place_of(off));
	ASSERT_EQ(cut->content_off, place_of(content));
}

static void
test_cut_places_are_files_chunks_and_ends(void **unused)
{
	job.split_tokens = 1000;
	format_begin();
	add_file(0, "a.c", "one\ntwo\nthree\nfour\n");
	take_run(0, 1, "one\n", 0);
	take_run(0, 2, "two\n", 0);
	take_run(0, 4, "four\n", DESC_LAST);
	take_file(1, "b.c", "five");
	ASSERT_EQ(state.cut_nr, 6);
	assert_cut(0, CUT_FILE, "## File: a.c", "one\n");
	assert_cut(1, CUT_CHUNK, "two\n", "two\n");
	assert_cut(2, CUT_CHUNK, "// ...", "four\n");
	assert_cut(3, CUT_END, "```\n\n## File: b.c", "## File: b.c");
	assert_cut(4, CUT_FILE, "## File: b.c", "five");
	ASSERT_EQ(catalogue_cut(&facts_of_all, 0)->end_cut, 3);
	ASSERT_EQ(catalogue_cut(&facts_of_all, 2)->line_first, 4);
	ASSERT_EQ(catalogue_cut(&facts_of_all, 2)->line_before, 2);
	ASSERT_EQ(catalogue_cut(&facts_of_all, 3)->half_line, 0);
	ASSERT_EQ(catalogue_cut(&facts_of_all, 5)->half_line, 1);
	ASSERT_EQ(catalogue_cut(&facts_of_all, 5)->file_idx, 1);
}

static void
test_cut_chunk_that_begins_within_a_line_is_none(void **unused)
{
	job.split_tokens = 1000;
	format_begin();
	add_file(0, "a.c", "one two\n");
	take_run(0, 1, "one", 0);
	take_run(0, 1, " two\n", DESC_LAST);
	ASSERT_EQ(state.cut_nr, 2);
}

static void
test_cut_nothing_where_there_is_one_part(void **unused)
{
	format_begin();
	take_file(0, "a.c", "one\n");
	ASSERT_EQ(state.cut_nr, 0);
}

#define CASE(test) \
	cmocka_unit_test_setup_teardown(test, format_setup, format_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_cut_places_are_files_chunks_and_ends),
		CASE(test_cut_chunk_that_begins_within_a_line_is_none),
		CASE(test_cut_nothing_where_there_is_one_part),
	};

	return cmocka_run_group_tests_name("format/cut", tests, NULL, NULL);
}
