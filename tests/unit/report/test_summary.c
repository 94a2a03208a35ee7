/* SPDX-License-Identifier: MIT */
/*
 * The summary of a run made up by hand.
 */
#include "tests/support/test_report_rig.h"

#include "report/render.h"

/* verifies: NFR-016c-14 */
static void
test_summary_print_says_what_matters(void **state)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	assert_non_null(out);
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	report.peak_pss_bytes = 61ull << 20;
	report.wall_ns = 1000000;
	summary_print(&report, out);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(
		text,
		"files       7 seen, 2 packed (1 in part)\n"
		"  left out  1 binary, 1 duplicate, 1 budget, 1 changed, "
		"1 empty\n"
		"chunks      8 seen, 4 packed\n"
		"duplicates  1 file, 1 chunk: 310 tokens saved\n"
		"tokens      345 of 900 available (38.3 %), budget 1,000\n"
		"            3 chunks omitted, 970 tokens: content exceeds the "
		"budget\n"
		"output      1.2 KiB\n"
		"peak memory 61.0 MiB\n"
		"time        1 ms, 1.7 MiB/s\n");
	free(text);
}

/* The ranges that preview_explain() names, a line each. */
static void
explained(char *out)
{
	char *text = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&text, &bytes);

	assert_non_null(stream);
	assert_int_equal(preview_explain(&report, stream), 0);
	assert_int_equal(fclose(stream), 0);
	*out = '\0';
	for (char *line = strtok(text, "\n"); line != NULL;
	     line = strtok(NULL, "\n")) {
		const char *path = strrchr(line, '\t');

		if (path != NULL)
			strcat(strcat(out, path + 1), "\n");
	}
	free(text);
}

/* verifies: FR-016c-47 */
static void
test_explain_has_the_best_first_and_ties_in_order_of_files(void **state)
{
	char out[1024];

	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	give_scores((const uint32_t[]){ 1, 5, 2, 5, 5, 0, 9, 0, 0, 5, 7 }, 11);
	explained(out);
	assert_string_equal(out, "\"src/c\\n\\\".c\":41-50\n"
				 "src/a.c:11-20\n"
				 "\"src/c\\n\\\".c\":1-10\n"
				 "src/a.c:1-10\n"
				 "src/g.c\n"
				 "\"src/c\\n\\\".c\":11-30\n"
				 "src/f.c:1-10\n"
				 "src/b.bin\n");
}

static void
test_preview_says_that_the_disk_is_full(void **state)
{
	FILE *full = fopen("/dev/full", "w");

	assert_non_null(full);
	make_run();
	assert_int_equal(report_collect(&run, &report), 0);
	assert_int_equal(preview_print(&report, false, full), -ENOSPC);
	fclose(full);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(summary_print_says_what_matters),
		TEST(explain_has_the_best_first_and_ties_in_order_of_files),
		TEST(preview_says_that_the_disk_is_full),
	};

	return cmocka_run_group_tests_name("supervisor/summary", tests, NULL,
					   NULL);
}
