/* SPDX-License-Identifier: MIT */
/*
 * test_julia.c - Julia: functions, modules and structs end with end.
 */
#include "tests/support/test_lang_told.h"

static void
test_julia_blocks_end_with_end(void **state)
{
	static const struct told_case cases[] = {
		{ "julia",
		  "module M\n"
		  "using A\n"
		  "import B: c\n"
		  "struct P{T}\n"
		  "  x::T\n"
		  "end\n"
		  "function f(x)\n"
		  "  for i in 1:x\n"
		  "  end\n"
		  "  x[end]\n"
		  "end\n"
		  "g(x) = x + 1\n"
		  "macro m(e) end\n"
		  "end\n",
		  "struct P 4-6;function f 7-11;function g 12-12;macro m 13-13;module M 1-14;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_julia_blocks_end_with_end),
	};

	return cmocka_run_group_tests_name("lang/julia", tests, NULL, NULL);
}
