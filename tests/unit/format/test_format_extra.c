/* SPDX-License-Identifier: MIT */
/*
 * test_format_extra.c - the tree, the texts of git and the instructions.
 */
#include "tests/support/test_format_rig.h"

#include "catalogue/history.h"

static void
assert_extras(const char *want)
{
	format_out_begin(format);
	format_extras(format, &format->text, NULL);
	format_out_text(format);
	ASSERT_EQ(format_out_end(format), 0);
	assert_out(want);
}

static void
test_extra_tree_has_each_folder_once(void **unused)
{
	job.markup.tree = true;
	format_begin();
	add_file(0, "a/b/one.c", "x");
	add_file(1, "a/b/two.c", "x");
	add_file(2, "a/ba", "x")->reason = REASON_BINARY;
	add_file(3, "a/c", "x");
	add_file(4, "b/````", "x");
	assert_extras("## Directory tree\n\n`````\na/\n  b/\n    one.c\n"
		      "    two.c\n  c\nb/\n  ````\n`````\n\n");
}

static void
test_extra_lines_of_a_file_begin_where_the_one_before_differs(void **unused)
{
	format_begin();
	add_file(0, "a/b/one.c", "x");
	add_file(1, "a/bc/two.c", "x");
	format_tree_lines(format, &format->text, FILE_NONE, 1);
	format_tree_lines(format, &format->text, 0, 1);
	format_out_text(format);
	ASSERT_EQ(format_out_end(format), 0);
	assert_out("a/\n  bc/\n    two.c\n  bc/\n    two.c\n");
}

static void
test_extra_instructions_and_git_are_fenced(void **unused)
{
	struct history_head *git;
	uint64_t off = HISTORY_HEAD_BYTES;

	job.markup.instructions = "Say ==== it";
	job.markup.instructions_bytes = strlen(job.markup.instructions);
	ASSERT_EQ(table_reserve(&facts_of_all.history, off + 4), 0);
	memcpy(table_at(&facts_of_all.history, off, 4), "log\n", 4);
	git = table_at(&facts_of_all.history, 0, sizeof(*git));
	git->log_off = off;
	git->log_bytes = 4;
	format_begin();
	format_extras(format, &format->text, NULL);
	format_out_text(format);
	ASSERT_EQ(format_out_end(format), 0);
	out[out_bytes] = 0;
	ASSERT_TRUE(strstr((char *)out, "\nlog\n") != NULL);
	ASSERT_TRUE(strstr((char *)out, "Say ==== it") >
		    strstr((char *)out, "\nlog\n"));
}

#define CASE(test) \
	cmocka_unit_test_setup_teardown(test, format_setup, format_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_extra_tree_has_each_folder_once),
		CASE(test_extra_lines_of_a_file_begin_where_the_one_before_differs),
		CASE(test_extra_instructions_and_git_are_fenced),
	};

	return cmocka_run_group_tests_name("format/extra", tests, NULL, NULL);
}
