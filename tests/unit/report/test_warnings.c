/* SPDX-License-Identifier: MIT */
/*
 * test_supervisor_warnings.c - what a run warns of: a peak above --memory, files
 *                              that were not compared.
 */
#include "tests/support/test_shm.h"

#include <fcntl.h>

#include "base/diag.h"
#include "report/warnings.h"

#define MIB (1ull << 20)

#ifdef BALE_DEBUG
#define IS_ERROR true
#else
#define IS_ERROR false
#endif

/* verifies: FR-016c-45 */
static void
test_warnings_of_files_not_compared_are_kept_for_the_report(void **state)
{
	struct report report = { 0 };
	const char *const *kept;

	warnings_keep();
	warnings_of_run(&report);
	ASSERT_EQ(warnings_kept(&kept), 0);
	report.stats[STAT_not_compared] = 3;
	warnings_of_run(&report);
	ASSERT_EQ(warnings_kept(&kept), 1);
	ASSERT_TRUE(strstr(kept[0], "duplicates may remain") != NULL);
}

/* What is logged for a peak; whether the run may go on. */
static bool
judge_peak(uint64_t peak_bytes, uint64_t memory_bytes, char *line, size_t size)
{
	FILE *log = tmpfile();
	ssize_t bytes;
	bool goes_on;

	if (log == NULL)
		abort();
	diag_init(fileno(log), DIAG_WARN, false, "");
	goes_on = warnings_of_memory(peak_bytes, memory_bytes);
	diag_init(STDERR_FILENO, DIAG_WARN, false, "");
	bytes = pread(fileno(log), line, size - 1, 0);
	line[bytes < 0 ? 0 : bytes] = '\0';
	fclose(log);
	return goes_on;
}

static void
test_warnings_of_a_peak_within_memory_are_none(void **state)
{
	char line[256];

	ASSERT_TRUE(judge_peak(64 * MIB, 64 * MIB, line, sizeof(line)));
	ASSERT_EQ(line[0], '\0');
	ASSERT_TRUE(judge_peak(0, 64 * MIB, line, sizeof(line)));
	ASSERT_EQ(line[0], '\0');
}

static void
test_warnings_of_a_peak_above_memory_say_how_much(void **state)
{
	char line[256];

	if (IS_SANITIZED)
		skip(); /* its memory is not the run's */
	ASSERT_EQ(judge_peak(64 * MIB + 1, 64 * MIB, line, sizeof(line)),
		  !IS_ERROR);
	ASSERT_TRUE(strstr(line, "64.0 MiB") != NULL);
	judge_peak(970 * MIB, 96 * MIB, line, sizeof(line));
	ASSERT_TRUE(strstr(line, IS_ERROR ? "bale: peak" : "warning: peak") !=
		    NULL);
	ASSERT_TRUE(strstr(line, "970 MiB") != NULL);
	ASSERT_TRUE(strstr(line, "--memory 96.0 MiB") != NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_warnings_of_files_not_compared_are_kept_for_the_report),
		cmocka_unit_test(
			test_warnings_of_a_peak_within_memory_are_none),
		cmocka_unit_test(
			test_warnings_of_a_peak_above_memory_say_how_much),
	};

	return cmocka_run_group_tests_name("supervisor/warnings", tests, NULL,
					   NULL);
}
