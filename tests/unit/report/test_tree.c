/* SPDX-License-Identifier: MIT */
/*
 * test_tree.c - tokens per directory, the heaviest first, as drawn by hand.
 */
#include "tests/support/test_report_rig.h"

#include "report/render.h"
#include "stages/job.h"

static void
add_tokens(const char *path, uint32_t tokens)
{
	add_file(path, REASON_NONE, tokens);
	add_chunk(tokens, (uint8_t)file_nr, false);
}

/* What is printed of the files that were added: free(). */
static char *
printed(const struct tree_options *options)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	run.job.budget_tokens = BUDGET_ALL;
	job_resolve(&run.job);
	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(tree_print(&report, options, out), 0);
	fclose(out);
	return text;
}

static void
add_tree(void)
{
	add_tokens("light/a.c", 50);
	add_tokens("r/deep/x/b.c", 200);
	add_tokens("r/deep/y.c", 100);
	add_tokens("r/top.c", 650);
	add_file("r/w/image.png", REASON_BINARY, 9);
}

static void
test_tree_sums_what_lies_below(void **state)
{
	static const struct tree_options all = { 0 };
	char *text;

	add_tree();
	text = printed(&all);
	assert_string_equal(text, "  950   95.0 %  r/\n"
				  "  300   30.0 %    deep/\n"
				  "  200   20.0 %      x/\n"
				  "   50    5.0 %  light/\n"
				  "1,000  100.0 %  total\n");
	free(text);
}

static void
test_tree_shows_what_is_heavy_and_not_deep(void **state)
{
	static const struct tree_options shallow = { .depth_max = 1 };
	static const struct tree_options heavy = { .threshold_tokens = 200 };
	char *text;

	add_tree();
	text = printed(&shallow);
	assert_null(strstr(text, "deep/"));
	assert_non_null(strstr(text, "light/\n"));
	free(text);
	report_fini(&report);
	text = printed(&heavy);
	assert_non_null(strstr(text, "deep/\n"));
	assert_non_null(strstr(text, "x/\n"));
	assert_null(strstr(text, "light/\n"));
	free(text);
	report_fini(&report);
	text = printed(&(struct tree_options){ .threshold_tokens = 201 });
	assert_null(strstr(text, "x/\n"));
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(tree_sums_what_lies_below),
		TEST(tree_shows_what_is_heavy_and_not_deep),
	};

	return cmocka_run_group_tests_name("report/tree", tests, NULL, NULL);
}
