/* SPDX-License-Identifier: MIT */
/*
 * test_preproc.c - directives of the preprocessor: branches, macros, includes.
 */
#include "tests/support/test_lang_told.h"

static void
test_preproc_branches_open_no_brace_twice(void **state)
{
	static const struct told_case cases[] = {
		{ "c",
		  "#include <a.h>\n"
		  "#include \"b.h\"\n"
		  "#ifdef X\n"
		  "int f(int a) {\n"
		  "#else\n"
		  "int f(void) {\n"
		  "#endif\n"
		  "  return 0;\n"
		  "}\n"
		  "int g(void) { return 1; }\n",
		  "import a.h;import b.h;function f 6-9;function g 10-10;" },
		{ "c",
		  "#if 0\n"
		  "}}}\n"
		  "#endif\n"
		  "int f(void)\n"
		  "{\n"
		  "#if A\n"
		  "  if (a) {\n"
		  "#elif B\n"
		  "  if (b) {\n"
		  "#else\n"
		  "  {\n"
		  "#endif\n"
		  "  }\n"
		  "}\n",
		  "function f 4-14;" },
		/* what a macro stands for is not known */
		{ "c",
		  "#include_next <a.h>\n"
		  "#include MACRO(\"b.h\")\n"
		  "#include\n"
		  "#import \"c.h\"\n",
		  "import a.h;import c.h;" },
		{ "swift",
		  "#if os(iOS)\n"
		  "import UIKit\n"
		  "public func load(_ a: Int) -> Int {\n"
		  "    return a\n"
		  "}\n"
		  "#elseif os(macOS)\n"
		  "import AppKit\n"
		  "public func load(_ a: String) -> Int { return 2 }\n"
		  "#else\n"
		  "public struct Color { public var r: Int }\n"
		  "#endif\n"
		  "#Preview {\n"
		  "    Text(#\"}\"#)\n"
		  "}\n"
		  "class View {\n"
		  "    #if DEBUG\n"
		  "    func debug() {}\n"
		  "    #else\n"
		  "    func release() {}\n"
		  "    #endif\n"
		  "    func draw() {}\n"
		  "}\n",
		  "import UIKit;function load 3-5;import AppKit;"
		  "function load 8-8;struct Color 10-10;method debug 17-17;"
		  "method release 19-19;method draw 21-21;class View 15-22;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_preproc_macros_go_over_lines(void **state)
{
	static const struct told_case cases[] = {
		{ "c",
		  "#define M(a) \\\n"
		  "  do { \\\n"
		  "  } while (0)\n"
		  "#define N 1\n"
		  "# define O(x) (x)\n"
		  "int f(void) { return 0; }\n",
		  "macro M 1-3;macro O 5-5;function f 6-6;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_preproc_branches_open_no_brace_twice),
		cmocka_unit_test(test_preproc_macros_go_over_lines),
	};

	return cmocka_run_group_tests_name("lang/preproc", tests, NULL, NULL);
}
