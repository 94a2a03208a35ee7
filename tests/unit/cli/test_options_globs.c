/* SPDX-License-Identifier: MIT */
/*
 * test_options_globs.c - patterns of options, spelt out.
 */
#include "tests/support/test_options.h"

static void
test_options_globs_are_one_pattern_each(void **state)
{
	parses("pack --include *.{c,h} --include docs,src --exclude a\\,b "
	       "--pin {x,y} --boost z");
	assert_int_equal(options.pack.include_nr, 4);
	assert_string_equal(options.pack.includes[1], "*.h");
	assert_string_equal(options.pack.includes[3], "src");
	assert_int_equal(options.pack.exclude_nr, 1);
	assert_string_equal(options.pack.excludes[0], "a\\,b");
	assert_int_equal(options.pack.pin_nr, 2);
	assert_string_equal(options.pack.pins[1], "y");
	assert_int_equal(options.pack.boost_nr, 1);
}

static void
test_options_globs_that_explode_are_refused_by_name(void **state)
{
	char words[256] = "pack --exclude a --exclude ";

	for (int i = 0; i < 13; i++)
		strcat(words, "{a,b}");
	refuses(words, "BALE-CLI-002 --exclude {a,b}");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(options_globs_are_one_pattern_each),
		TEST(options_globs_that_explode_are_refused_by_name),
	};

	return cmocka_run_group_tests_name("cli/options_globs", tests, NULL,
					   NULL);
}
