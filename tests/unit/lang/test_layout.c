/* SPDX-License-Identifier: MIT */
/*
 * test_layout.c - languages whose blocks are by indentation.
 */
#include "tests/support/test_lang_told.h"

static void
test_layout_python_blocks_are_what_is_indented(void **state)
{
	static const struct told_case cases[] = {
		{ "python",
		  "import a.b\n"
		  "from .c import (d,\n"
		  "  e)\n"
		  "@deco\n"
		  "class A(B):\n"
		  "    \"\"\"class No:\"\"\"\n"
		  "    def m(self,\n"
		  "          x):\n"
		  "        if x:\n"
		  "            return 1\n"
		  "\n"
		  "    async def n(self): pass\n"
		  "def f():\n"
		  "  # a\n"
		  "  pass\n"
		  "x = 1\n",
		  "import a.b;import .c;method m 7-10;method n 12-12;class A 5-12;function f 13-15;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_layout_of_others(void **state)
{
	static const struct told_case cases[] = {
		{ "haskell",
		  "module A.B where\n"
		  "import qualified C.D as E\n"
		  "data T = U | V\n"
		  "f :: Int -> Int\n"
		  "f x = x\n"
		  "  where y = 1\n"
		  "g = f\n",
		  "import C.D;type T 3-3;function f 4-6;function g 7-7;" },
		{ "erlang",
		  "-module(a).\n"
		  "f(0) -> 1;\n"
		  "f(N) ->\n"
		  "  N.\n"
		  "g() -> ok.\n",
		  "function f 2-4;function g 5-5;" },
		{ "yaml",
		  "a:\n"
		  "  b: 1\n"
		  "c: |\n"
		  "  d: 2\n",
		  "section b 2-2;section a 1-2;section c 3-4;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_python_imports_name_each_module(void **state)
{
	static const struct told_case cases[] = {
		{ "python", "import os as o, beta\n",
		  "import os;import beta;" },
		{ "python", "import re, json as j, a.b # c, d\n",
		  "import re;import json;import a.b;" },
		{ "python", "import a; import b;from c import d ; import e\n",
		  "import a;import b;import c;import e;" },
		{ "python", "import \\\n  cc, \\\r\n d as \\\n e, f\n",
		  "import cc;import d;import f;" },
		{ "python",
		  "from a.b import (c,\n  d)\nfrom . import e\n"
		  "from f import(g)\nfrom h import i, \\\n  j; import k\n",
		  "import a.b;import .;import f;import h;import k;" },
		{ "nim", "import std/[a, b], c\n",
		  "import std/[a, b];import c;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_python_imports_name_each_module),
		cmocka_unit_test(
			test_layout_python_blocks_are_what_is_indented),
		cmocka_unit_test(test_layout_of_others),
	};

	return cmocka_run_group_tests_name("lang/layout", tests, NULL, NULL);
}
