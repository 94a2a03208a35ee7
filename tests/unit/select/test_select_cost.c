/* SPDX-License-Identifier: MIT */
/*
 * test_select_cost.c - headers, marks and what stands around all files, against
 * the texts of docs/formats.md, counted.
 */
#include "tests/support/test_select_planner.h"

static struct select_cost cost;

static uint64_t
section(uint32_t file_idx, uint64_t first, uint64_t last)
{
	const struct select_part part = {
		.file_idx = file_idx,
		.lines = { .first = first, .last = last },
	};

	return select_cost_section(&cost, &part);
}

static uint64_t
gap(uint32_t file_idx, uint64_t first)
{
	const struct select_part part = { .file_idx = file_idx,
					  .lines.first = first };

	return select_cost_gap(&cost, &part);
}

static void
open_files(void)
{
	add_file("src/a.c", 0, REASON_NONE);
	add_chunk(10, 1);
	add_chunk(10, 2);
	add_file("b.c", 0, REASON_NONE);
	add_chunk(10, 3);
	planner_open();
	select_cost_init(&cost, planner);
}

static void
test_select_cost_of_a_section_is_of_its_header_and_its_end(void **state)
{
	open_files();
	ASSERT_EQ(section(0, 1, 20),
		  count_text("## File: src/a.c (lines 1-20)\n```\n```\n\n"));
	ASSERT_EQ(section(0, 11, 20),
		  count_text("## File: src/a.c (lines 11-20 of 20)\n"
			     "```\n```\n\n"));
	ASSERT_EQ(section(1, 1, 10),
		  count_text("## File: b.c (lines 1-10)\n```\n```\n\n"));
	/* a file that ends without a newline says so where its end is there */
	rig_facts(&rig, 0)->no_newline = 1;
	ASSERT_EQ(section(0, 1, 10),
		  count_text("## File: src/a.c (lines 1-10 of 20)\n"
			     "```\n```\n\n"));
	ASSERT_EQ(section(0, 1, 20),
		  count_text("## File: src/a.c (lines 1-20, no newline at end)"
			     "\n```\n\n```\n\n"));
}

/* An empty file that is written has a header as others do. */
static void
test_select_cost_of_no_bytes_is_that_of_some(void **state)
{
	open_files();
	rig_facts(&rig, 1)->bytes = 0;
	ASSERT_EQ(section(1, 1, 10),
		  count_text("## File: b.c (lines 1-10)\n```\n```\n\n"));
}

/* In the tree a file is its name; its directories are others', too. */
static void
test_select_cost_with_a_tree_is_a_line_more(void **state)
{
	rig.run.job.markup.tree = true;
	open_files();
	ASSERT_EQ(section(0, 1, 20),
		  count_text("## File: src/a.c (lines 1-20)\n```\n```\n\n"
			     "/a.c\n  "));
	ASSERT_EQ(section(1, 1, 10),
		  count_text("## File: b.c (lines 1-10)\n```\n```\n\n"
			     "b.c\n  "));
}

/* An eighth of the lines before it are thought to be left out, up to it. */
static void
test_select_cost_of_a_gap_is_that_of_its_mark(void **state)
{
	static const struct {
		uint64_t first;
		const char *text;
	} cases[] = {
		{ 1, "// ... (lines 1-1)\n" },
		{ 2, "// ... (lines 1-1)\n" },
		{ 3, "// ... (lines 2-2)\n" },
		{ 9, "// ... (lines 7-8)\n" },
		{ 1000, "// ... (lines 875-999)\n" },
		{ 1001, "// ... (lines 875-1000)\n" },
		{ 100001, "// ... (lines 87500-100000)\n" },
	};

	open_files();
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		ASSERT_EQ(gap(0, cases[i].first), count_text(cases[i].text));
	rig_facts(&rig, 0)->dot_run = 5;
	ASSERT_EQ(gap(0, 2), count_text("// ...... (lines 1-1)\n"));
}

/* Of marks without end, those beyond 4,096 are a token each. */
static void
test_select_cost_of_long_marks_is_bounded(void **state)
{
	uint64_t fence;
	uint64_t dots;

	open_files();
	rig_facts(&rig, 0)->mark_run = 4096;
	fence = section(0, 1, 20);
	rig_facts(&rig, 0)->mark_run = 4096 + 900;
	ASSERT_EQ(section(0, 1, 20), fence + 2 * 900);
	rig_facts(&rig, 0)->mark_run = UINT32_MAX;
	ASSERT_EQ(section(0, 1, 20), fence + 2 * (UINT32_MAX - 4096ull));
	rig_facts(&rig, 0)->mark_run = 0;
	rig_facts(&rig, 0)->dot_run = 4096;
	dots = gap(0, 9);
	ASSERT_TRUE(dots > count_text("// ... (lines 7-8)\n"));
	rig_facts(&rig, 0)->dot_run = 4096 + 1000000;
	ASSERT_EQ(gap(0, 9), dots + 1000000);
}

/* What stands around all files, for a number of them that is not known. */
static void
test_select_cost_of_the_frame_is_of_all_that_is_there_once(void **state)
{
	static const char xml[] = "<bale>\n<files>\n</files>\n</bale>\n";
	struct markup_options *options = &rig.run.job.markup;

	open_files();
	ASSERT_EQ(select_cost_frame(&cost), 0);
	options->header = "Read this.\n";
	options->header_bytes = 11;
	ASSERT_EQ(select_cost_frame(&cost), count_text("Read this.\n\n"));
	options->hashes = true;
	ASSERT_EQ(select_cost_frame(&cost),
		  count_text("Read this.\n\n## End of files: 1000000\n\n"));
	options->tree = true;
	options->instructions = "Do it.\n";
	options->instructions_bytes = 7;
	ASSERT_EQ(select_cost_frame(&cost),
		  count_text("Read this.\n\n## End of files: 1000000\n\n"
			     "## Directory tree\n\n```\n```\n\n"
			     "## Instructions\n\nDo it.\n\n"));
	*options = (struct markup_options){ .kind = MARKUP_XML };
	ASSERT_EQ(select_cost_frame(&cost), count_text(xml));
}

/* A text that is longer than there is room for is counted in pieces. */
static void
test_select_cost_of_a_long_text_is_that_of_its_pieces(void **state)
{
	static char text[3 * COST_TEXT_BYTES + 1];
	uint64_t got;
	uint64_t want;

	for (size_t i = 0; i + 1 < sizeof(text); i++)
		text[i] = i % 8 == 7 ? ' ' : (char)('a' + i / 8 % 26);
	rig.run.job.markup.instructions = text;
	rig.run.job.markup.instructions_bytes = sizeof(text) - 1;
	open_files();
	got = select_cost_frame(&cost);
	want = count_text(text) + count_text("## Instructions\n\n\n");
	ASSERT_TRUE(got + 12 > want && got < want + 12);
	/* the next text does not begin with what was left of it */
	ASSERT_EQ(section(1, 1, 10),
		  count_text("## File: b.c (lines 1-10)\n```\n```\n\n"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		PLAN_CASE(
			test_select_cost_of_a_section_is_of_its_header_and_its_end),
		PLAN_CASE(test_select_cost_of_no_bytes_is_that_of_some),
		PLAN_CASE(test_select_cost_with_a_tree_is_a_line_more),
		PLAN_CASE(test_select_cost_of_a_gap_is_that_of_its_mark),
		PLAN_CASE(test_select_cost_of_long_marks_is_bounded),
		PLAN_CASE(
			test_select_cost_of_the_frame_is_of_all_that_is_there_once),
		PLAN_CASE(
			test_select_cost_of_a_long_text_is_that_of_its_pieces),
	};

	return cmocka_run_group_tests_name("select/cost", tests, NULL, NULL);
}
