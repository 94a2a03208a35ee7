/* SPDX-License-Identifier: MIT */
/*
 * test_declaration_word.c - what words declare: Go, Rust, Kotlin, Swift and others.
 */
#include "tests/support/test_lang_told.h"

static void
test_words_declare_what_follows(void **state)
{
	static const struct told_case cases[] = {
		{ "go",
		  "package p\n"
		  "func (r *R) M() {\n"
		  "}\n"
		  "type S struct {\n"
		  "\ta int\n"
		  "}\n"
		  "func F[T any](a T) {}\n",
		  "method M 2-3;struct S 4-6;function F 7-7;" },
		{ "rust",
		  "pub fn f<T>(a: T) where T: X {\n"
		  "}\n"
		  "pub(crate) struct S { a: u8 }\n"
		  "enum E { A }\n"
		  "impl<T> X for S {\n"
		  "  fn m(&self) {}\n"
		  "}\n"
		  "trait T { fn n(); }\n"
		  "mod a { }\n",
		  "function f 1-2;struct S 3-3;enum E 4-4;method m 6-6;impl S 5-7;method n 8-8;interface T 8-8;module a 9-9;" },
		/* what macros are given where items stand, and elsewhere */
		{ "rust",
		  "pin_project! {\n"
		  "  #[project = A]\n"
		  "  pub struct B { #[pin] c: u8 }\n"
		  "}\n"
		  "a::cfg_b! { pub fn d() { } }\n"
		  "impl E { cfg_f! { pub fn g(&self) { } } }\n"
		  "macro_rules! h { ($i:ident) => { fn $i() { } } }\n"
		  "fn j() { k! { fn no() { } }; let l = m! { fn no() { } }; }\n",
		  "struct B 3-3;function d 5-5;method g 6-6;impl E 6-6;"
		  "macro h 7-7;function j 8-8;" },
		/* what is only declared, sets of errors before a body */
		{ "zig",
		  "pub extern \"c\" fn printf(a: [*:0]const u8, ...) c_int;\n"
		  "fn b() error{ C }!void { }\n"
		  "pub const D = opaque { pub fn e() void { } };\n"
		  "pub const F = struct { g: struct { h: u8 }, fn i() void { } };\n",
		  "function printf 1-1;function b 2-2;method e 3-3;"
		  "struct D 3-3;method i 4-4;struct F 4-4;" },
		{ "kotlin",
		  "fun f(a: Int): Int = a\n"
		  "class C(val x: Int) {\n"
		  "  fun m() { }\n"
		  "}\n",
		  "function f 1-1;method m 3-3;class C 2-4;" },
		{ "swift",
		  "func f(_ a: Int) -> Int {\n"
		  "}\n"
		  "struct S {\n"
		  "  init() { }\n"
		  "}\n",
		  "function f 1-2;method init 4-4;struct S 3-5;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_words_declare_what_follows),
	};

	return cmocka_run_group_tests_name("lang/declaration_word", tests, NULL,
					   NULL);
}
