/* SPDX-License-Identifier: MIT */
/*
 * test_options_table.c - the table of options has each name once for a command.
 */
#include "tests/support/test_options.h"

static void
test_table_has_no_name_twice(void **state)
{
	for (int i = 0; i < OPTION_NR; i++) {
		for (int j = 0; j < i; j++) {
			/* of one command, that is */
			if ((option_table[i].takers & option_table[j].takers) ==
			    0)
				continue;
			assert_string_not_equal(option_table[i].name,
						option_table[j].name);
			assert_true(option_table[i].letter == 0 ||
				    option_table[i].letter !=
					    option_table[j].letter);
		}
	}
}

static void
test_option_variable_is_the_name_in_capitals(void **state)
{
	char name[64];

	assert_string_equal(
		option_variable(name, sizeof(name),
				&option_table[OPTION_MAX_FILE_SIZE]),
		"BALE_MAX_FILE_SIZE");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(table_has_no_name_twice),
		TEST(option_variable_is_the_name_in_capitals),
	};

	return cmocka_run_group_tests_name("cli/options_table", tests, NULL,
					   NULL);
}
