/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_verify.c - files counted again, against a budget and a report.
 *
 * The digest is of "hello world" without an end of line, as sha256sum(1) has
 * it; its tokens in cl100k_base are two (tiktoken's README).
 */
#include "tests/support/test_command.h"

#include "cli/command_line.h"

/* What every report has. */
#define LISTS "\"version\":1,\"selected\":[],\"excluded\":[],"

#define VERIFY "verify out --encoding cl100k_base "
#define DIGEST \
	"b94d27b9934d3e08a52e52d7da7dabfac484efe37a5380ee9088f7ace2efcde9"

static void
test_verify_counts_against_the_budget(void **state)
{
	dir_write("out", "hello world");
	ASSERT_RUN(cmd_verify, VERIFY "--budget 2", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT("out\n  tokens     2\n  bytes      11\n"
		   "  budget     2: holds, 0 left\n");
	ASSERT_RUN(cmd_verify, VERIFY "--budget 1", NULL, EXIT_FRAME, "");
	ASSERT_OUT("out\n  tokens     2\n  bytes      11\n"
		   "  budget     1: over by 1\n");
	ASSERT_RUN(cmd_verify, VERIFY "--budget all", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT("out\n  tokens     2\n  bytes      11\n");
}

/* Every file is counted, whatever came of the one before; the first code is
 * that of the command. */
static void
test_verify_goes_on_with_the_next_file(void **state)
{
	dir_write("one", "hello world");
	dir_write("two", "hello");
	ASSERT_RUN(cmd_verify,
		   "verify one none two --encoding cl100k_base --budget 1",
		   NULL, EXIT_FRAME, "none: No such file or directory");
	ASSERT_SAYS("two\n  tokens     1\n");
}

static void
test_verify_compares_with_a_report(void **state)
{
	static const struct {
		const char *output;
		const char *said;
		int code;
	} rows[] = {
		{ "\"tokens\":2,\"bytes\":11,\"sha256\":\"" DIGEST "\"",
		  "  report     matches\n", EXIT_COMPLETE },
		{ "\"tokens\":2,\"bytes\":11,\"sha256\":null",
		  "  report     matches\n", EXIT_COMPLETE },
		{ "\"tokens\":3,\"bytes\":11",
		  "  report     tokens 3, counted 2\n", EXIT_DEGRADED },
		{ "\"tokens\":2,\"bytes\":10",
		  "  report     bytes 10, counted 11\n", EXIT_DEGRADED },
		{ "\"tokens\":2,\"bytes\":11,\"sha256\":\"00\"",
		  "  report     SHA-256 differs: " DIGEST "\n", EXIT_DEGRADED },
		{ "\"tokens\":2,\"bytes\":11,\"parts\":[{}]",
		  "  report     lists 1 parts, and this is none of them\n",
		  EXIT_DEGRADED },
	};

	dir_write("out", "hello world");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char report[512];

		snprintf(report, sizeof(report), "{" LISTS "\"output\":{%s}}",
			 rows[i].output);
		dir_write("r.json", report);
		ASSERT_RUN(cmd_verify, VERIFY "--against r.json", NULL,
			   rows[i].code, "");
		ASSERT_SAYS(rows[i].said);
	}
}

/* Of a report, which may be anybody's, no more than a name that is known. */
static void
test_verify_counts_as_the_report_did(void **state)
{
	dir_write("out", "hello world");
	dir_write("r.json", "{" LISTS "\"encoding\":\"gpt2\",\"margin_percent\":100,"
			    "\"output\":{\"tokens\":4,\"bytes\":11}}");
	ASSERT_RUN(cmd_verify, "verify out --against r.json", NULL,
		   EXIT_COMPLETE, "");
	ASSERT_SAYS("  tokens     4\n");
	ASSERT_SAYS("  report     matches\n");
	ASSERT_RUN(cmd_verify, VERIFY "--against r.json", NULL, EXIT_DEGRADED,
		   "");
	ASSERT_SAYS("  report     tokens 4, counted 2\n");
	dir_write("r.json",
		  "{" LISTS "\"encoding\":\"/etc/passwd\",\"margin_percent\":-1,"
		  "\"output\":{\"tokens\":2,\"bytes\":11}}");
	ASSERT_RUN(cmd_verify, "verify out --against r.json", NULL, EXIT_USAGE,
		   "--against r.json: it was counted by the encoding "
		   "/etc/passwd, which is none of bale's own");
	ASSERT_RUN(cmd_verify, VERIFY "--against r.json", NULL, EXIT_COMPLETE,
		   "");
}

static void
test_verify_needs_a_report_of_an_output(void **state)
{
	dir_write("out", "hello world");
	dir_write("r.json", "{" LISTS "\"input\":{}}");
	ASSERT_RUN(cmd_verify, VERIFY "--against r.json", NULL, EXIT_USAGE,
		   "--against r.json: it is not a report of an output");
	dir_write("r.json", "{\"version\":1}");
	ASSERT_RUN(cmd_verify, VERIFY "--against r.json", NULL, EXIT_USAGE,
		   "--against r.json: it is not a report of bale");
	dir_write("r.json", "{");
	ASSERT_RUN(cmd_verify, VERIFY "--against r.json", NULL, EXIT_USAGE,
		   "--against r.json: not JSON: line 1");
	ASSERT_RUN(cmd_verify, VERIFY "--against none.json", NULL, EXIT_USAGE,
		   "--against none.json: No such file");
	ASSERT_OUT("");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(verify_counts_against_the_budget),
		COMMAND_TEST(verify_goes_on_with_the_next_file),
		COMMAND_TEST(verify_compares_with_a_report),
		COMMAND_TEST(verify_counts_as_the_report_did),
		COMMAND_TEST(verify_needs_a_report_of_an_output),
	};

	return cmocka_run_group_tests_name("cli/cmd_verify", tests, NULL, NULL);
}
