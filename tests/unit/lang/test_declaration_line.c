/* SPDX-License-Identifier: MIT */
/*
 * test_declaration_line.c - statements that go on in the next line, and those
 *                           that do not.
 */
#include "tests/support/test_lang_told.h"

static void
test_line_statements_go_on_behind_signs_and_words(void **state)
{
	static const struct told_case cases[] = {
		/* a sign at the end, or at the begin of the next line */
		{ "javascript",
		  "const a =\n"
		  "  () => {\n"
		  "  }\n"
		  "const b = c\n"
		  "  .d(function () { })\n"
		  "const e = f\n"
		  "const g = () => { }\n",
		  "function a 1-3;function g 7-7;" },
		/* words that begin no statement */
		{ "typescript",
		  "class A\n"
		  "  extends B\n"
		  "  implements C {\n"
		  "  d() { }\n"
		  "}\n",
		  "method d 4-4;class A 1-5;" },
		{ "kotlin",
		  "class A\n"
		  "  @B(c::class)\n"
		  "  internal constructor(a: Int) : E {\n"
		  "  fun f() { }\n"
		  "}\n"
		  "class G\n"
		  "fun h() = 1\n",
		  "method f 4-4;class A 1-5;class G 6-6;function h 7-7;" },
		/* in Go only what ends a line counts */
		{ "go",
		  "var a = b\n"
		  "func f() {}\n"
		  "var c = d +\n"
		  "\te\n"
		  "func g() {}\n",
		  "function f 2-2;function g 5-5;" },
		/* what follows an arrow in the next line is for itself */
		{ "scala",
		  "def a = b match {\n"
		  "  case c =>\n"
		  "    def d = 1\n"
		  "}\n",
		  "function d 3-3;function a 1-4;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_line_statements_go_on_behind_signs_and_words),
	};

	return cmocka_run_group_tests_name("lang/declaration_line", tests, NULL,
					   NULL);
}
