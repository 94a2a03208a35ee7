/* SPDX-License-Identifier: MIT */
/*
 * test_format_section.c - runs of files into sections, with what is left out
 * between them and of them.
 */
#include "tests/support/test_format_rig.h"

static void
test_section_has_what_its_file_says(void **unused)
{
	const struct section_lines lines = { 2, 3, false, false };
	struct markup_section section;
	struct file_facts *facts;

	format_begin();
	add_file(0, "first.c", "one\ntwo\nthree");
	facts = add_file(1, "again\n.c", "one\ntwo\nthree");
	facts->same_as = 0;
	facts->mark_run = 5;
	section = format_describe(format, 1, &lines);
	assert_string_equal(section.path, "\"again\\n.c\"");
	assert_string_equal(section.same_path, "first.c");
	ASSERT_EQ(section.line_first, 2);
	ASSERT_EQ(section.line_last, 3);
	ASSERT_EQ(section.line_nr, 3);
	ASSERT_EQ(section.mark_run, 5);
	ASSERT_TRUE(section.no_newline);
	ASSERT_TRUE(!section.is_whole && !section.empty);
}

static void
test_section_of_runs_with_a_gap(void **unused)
{
	format_begin();
	add_file(0, "a.c", "1\n2\n3\n4\n");
	take_run(0, 1, "1\n", 0);
	take_run(0, 4, "4\n", DESC_LAST);
	take_file(1, "b.c", "x");
	finish();
	assert_out("## File: a.c (lines 1-4)\n```\n1\n// ... (lines 2-3)\n"
		   "4\n```\n\n## File: b.c (lines 1-1, no newline at end)\n"
		   "```\nx\n```\n\n");
	ASSERT_EQ(state.verdict.bytes, out_bytes);
	ASSERT_EQ(state.verdict.tokens, count(out, out_bytes));
}

/* A run that ends within a line is followed by its rest, and no gap. */
static void
test_section_of_a_line_in_two_runs(void **unused)
{
	format_begin();
	add_file(0, "a.c", "long line\n");
	take_run(0, 1, "long", DESC_MORE);
	take_run(0, 1, " line\n", DESC_LAST);
	finish();
	assert_out("## File: a.c (lines 1-1)\n```\nlong line\n```\n\n");
}

static void
test_section_of_a_file_that_breaks_off_says_so(void **unused)
{
	struct desc file = { .kind = DESC_FILE, .reason = REASON_CHANGED };

	format_begin();
	add_file(0, "a.c", "1\n2\n");
	take_run(0, 1, "1\n", 0);
	format_out_begin(format);
	format_take(format, &file);
	ASSERT_EQ(format_out_end(format), 0);
	finish();
	ASSERT_TRUE(memmem(out, out_bytes, reason_text(REASON_CHANGED),
			   strlen(reason_text(REASON_CHANGED))) != NULL);
	/* another one that was not begun is not told of */
	file.file_idx = 1;
	format_out_begin(format);
	format_take(format, &file);
	ASSERT_EQ(format_out_at(format), state.offset);
}

static void
test_section_nothing_is_an_empty_output(void **unused)
{
	format_begin();
	finish();
	ASSERT_EQ(out_bytes, 0);
	ASSERT_EQ(state.verdict.tokens, 0);
}

#define CASE(test) \
	cmocka_unit_test_setup_teardown(test, format_setup, format_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_section_has_what_its_file_says),
		CASE(test_section_of_runs_with_a_gap),
		CASE(test_section_of_a_line_in_two_runs),
		CASE(test_section_of_a_file_that_breaks_off_says_so),
		CASE(test_section_nothing_is_an_empty_output),
	};

	return cmocka_run_group_tests_name("format/section", tests, NULL, NULL);
}
