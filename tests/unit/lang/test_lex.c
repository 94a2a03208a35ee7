/* SPDX-License-Identifier: MIT */
/*
 * test_lex.c - comments and strings: what they hold is no code.
 */
#include "tests/support/test_lang_told.h"

static void
test_lex_comments_and_strings_hide_braces(void **state)
{
	static const struct told_case cases[] = {
		{ "c",
		  "int f(void) {\n"
		  "  // }\n"
		  "  /* } */ char *s = \"}\\\"}\"; char c = '}';\n"
		  "  return '\\'';\n"
		  "}\n"
		  "int g(void) { return 0; }\n",
		  "function f 1-5;function g 6-6;" },
		{ "rust",
		  "fn f() {\n"
		  "  /* a /* } */ } */\n"
		  "  let s = r#\"}\"}\"#;\n"
		  "  let c = '}'; let l: &'a str;\n"
		  "}\n"
		  "fn g() {}\n",
		  "function f 1-5;function g 6-6;" },
		{ "javascript",
		  "function f() {\n"
		  "  let s = `}${ {a: \"}\"}.a }}`;\n"
		  "  return /}/.test(s);\n"
		  "}\n"
		  "function g() { }\n",
		  "function f 1-4;function g 5-5;" },
		{ "python",
		  "def f():\n"
		  "  s = \"\"\"\n"
		  "def no():\n"
		  "\"\"\"\n"
		  "  return 'def no(): #'\n"
		  "def g(): pass\n",
		  "function f 1-5;function g 6-6;" },
		{ "go",
		  "func f() {\n"
		  "  s := `}\n"
		  "}`\n"
		  "  _ = s\n"
		  "}\n"
		  "func g() {}\n",
		  "function f 1-5;function g 6-6;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_lex_apostrophes_of_script_begin_no_string(void **state)
{
	static const struct told_case cases[] = {
		{ "tsx",
		  "function f() { return <li>{a && <b>Don't</b>}</li>; }\n"
		  "function g() { return'a}'; }\n"
		  "function h() { switch (a) { case'}': } }\n"
		  "function i() { }\n",
		  "function f 1-1;function g 2-2;function h 3-3;"
		  "function i 4-4;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_lex_directives_go_on_behind_their_comments(void **state)
{
	static const struct told_case cases[] = {
		{ "c",
		  "#define A(b) \\\n"
		  "\t/* c \\\n"
		  "\t * d */ \\\n"
		  "\tfor (;;) {\n"
		  "struct e {\n"
		  "};\n"
		  "int f(void) {\n"
		  "#define B /* g\n"
		  " */ {\n"
		  "}\n"
		  "struct h {\n"
		  "#if C /* i\n"
		  " */ && (D\n"
		  "#endif\n"
		  "};\n",
		  "macro A 1-4;struct e 5-6;function f 7-10;struct h 11-15;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lex_comments_and_strings_hide_braces),
		cmocka_unit_test(test_lex_apostrophes_of_script_begin_no_string),
		cmocka_unit_test(test_lex_directives_go_on_behind_their_comments),
	};

	return cmocka_run_group_tests_name("lang/lex", tests, NULL, NULL);
}
