/* SPDX-License-Identifier: MIT */
/*
 * test_options_find.c - the command line of bale find.
 */
#include "tests/support/test_options.h"

/* Places are of the text as it is, whatever outputs are. */
static void
test_options_find_takes_its_query_first(void **state)
{
	setenv("BALE_MIN_CHUNKS", "5", 1);
	parses("find needle src lib");
	assert_string_equal(options.query_text, "needle");
	assert_int_equal(options.operands.nr, 2);
	assert_string_equal(options.operands.items[0], "src");
	assert_true(options.pack.enough);
	assert_false(options.pack.tiers);
	assert_int_equal(options.pack.paths, PATHS_CWD);
	assert_int_equal(options.places_nr, 20);
	parses("find needle --paths root -n 0");
	assert_string_equal(options.operands.items[0], ".");
	assert_int_equal(options.pack.paths, PATHS_ROOT);
	assert_int_equal(options.places_nr, 0);
	refuses("find",
		"BALE-CLI-004 find needs a QUERY; see: bale help find");
	/* all that there is evidence for */
	parses("find needle --budget all");
	assert_true(options.pack.budget_tokens == 1000000000000);
	refuses("find needle --query x", "BALE-CLI-001");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(options_find_takes_its_query_first),
	};

	return cmocka_run_group_tests_name("cli/options_find", tests, NULL,
					   NULL);
}
