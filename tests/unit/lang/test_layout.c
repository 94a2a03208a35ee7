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
		{ "haskell",
		  "infixr 5 <+>\n"
		  "(<+>) :: Doc -> Doc -> Doc\n"
		  "a <+> b = Cat a b\n"
		  "foldl :: (b -> a -> b) -> b -> [a] -> b\n"
		  "foldl f = go\n"
		  "foldl' :: (b -> a -> b) -> b -> [a] -> b\n"
		  "foldl' f = go\n"
		  "class Eq a =>\n"
		  "      Shape a where\n"
		  "  -- | Its area.\n"
		  "  area, edge :: a -> Double\n"
		  "  name\n"
		  "    :: a -> String\n"
		  "  name _ = \"\"\n"
		  "  (<~>) :: a -> a -> a\n"
		  "instance Shape Int where\n"
		  "  area = id\n",
		  "function <+> 2-3;function foldl 4-5;function foldl' 6-7;"
		  "method area 11-11;method name 12-13;method <~> 15-15;"
		  "interface Shape 8-15;impl Shape 16-17;" },
		{ "ocaml",
		  "class counter init = object\n"
		  "  val mutable n = init\n"
		  "  method incr by =\n"
		  "    n <- n + by\n"
		  "  method private reset = n <- 0\n"
		  "  method get = n\n"
		  "end\n",
		  "method n 2-2;method incr 3-4;method get 6-6;"
		  "class counter 1-7;" },
		{ "fsharp",
		  "type Account(owner: string) =\n"
		  "    let mutable total = 0m\n"
		  "    member this.Owner = owner\n"
		  "    member private this.Log() = ()\n"
		  "    static member Create(owner) =\n"
		  "        Account(owner)\n"
		  "    member val Limit = 10 with get, set\n"
		  "    override _.ToString() = owner\n"
		  "type IShape =\n"
		  "    abstract member Area: float\n"
		  "    abstract Name: unit -> string\n",
		  "method Owner 3-3;method Create 5-6;method Limit 7-7;"
		  "method ToString 8-8;type Account 1-8;method Area 10-10;"
		  "method Name 11-11;type IShape 9-11;" },
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
