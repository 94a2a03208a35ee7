/* SPDX-License-Identifier: MIT */
/*
 * test_options_enough.c - what --enough needs.
 */
#include "tests/support/test_options.h"

static void
test_options_enough_needs_a_query_that_ranks(void **state)
{
	refuses("pack --enough", "BALE-CLI-005 --enough needs --query");
	refuses("pack --enough --query a --budget all",
		"BALE-CLI-005 --enough cannot be given with --budget all");
	refuses("preview --enough --query a --budget 4k --min-chunks 3",
		"BALE-CLI-005 --enough cannot be given with --min-chunks");
	parses("pack --enough --query a --budget 4k");
	assert_true(options.pack.enough);
	parses("pack --query a --budget 4k");
	assert_false(options.pack.enough);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(options_enough_needs_a_query_that_ranks),
	};

	return cmocka_run_group_tests_name("cli/options_enough", tests, NULL,
					   NULL);
}
