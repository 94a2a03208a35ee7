/* SPDX-License-Identifier: MIT */
/*
 * test_shell.c - the shell: functions, and braces that are words.
 */
#include "tests/support/test_lang_told.h"

static void
test_shell_functions_by_either_head(void **state)
{
	static const struct told_case cases[] = {
		{ "bash",
		  "f() {\n"
		  "  echo }\n"
		  "}\n"
		  "function g {\n"
		  "  :\n"
		  "}\n"
		  "function h() (\n"
		  "  :\n"
		  ")\n"
		  "i ()\n"
		  "# why\n"
		  "{ :; }\n",
		  "function f 1-3;function g 4-6;function h 7-9;function i 10-12;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_shell_texts_hold_no_functions(void **state)
{
	static const struct told_case cases[] = {
		{ "bash",
		  "cat <<E\n"
		  "f() { }\n"
		  "E\n"
		  "echo \"g() { }\" 'h() {'\n"
		  "echo a{b,c}d ${x#\\{}\n"
		  "k() { case a in a) ;; esac; }\n",
		  "function k 6-6;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_shell_imports_end_with_their_word(void **state)
{
	static const struct told_case cases[] = {
		{ "bash", "source a.sh\r\n. b.sh; source c.sh d\n",
		  "import a.sh;import b.sh;import c.sh;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_shell_functions_by_either_head),
		cmocka_unit_test(test_shell_texts_hold_no_functions),
		cmocka_unit_test(test_shell_imports_end_with_their_word),
	};

	return cmocka_run_group_tests_name("lang/shell", tests, NULL, NULL);
}
