/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_report.c - which report is shown, and where it goes.
 */
#include "tests/support/test_command.h"

#include "cli/command_line.h"

#define REPORT                                                         \
	"{\"version\":1,\"selected\":[{\"path\":\"a.c\",\"tokens\":7," \
	"\"start_line\":1,\"end_line\":2}],\"excluded\":[],"           \
	"\"count_cache\":{\"hits\":3,\"misses\":1}}"

static void
test_report_shows_what_is_asked_for(void **state)
{
	json_t *got;
	json_t *want = json_loads(REPORT, 0, NULL);

	dir_write("r.json", REPORT);
	ASSERT_RUN(cmd_report, "report r.json", NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("Token Budget Report (run ");
	ASSERT_RUN(cmd_report, "report - --cache-stats --chunk-detail", REPORT,
		   EXIT_COMPLETE, "");
	ASSERT_TRUE(strncmp(command_out, "Selected Chunks (1):\n", 21) == 0);
	/* an empty line between the two */
	ASSERT_SAYS("┘\n\nToken Count Cache Statistics\n");
	ASSERT_TRUE(strstr(command_out, "Token Budget Report") == NULL);
	ASSERT_RUN(cmd_report, "report r.json --json", NULL, EXIT_COMPLETE, "");
	got = command_json();
	ASSERT_TRUE(json_equal(got, want));
	json_decref(got);
	json_decref(want);
}

/* As the XDG base directories say. */
static void
test_report_of_the_last_run(void **state)
{
	char home[sizeof(dir_path) + 16];

	snprintf(home, sizeof(home), "%s", dir_path);
	setenv("XDG_STATE_HOME", home, 1);
	ASSERT_RUN(cmd_report, "report", NULL, EXIT_USAGE,
		   "last-report.json: there was no run yet, or it kept no "
		   "report (--no-last)");
	ASSERT_EQ(mkdir("bale", 0700), 0);
	dir_write("bale/last-report.json", REPORT);
	ASSERT_RUN(cmd_report, "report --last --cache-stats", NULL,
		   EXIT_COMPLETE, "");
	ASSERT_SAYS("Total Requests: 4\n");
	ASSERT_RUN(cmd_report, "report --last r.json", NULL, EXIT_USAGE,
		   "leave out --last or the file");
	unsetenv("XDG_STATE_HOME");
	setenv("HOME", "nowhere", 1);
	ASSERT_RUN(cmd_report, "report", NULL, EXIT_USAGE,
		   "neither is set; name a file");
}

/* Whole, or what was there before. */
static void
test_report_as_a_page(void **state)
{
	dir_write("r.json", REPORT);
	ASSERT_RUN(cmd_report, "report r.json --html page.html", NULL,
		   EXIT_COMPLETE, "");
	ASSERT_OUT("");
	ASSERT_TRUE(access("page.html", F_OK) == 0);
	ASSERT_RUN(cmd_report, "report r.json --html -", NULL, EXIT_COMPLETE,
		   "");
	ASSERT_SAYS("<!DOCTYPE html>");
	ASSERT_RUN(cmd_report, "report r.json --html r.json", NULL, EXIT_USAGE,
		   "cannot write r.json: it is the report to be read");
	ASSERT_TEXT("r.json", REPORT);
	dir_write("bad.json", "{");
	dir_write("page.html", "as it was");
	ASSERT_RUN(cmd_report, "report bad.json --html page.html", NULL,
		   EXIT_USAGE, "cannot read bad.json: not JSON");
	ASSERT_TEXT("page.html", "as it was");
	ASSERT_RUN(cmd_report, "report r.json --html no/page.html", NULL,
		   EXIT_OUTPUT, "cannot write no/page.html: No such file");
	ASSERT_NAMES(".", "bad.json page.html r.json");
}

static void
test_report_that_is_none_is_refused(void **state)
{
	dir_write("r.json", "{\"version\":2,\"selected\":[],\"excluded\":[]}");
	ASSERT_RUN(cmd_report, "report r.json", NULL, EXIT_USAGE,
		   "cannot read r.json: it is a report of version 2");
	ASSERT_RUN(cmd_report, "report none.json", NULL, EXIT_USAGE,
		   "cannot read none.json: No such file or directory");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(report_shows_what_is_asked_for),
		COMMAND_TEST(report_of_the_last_run),
		COMMAND_TEST(report_as_a_page),
		COMMAND_TEST(report_that_is_none_is_refused),
	};

	return cmocka_run_group_tests_name("cli/cmd_report", tests, NULL, NULL);
}
