/* SPDX-License-Identifier: MIT */
/*
 * test_format_describe.c - what the header of a file says.
 */
#include "tests/support/test_format_rig.h"

static void
test_describe_has_what_its_file_says(void **unused)
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_describe_has_what_its_file_says, format_setup,
			format_teardown),
	};

	return cmocka_run_group_tests_name("format/describe", tests, NULL,
					   NULL);
}
