/* SPDX-License-Identifier: MIT */
/*
 * test_raw_string.c - strings whose ends their beginnings say hide braces.
 */
#include "tests/support/test_lang_told.h"

static void
test_raw_strings_hide_braces(void **state)
{
	static const struct told_case cases[] = {
		{ "cpp",
		  "void f() { g(R\"x(}\")}x)x\"); }\n"
		  "void h() { }\n",
		  "function f 1-1;function h 2-2;" },
		{ "rust", "fn f() { r##\"}\"#}\"##; }\nfn g() {}\n",
		  "function f 1-1;function g 2-2;" },
		{ "r",
		  "f <- function() { r\"--[ }\" ]- ]--\" }\n"
		  "g <- function() { R'(}')' }\n",
		  "function f 1-1;function g 2-2;" },
		{ "powershell",
		  "function f { $a = @\"\n}\"\n\"@ }\n"
		  "function g { '\\' }\n",
		  "function f 1-3;function g 4-4;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_raw_strings_hide_braces),
	};

	return cmocka_run_group_tests_name("lang/raw_string", tests, NULL,
					   NULL);
}
