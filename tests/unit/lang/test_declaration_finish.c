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

static void
test_imports_name_modules_and_no_exported_strings(void **state)
{
	static const struct told_case cases[] = {
		{ "typescript",
		  "export const A = 'https://x/v1';\n"
		  "export type K = 'one'|'two';\n"
		  "export default \"d\"\n"
		  "export * from './g';\n"
		  "export { y } from './h';\n",
		  "type K 2-2;import ./g;import ./h;" },
		/* names of what has been imported, or of resources, are none */
		{ "typescript",
		  "import fs = require('fs');\n"
		  "import Short = long.name;\n"
		  "using file = open('a');\n"
		  "import a, { b } from './c';\n",
		  "import fs;import ./c;" },
		{ "typescript",
		  "import {v} from './a' with {type:'json'};\n"
		  "import w from './b' assert { type: 'json' }\n"
		  "import './c' with { type: 'css' };\n"
		  "export {x} from './d' with {type:'json'};\n"
		  "export * from './e' with {type:'json'}\n"
		  "import z from './f'\n",
		  "import ./a;import ./b;import ./c;import ./d;"
		  "import ./e;import ./f;" },
		{ "rust",
		  "pub const NAME: &str = \"hello\";\n"
		  "pub use a::b;\n",
		  "import a::b;" },
		{ "scala",
		  "import scala.collection.{mutable, immutable}\n"
		  "import x._, y.{A => B,\n"
		  "  C}, z.D\n"
		  "import cats.syntax.all.*\n"
		  "object Main { def f = { import a.b; 1 } }\n",
		  "import scala.collection.{mutable, immutable};import x._;"
		  "import y.{A => B,\n  C};import z.D;"
		  "import cats.syntax.all.*;method f 5-5;object Main 5-5;" },
		{ "solidity",
		  "import \"./A.sol\";\n"
		  "import {B, C} from \"./B.sol\";\n"
		  "using {add, sub} for Point global;\n"
		  "contract Token {\n"
		  "  using SafeMath for uint256;\n"
		  "  modifier owned() { require(msg.sender == o, \"no\"); _; }\n"
		  "}\n",
		  "import ./A.sol;import ./B.sol;method owned 6-6;"
		  "class Token 4-7;" },
		{ "dart", "export 'a.dart';\nconst b = 'c';\n",
		  "import a.dart;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_statements_without_a_brace),
		cmocka_unit_test(
			test_imports_name_modules_and_no_exported_strings),
	};

	return cmocka_run_group_tests_name("lang/declaration_finish", tests,
					   NULL, NULL);
}
