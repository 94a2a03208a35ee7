/* SPDX-License-Identifier: MIT */
/*
 * test_format_section.c - runs of files into sections, with what is left out
 * between them and of them.
 */
#include "tests/support/test_format_rig.h"

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

/* Signatures have their numbers; a chunk among them goes on with its own, and so does
 * a text that stands for signatures. */
static void
test_section_of_signatures_with_numbers(void **unused)
{
	const uint8_t numbered = DESC_OUTLINE | DESC_NUMBERED | DESC_MORE;

	job.markup.numbers = true;
	format_begin();
	add_file(0, "a.c", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
	take_run(0, 2, "2: b\n3: 9: c\n", numbered);
	take_run(0, 5, "e\nf\n", 0);
	take_run(0, 8, "8: h\n", numbered);
	take_run(0, 9, "i\n", DESC_OUTLINE | DESC_LAST);
	finish();
	assert_out("## File: a.c (signatures, all, numbered)\n```\n"
		   "2: b\n3: 9: c\n// ... (lines 4-4)\n5: e\n6: f\n"
		   "// ... (lines 7-7)\n8: h\n9: i\n```\n\n");
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
		CASE(test_section_of_runs_with_a_gap),
		CASE(test_section_of_signatures_with_numbers),
		CASE(test_section_of_a_line_in_two_runs),
		CASE(test_section_of_a_file_that_breaks_off_says_so),
		CASE(test_section_nothing_is_an_empty_output),
	};

	return cmocka_run_group_tests_name("format/section", tests, NULL, NULL);
}
