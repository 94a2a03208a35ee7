/* SPDX-License-Identifier: MIT */
/*
 * test_declaration_name.c - which token is the name.
 */
#include "tests/support/test_lang_told.h"

static void
test_names_stand_where_the_language_has_them(void **state)
{
	static const struct told_case cases[] = {
		{ "c",
		  "int f(void) { }\n"
		  "unsigned long long int g(void) { }\n"
		  "struct s *h(void) { }\n",
		  "function f 1-1;function g 2-2;function h 3-3;" },
		{ "cpp",
		  "int A::B::f() { }\n"
		  "A::~A() { }\n",
		  "function f 1-1;function ~A 2-2;" },
		{ "rust",
		  "impl A<B> for C::D { }\n"
		  "impl E { }\n",
		  "impl D 1-1;impl E 2-2;" },
		/* without a name it is what stands for one */
		{ "typescript",
		  "declare global {\n"
		  "  interface Window { a: string }\n"
		  "}\n"
		  "export default function <T>(b: T): T { }\n"
		  "const global = c;\n"
		  "global.d = 1;\n",
		  "interface Window 2-2;module global 1-3;"
		  "function default 4-4;" },
		{ "javascript", "export default class extends A { b() { } }\n",
		  "method b 1-1;class default 1-1;" },
		{ "javascript",
		  "export default async function* (a) { }\n"
		  "export default function b() { }\n",
		  "function default 1-1;function b 2-2;" },
		{ "go",
		  "func (a A[T]) f() {}\n"
		  "func g() {}\n",
		  "method f 1-1;function g 2-2;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names_stand_where_the_language_has_them),
	};

	return cmocka_run_group_tests_name("lang/declaration_name", tests, NULL,
					   NULL);
}
