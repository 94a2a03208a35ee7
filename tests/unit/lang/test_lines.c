/* SPDX-License-Identifier: MIT */
/*
 * test_lines.c - languages that go line by line: brackets and strings over lines.
 */
#include "tests/support/test_lang_told.h"

static void
test_lines_in_brackets_and_strings_begin_nothing(void **state)
{
	static const struct told_case cases[] = {
		{ "python",
		  "x = [\n"
		  "  1,\n"
		  "def_ (\n"
		  ")]\n"
		  "y = f(a,\n"
		  "class_ = 2)\n"
		  "def g(a=[1,\n"
		  "  2],\n"
		  "  b='\\''):\n"
		  "  return 1\n",
		  "function g 7-10;" },
		{ "ruby",
		  "x = [\n"
		  "  1, # end\n"
		  "]\n"
		  "def f(a,\n"
		  "  b)\n"
		  "end\n"
		  "=begin\n"
		  "def no\n"
		  "=end\n"
		  "def g\n"
		  "end\n",
		  "function f 4-6;function g 10-11;" },
		{ "lua",
		  "--[[\n"
		  "function no() end\n"
		  "]]\n"
		  "s = [[ function no() ] end ]]\n"
		  "function f() -- end\n"
		  "end\n",
		  "function f 5-6;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_lines_in_brackets_and_strings_begin_nothing),
	};

	return cmocka_run_group_tests_name("lang/lines", tests, NULL, NULL);
}
