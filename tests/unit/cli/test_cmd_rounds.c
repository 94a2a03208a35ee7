/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_rounds.c - what one round hands to the next, and the book of all.
 */
#include "tests/support/test_command.h"

#include "cli/command_line.h"

#define RECORD "rounds usage book.json record"

static void
test_rounds_usage_reports_what_was_recorded(void **state)
{
	json_t *all;
	const json_t *rounds;

	ASSERT_RUN(cmd_rounds, RECORD " --round 1 --input 300 --budget 1000",
		   NULL, EXIT_COMPLETE, "");
	ASSERT_RUN(cmd_rounds, RECORD " --round 2 --input 500 --budget 1000",
		   NULL, EXIT_COMPLETE, "");
	ASSERT_RUN(cmd_rounds, "rounds usage book.json report --json", NULL,
		   EXIT_COMPLETE, "");
	all = command_json();
	rounds = json_object_get(all, "rounds");
	ASSERT_EQ(json_array_size(rounds), 2);
	ASSERT_EQ(json_integer_value(json_object_get(json_array_get(rounds, 1),
						     "input_tokens")),
		  500);
	json_decref(all);
}

/* The same figures in columns, the sums last. */
static void
test_rounds_usage_report_is_a_table(void **state)
{
	ASSERT_RUN(cmd_rounds,
		   RECORD " --round 2 --input 300 --output 40 --context 100 "
			  "--files 150 --budget 1000",
		   NULL, EXIT_COMPLETE, "");
	ASSERT_RUN(cmd_rounds, RECORD " --round 11 --input 850 --budget 1000",
		   NULL, EXIT_COMPLETE, "BALE-RND-005");
	ASSERT_RUN(cmd_rounds, "rounds usage book.json report", NULL,
		   EXIT_COMPLETE, "");
	ASSERT_OUT("round     input    output   context     files    budget"
		   "    used\n"
		   "    2       300        40       100       150      1000"
		   "   30.0%\n"
		   "   11       850         0         0         0      1000"
		   "   85.0%  near the budget\n"
		   "total      1150        40       100       150      2000"
		   "   57.5%\n");
}

/* Of 1,000 tokens, 85 per cent is near the limit. */
static void
test_rounds_usage_warns_near_the_limit(void **state)
{
	ASSERT_RUN(cmd_rounds, RECORD " --round 1 --input 849 --budget 1000",
		   NULL, EXIT_COMPLETE, "");
	ASSERT_RUN(cmd_rounds, RECORD " --round 7 --input 900 --budget 1000",
		   NULL, EXIT_COMPLETE,
		   "BALE-RND-005 round 7: 90% of the token budget used (900 of "
		   "1000 tokens), 100 remain");
	ASSERT_RUN(cmd_rounds, RECORD " --round 8 --input 1200 --budget 1000",
		   NULL, EXIT_COMPLETE,
		   "120% of the token budget used (1200 "
		   "of 1000 tokens), -200 remain");
}

static void
test_rounds_usage_says_what_it_cannot_do(void **state)
{
	ASSERT_RUN(cmd_rounds, "rounds usage book.json repotr", NULL,
		   EXIT_USAGE,
		   "unknown action repotr of rounds usage: "
		   "expected one of record, report; did you mean "
		   "report?");
	ASSERT_RUN(cmd_rounds, "rounds usage none.json report", NULL,
		   EXIT_USAGE, "; `record` makes one\n");
	dir_write("book.json", "[]");
	ASSERT_RUN(cmd_rounds, "rounds usage book.json report", NULL,
		   EXIT_USAGE, " book.json:");
	ASSERT_OUT("");
}

#define ROUND "{\"findings\":[\"x is slow\"],\"openQuestions\":[\"Why?\"]}"

/* The same block as text and within the JSON; it has no end of line. */
static void
test_rounds_compress_prints_the_block(void **state)
{
	static char block[COMMAND_OUT_BYTES];
	json_t *all;

	ASSERT_RUN(cmd_rounds, "rounds compress", ROUND, EXIT_COMPLETE, "");
	ASSERT_SAYS("Why?");
	memcpy(block, command_out, sizeof(block));
	ASSERT_TRUE(block[strlen(block) - 1] != '\n');
	ASSERT_RUN(cmd_rounds, "rounds compress --json", ROUND, EXIT_COMPLETE,
		   "");
	ASSERT_EQ(command_out[strlen(command_out) - 1], '\n');
	all = command_json();
	assert_string_equal(json_string_value(json_object_get(all, "text")),
			    block);
	json_decref(all);
	ASSERT_RUN(cmd_rounds, "rounds compress", "{", EXIT_USAGE, "BALE-RND-");
	ASSERT_OUT("");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(rounds_usage_reports_what_was_recorded),
		COMMAND_TEST(rounds_usage_report_is_a_table),
		COMMAND_TEST(rounds_usage_warns_near_the_limit),
		COMMAND_TEST(rounds_usage_says_what_it_cannot_do),
		COMMAND_TEST(rounds_compress_prints_the_block),
	};

	return cmocka_run_group_tests_name("cli/cmd_rounds", tests, NULL, NULL);
}
