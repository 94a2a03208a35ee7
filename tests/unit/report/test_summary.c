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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(summary_print_says_what_matters),
	};

	return cmocka_run_group_tests_name("supervisor/summary", tests, NULL,
					   NULL);
}
