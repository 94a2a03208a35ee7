/* SPDX-License-Identifier: MIT */
/*
 * test_headings.c - texts that headings divide, and makefiles.
 */
#include "tests/support/test_lang_told.h"

static void
test_headings_of_markdown(void **state)
{
	static const struct told_case cases[] = {
		{ "markdown",
		  "# A\n"
		  "text\n"
		  "## B\n"
		  "```\n"
		  "# no\n"
		  "```\n"
		  "# C\n"
		  "Title\n"
		  "=====\n",
		  "section B 3-6;section A 1-6;section C 7-7;section Title 8-9;" },
		{ "markdown",
		  "# A ##\n# B # # \t\n# C#\n# D \\#\n# #\n",
		  "section A 1-1;section B # 2-2;section C# 3-3;"
		  "section D \\# 4-4;section  5-5;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_headings_without_a_name_end_with_their_line(void **state)
{
	static const struct told_case cases[] = {
		{ "markdown", "#\r\nx\r\n## \r\n", "section  3-3;section  1-3;" },
		{ "asciidoc", "= \r\nx\r\n", "section  1-2;" },
		{ "dockerfile", "FROM\r\nRUN x\r\n", "section  1-2;" },
		{ "makefile", "define\r\nx\r\nendef\r\n", "macro  1-3;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_headings_of_others(void **state)
{
	static const struct told_case cases[] = {
		{ "rst", "One\n===\n\nTwo\n---\ntext\n\nThree\n=====\n",
		  "section Two 4-6;section One 1-6;section Three 8-9;" },
		{ "latex",
		  "\\section{A}\n"
		  "x\n"
		  "\\subsection{B}\n"
		  "y\n"
		  "\\section{C}\n",
		  "section B 3-4;section A 1-4;section C 5-5;" },
		{ "ini",
		  "; x\n"
		  "[a]\n"
		  "k = 1\n"
		  "[b]\n",
		  "section a 2-3;section b 4-4;" },
		{ "makefile",
		  "include a.mk\n"
		  "all: b\n"
		  "\tcc\n"
		  "b c:\n"
		  "\techo x: y\n"
		  "V := a:b\n",
		  "import a.mk;section all 2-3;section b c 4-5;" },
		{ "makefile",
		  "-include a.mk $(B)/c.mk # no\r\n"
		  "sinclude d.mk\t\n"
		  "include e.mk \\\n"
		  "  no.mk\n"
		  "includes no\n"
		  "include\n"
		  "ifdef X\n"
		  "  include f.mk\n"
		  "endif\n"
		  "all:\n"
		  "\tinclude no\n",
		  "import a.mk;import $(B)/c.mk;import d.mk;import e.mk;"
		  "import f.mk;section all 10-11;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_headings_of_markdown),
		cmocka_unit_test(
			test_headings_without_a_name_end_with_their_line),
		cmocka_unit_test(test_headings_of_others),
	};

	return cmocka_run_group_tests_name("lang/headings", tests, NULL, NULL);
}
