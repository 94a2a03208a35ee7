/* SPDX-License-Identifier: MIT */
/*
 * test_declaration_script.c - what JavaScript and TypeScript declare.
 */
#include "tests/support/test_lang_told.h"

static void
test_script_functions_and_classes(void **state)
{
	static const struct told_case cases[] = {
		{ "javascript",
		  "const f = (a) => {\n"
		  "};\n"
		  "const g = function () {\n"
		  "};\n"
		  "class C {\n"
		  "  m() {\n"
		  "  }\n"
		  "  static async n() { }\n"
		  "}\n"
		  "foo(() => { });\n",
		  "function f 1-2;function g 3-4;method m 6-7;method n 8-8;class C 5-9;" },
		{ "typescript",
		  "@Component({\n"
		  "  selector: 'app',\n"
		  "  providers: [{ provide: A }],\n"
		  "})\n"
		  "export class Card {\n"
		  "  @Input({ required: true }) name: string;\n"
		  "  @On({ a: 1 }) get b() { return 1; }\n"
		  "  #c(d) { }\n"
		  "}\n",
		  "method b 7-7;method c 8-8;class Card 5-9;" },
		{ "typescript",
		  "interface I {\n"
		  "  a: string;\n"
		  "}\n"
		  "type T = { b: 1 };\n"
		  "enum E { A }\n"
		  "export abstract class D<T> extends B {\n"
		  "  private m<T>(a?: T): void { }\n"
		  "}\n",
		  "interface I 1-3;type T 4-4;enum E 5-5;method m 7-7;class D 6-8;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_script_types_may_have_brackets(void **state)
{
	static const struct told_case cases[] = {
		{ "typescript",
		  "const a = (n: T): Map<string, N> => {\n"
		  "}\n"
		  "const b = <T, R>(o: T): R => {\n"
		  "}\n"
		  "const c = x < y, d = (e) => {\n"
		  "}\n"
		  "function f(o: any): o is { g: string } {\n"
		  "}\n",
		  "function a 1-2;function b 3-4;function d 5-6;"
		  "function f 7-8;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_script_functions_and_classes),
		cmocka_unit_test(test_script_types_may_have_brackets),
	};

	return cmocka_run_group_tests_name("lang/declaration_script", tests,
					   NULL, NULL);
}
