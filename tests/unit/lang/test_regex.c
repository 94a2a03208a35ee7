/* SPDX-License-Identifier: MIT */
/*
 * test_regex.c - regular expressions are no code.
 */
#include "tests/support/test_lang_told.h"

static void
test_regular_expressions_hide_quotes(void **state)
{
	static const struct told_case cases[] = {
		{ "javascript",
		  "function f(s) {\n"
		  "  return s.replace(/>/g,'&gt;').replace(/`/g,'&#96;');\n"
		  "}\n"
		  "const t = s => />`/.test(s), u = !/>`/.test(s);\n"
		  "function g() { return />'/; }\n",
		  "function f 1-3;function g 5-5;" },
		{ "jsx",
		  "function f() {\n"
		  "  return <><br /><A b={c} /><A b='c'/><B in /></>;\n"
		  "}\n"
		  "function g() { return <A<T> />; }\n"
		  "function h() { return <A\n  b\n/>; } // '\n",
		  "function f 1-3;function g 4-4;function h 5-7;" },
		{ "awk",
		  "/>/ { a = \"}\" }\n"
		  "/\"/ { next }\n"
		  "function f() { }\n",
		  "function f 3-3;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_regular_expressions_hide_quotes),
	};

	return cmocka_run_group_tests_name("lang/regex", tests, NULL, NULL);
}
