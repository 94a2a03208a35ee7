/* SPDX-License-Identifier: MIT */
/*
 * test_options_complete.c - what options mean together.
 */
#include "tests/support/test_options.h"

/* verifies: AC-016c-018, FR-016-90 */
static void
test_options_reserves_that_leave_nothing_are_an_error(void **state)
{
	refuses("pack --window 9999 --reserve-response 8k --reserve-system 2k",
		"BALE-BUD-005");
	refuses("pack --window 10k --reserve-response 8k --reserve-system 2k",
		"leave nothing of a window of 10000 tokens; raise --window");
	parses("pack --window 10001 --reserve-response 8k --reserve-system 2k");
	parses("pack --budget all --reserve-response 1M");
	refuses("preview --budget 50k --reserve-system 50k "
		"--reserve-response 0",
		"leave nothing of a budget of 50000 tokens");
}

/* A budget is the output's; a window is shared with the reserves. */
static void
test_options_budget_is_what_the_output_may_have(void **state)
{
	static const struct {
		const char *args;
		uint64_t total;
		uint64_t response;
		uint64_t system;
	} cases[] = {
		{ "pack", 100000, 8000, 2000 },
		{ "pack --budget 10k", 10000, 0, 0 },
		{ "pack --budget 1M", 1000000, 0, 0 },
		{ "pack --budget all", BUDGET_ALL, 0, 0 },
		{ "pack --budget 10k --reserve-response 1k", 10000, 1000, 0 },
		{ "pack --budget 10k --reserve-system 7", 10000, 0, 7 },
		{ "pack --window 50k", 50000, 4000, 1000 },
		{ "preview --window 199", 199, 15, 3 },
		{ "pack --window 50k --reserve-response 0", 50000, 0, 1000 },
		{ "pack --window all", BUDGET_ALL, 0, 0 },
		{ "pack --model gpt-4o", 128000, 10240, 2560 },
		{ "pack --model gpt-4o --budget 9k", 9000, 0, 0 },
		{ "pack --model gpt-4o --window 9k", 9000, 720, 180 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		parses(cases[i].args);
		assert_int_equal(options.pack.budget_tokens, cases[i].total);
		assert_int_equal(options.pack.response_reserve_tokens,
				 cases[i].response);
		assert_int_equal(options.pack.system_reserve_tokens,
				 cases[i].system);
	}
	/* what was said in a place that comes later holds */
	setenv("BALE_BUDGET", "7k", 1);
	parses("pack --window 50k");
	assert_int_equal(options.pack.budget_tokens, 50000);
	parses("pack --model gpt-4o");
	assert_int_equal(options.pack.budget_tokens, 128000);
	setenv("BALE_WINDOW", "60k", 1);
	parses("pack");
	assert_int_equal(options.pack.budget_tokens, 7000);
	parses("pack --budget 8k");
	assert_int_equal(options.pack.budget_tokens, 8000);
	assert_int_equal(options.pack.response_reserve_tokens, 0);
	unsetenv("BALE_BUDGET");
	unsetenv("BALE_WINDOW");
	refuses("pack --budget 9k --window 9k",
		"BALE-CLI-005 --budget cannot be given with --window");
}

static void
test_options_that_exclude_each_other_are_refused_with_a_reason(void **state)
{
	refuses("pack --line-numbers --strip-comments", "--strip-comments: it");
	refuses("pack --tiers on --compress", "BALE-CLI-005 --tiers on");
	refuses("preview --tiers on --min-chunks 3", "with --min-chunks");
	refuses("pack --pin a --compress", "BALE-CLI-005 --pin");
	refuses("pack --rev v1 --open a", "BALE-CLI-005 --rev");
	refuses("pack --rev v1 --git-diff", "BALE-CLI-005 --git-diff");
	refuses("pack --order rank --budget all", "BALE-CLI-005 --order rank");
	refuses("pack --split 9k", "BALE-CLI-005 --split writes several");
	refuses("pack --template t --format xml", "a template is a format");
	refuses("pack --template t --split 9k -o a", "with --split");
	refuses("pack --template t --git-log 3", "with --git-log");
	parses("pack --line-numbers --compress");
	parses("pack --line-numbers");
	assert_true(options.pack.tiers);
	/* a plan shows its order either way */
	parses("preview --order rank --budget all");
	assert_false(options.pack.by_rank);
	refuses("pack --relevance-weight 0 --recency-weight 0 --source-weight "
		"0",
		"are all 0");
	refuses("pack --model gpt-99",
		"BALE-CLI-002 --model: unknown model gpt-99");
}

static void
test_options_all_lifts_the_limit_of_a_file(void **state)
{
	parses("pack --budget all");
	assert_true(options.pack.budget_tokens == BUDGET_ALL);
	assert_true(options.pack.max_file_bytes == UINT64_MAX);
	parses("pack --budget all --max-file-size 1M");
	assert_int_equal(options.pack.max_file_bytes, 1 << 20);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(options_reserves_that_leave_nothing_are_an_error),
		TEST(options_budget_is_what_the_output_may_have),
		TEST(options_that_exclude_each_other_are_refused_with_a_reason),
		TEST(options_all_lifts_the_limit_of_a_file),
	};

	return cmocka_run_group_tests_name("cli/options_complete", tests, NULL,
					   NULL);
}
