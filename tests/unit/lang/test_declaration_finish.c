/* SPDX-License-Identifier: MIT */
/*
 * test_declaration_finish.c - statements that end without a brace.
 */
#include "tests/support/test_lang_told.h"

static void
test_statements_without_a_brace(void **state)
{
	static const struct told_case cases[] = {
		{ "java",
		  "abstract class C {\n"
		  "  abstract int m(int a);\n"
		  "  int x;\n"
		  "}\n",
		  "method m 2-2;class C 1-4;" },
		{ "rust",
		  "pub struct A;\n"
		  "struct B(u8);\n"
		  "const C: u8 = 1;\n",
		  "struct A 1-1;struct B 2-2;" },
		{ "kotlin",
		  "data class A(val b: Int)\n"
		  "fun f() = 1\n",
		  "class A 1-1;function f 2-2;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_statements_without_a_brace),
	};

	return cmocka_run_group_tests_name("lang/declaration_finish", tests,
					   NULL, NULL);
}
