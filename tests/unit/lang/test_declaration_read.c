/* SPDX-License-Identifier: MIT */
/*
 * test_declaration_read.c - statements as tokens: brackets that are closed, statements that end at a line.
 */
#include "tests/support/test_lang_told.h"

static void
test_read_statements_end_where_they_do(void **state)
{
	static const struct told_case cases[] = {
		{ "javascript",
		  "let a = [\n"
		  "  function () { },\n"
		  "]\n"
		  "function f() { }\n"
		  "let b = {\n"
		  "  c: (d) => { e() }\n"
		  "}, g\n"
		  "function h() { }\n",
		  "function f 4-4;function c 6-6;function h 8-8;" },
		{ "go",
		  "var a = []int{\n"
		  "\t1,\n"
		  "}\n"
		  "var b = map[string]func(){\n"
		  "\t\"x\": func() {},\n"
		  "}\n"
		  "func f() {}\n",
		  "function f 7-7;" },
		{ "kotlin",
		  "class A\n"
		  "  @B(c::class)\n"
		  "  constructor(a: Int) : E {\n"
		  "  fun f() { }\n"
		  "  fun `in b`(a: Int) = 1\n"
		  "}\n",
		  "method f 4-4;method `in b` 5-5;class A 1-6;" },
		{ "swift",
		  "struct A {\n"
		  "  func `in`(a: Int) { }\n"
		  "  func `b`<C>(c: C) { }\n"
		  "}\n",
		  "method `in` 2-2;method `b` 3-3;struct A 1-4;" },
		/* blanks that do not break */
		{ "csharp",
		  "\xc2\xa0\xc2\xa0public class A {\n"
		  "\xc2\xa0 public int B() { }\n"
		  "}\n",
		  "method B 2-2;class A 1-3;" },
		{ "csharp",
		  "class A\n"
		  "{\n"
		  "  public (int, string) F() { }\n"
		  "  public A(int x) { }\n"
		  "}\n",
		  "method F 3-3;method A 4-4;class A 1-5;" },
		{ "c",
		  "typedef tree(t) name;\n"
		  "struct a {\n"
		  "  int b;\n"
		  "};\n"
		  "int f(a)\n"
		  "int a; {\n"
		  "}\n",
		  "struct a 2-4;function f 5-7;" },
		{ "c",
		  "int a[] = { 1, (2), {3} };\n"
		  "int f(int a,\n"
		  "  int b[2])\n"
		  "{\n"
		  "}\n",
		  "function f 2-5;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_read_statements_end_where_they_do),
	};

	return cmocka_run_group_tests_name("lang/declaration_read", tests, NULL,
					   NULL);
}
