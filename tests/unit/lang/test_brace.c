/* SPDX-License-Identifier: MIT */
/*
 * test_brace.c - languages with braces: nesting, and what is left open.
 */
#include "tests/support/test_lang_told.h"

static void
test_brace_definitions_end_with_their_braces(void **state)
{
	static const struct told_case cases[] = {
		{ "c",
		  "void f(void)\n"
		  "{\n"
		  "  for (;;) {\n"
		  "    if (a) { }\n"
		  "  }\n"
		  "}\n"
		  "void g(void) { }\n",
		  "function f 1-6;function g 7-7;" },
		{ "javascript",
		  "class A {\n"
		  "  b() {\n"
		  "    return { c() { } };\n"
		  "  }\n"
		  "}\n",
		  "method c 3-3;method b 2-4;class A 1-5;" },
		{ "css",
		  "a:hover, .b {\n"
		  "  c: d;\n"
		  "}\n"
		  "@media x {\n"
		  "  e { f: g }\n"
		  "}\n",
		  "section a:hover, .b 1-3;section e 5-5;section @media x 4-6;" },
		{ "c", "void f(void) {\n", "function f 1-1;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_brace_definitions_end_with_their_braces),
	};

	return cmocka_run_group_tests_name("lang/brace", tests, NULL, NULL);
}
