/* SPDX-License-Identifier: MIT */
/*
 * test_options_complete.c - what options mean together.
 */
#include "tests/support/test_options.h"

/* verifies: AC-016c-018, FR-016-90 */
static void
test_options_reserves_that_leave_nothing_are_an_error(void **state)
{
	refuses("pack --budget 9999", "BALE-BUD-005");
	refuses("pack --budget 10000", "BALE-BUD-005");
	parses("pack --budget 10001");
	parses("pack --budget all --reserve-response 1M");
	refuses("preview --budget 50k --reserve-system 50k "
		"--reserve-response 0",
		"leave nothing of a budget of 50000 tokens");
}

static void
test_options_that_exclude_each_other_are_refused_with_a_reason(void **state)
{
	refuses("pack --line-numbers --compress",
		"BALE-CLI-005 --line-numbers cannot be given with --compress");
	refuses("pack --line-numbers --strip-comments", "--strip-comments: it");
	refuses("pack --tiers on --compress", "BALE-CLI-005 --tiers on");
	refuses("preview --tiers on --min-chunks 3", "with --min-chunks");
	refuses("pack --tiers on --line-numbers", "with --line-numbers");
	refuses("pack --pin a --compress", "BALE-CLI-005 --pin");
	refuses("pack --rev v1 --open a", "BALE-CLI-005 --rev");
	refuses("pack --rev v1 --git-diff", "BALE-CLI-005 --git-diff");
	refuses("pack --order rank --budget all", "BALE-CLI-005 --order rank");
	refuses("pack --split 9k", "BALE-CLI-005 --split writes several");
	refuses("pack --template t --format xml", "a template is a format");
	refuses("pack --template t --split 9k -o a", "with --split");
	refuses("pack --template t --git-log 3", "with --git-log");
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
		TEST(options_that_exclude_each_other_are_refused_with_a_reason),
		TEST(options_all_lifts_the_limit_of_a_file),
	};

	return cmocka_run_group_tests_name("cli/options_complete", tests, NULL,
					   NULL);
}
