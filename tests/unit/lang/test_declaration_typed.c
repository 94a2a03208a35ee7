/* SPDX-License-Identifier: MIT */
/*
 * test_declaration_typed.c - what C, Java, C# and their like declare.
 */
#include "tests/support/test_lang_out.h"
#include "tests/support/test_lang_told.h"

static void
test_typed_functions_and_types(void **state)
{
	static const struct told_case cases[] = {
		{ "c",
		  "static const char *const *f(int (*g)(void), char c[3])\n"
		  "{\n"
		  "}\n"
		  "struct s { int x; } v;\n"
		  "enum e {\n"
		  "  A\n"
		  "};\n"
		  "int w = f(1);\n",
		  "function f 1-3;struct s 4-4;enum e 5-7;" },
		/* a name in brackets; MACRO(x)(...) has its own before them */
		{ "c",
		  "static int (f)(void) { }\n"
		  "char *( g )(int a) { }\n"
		  "int (*h)(void) = { f };\n"
		  "void NAME(i)(int a) { }\n",
		  "function f 1-1;function g 2-2;function NAME 4-4;" },
		/* what returns a pointer to a function */
		{ "c",
		  "int (*f(int a))(long b) { }\n"
		  "void (* g (int a, void (*b)(int)))(int)\n"
		  "{\n"
		  "}\n"
		  "int (*const h)(int) = { i(1) };\n",
		  "function f 1-1;function g 2-4;" },
		{ "cpp",
		  "template <typename T>\n"
		  "concept Addable = requires(T a, T b) {\n"
		  "  { a + b } -> std::convertible_to<T>;\n"
		  "};\n"
		  "template <class T>\n"
		  "concept Small = sizeof(T) < 8;\n"
		  "template <class T> requires Addable<T> && (!Small<T>)\n"
		  "class Box {\n"
		  "  Box(int a) noexcept : a_{a} { }\n"
		  "};\n"
		  "template <class T> requires std::integral<T>\n"
		  "T add(T a) requires Addable<T> { return a; }\n",
		  "type Addable 1-4;method Box 9-9;class Box 7-10;"
		  "function add 11-12;" },
		{ "cpp",
		  "struct l { static T (max)() noexcept { return a; } };\n",
		  "method max 1-1;struct l 1-1;" },
		{ "cpp",
		  "namespace n {\n"
		  "template <typename T>\n"
		  "class C : public B<T> {\n"
		  "  C() : x{1} {}\n"
		  "  int operator()(int) const { return 1; }\n"
		  "};\n"
		  "}\n"
		  "int C::f() { return 0; }\n",
		  "method C 4-4;method operator() 5-5;class C 2-6;module n 1-7;function f 8-8;" },
		{ "java",
		  "package a.b;\n"
		  "class C<T extends D> implements E {\n"
		  "  @A(1) public Map<K, V[]> m(int... a) throws X {\n"
		  "    if (a) { }\n"
		  "    return new D() { };\n"
		  "  }\n"
		  "  int x = 1;\n"
		  "}\n"
		  "interface I { void n(); }\n",
		  "method m 3-6;class C 2-8;method n 9-9;interface I 9-9;" },
		{ "csharp",
		  "class C {\n"
		  "  public int P { get; set; }\n"
		  "  int F() => 1;\n"
		  "  void G() { }\n"
		  "}\n",
		  "property P 2-2;method F 3-3;method G 4-4;class C 1-5;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_typed_classes_may_have_macros(void **state)
{
	static const struct told_case cases[] = {
		{ "cpp",
		  "namespace n VISIBLE(default) {\n"
		  "class CAPABILITY(\"mutex\") A {\n"
		  "  void m() { }\n"
		  "};\n"
		  "struct B ALIGNED(16) { int x; };\n"
		  "}\n"
		  "union U M(1) {\n"
		  "};\n"
		  "enum class E M(2) : int { X };\n"
		  "namespace NAME(foo) { int f() { } }\n",
		  "method m 3-3;class A 2-4;struct B 5-5;module n 1-6;"
		  "struct U 7-8;enum E 9-9;function f 10-10;"
		  "module NAME 10-10;" },
		/* before it, and around it */
		{ "c",
		  "__packed struct A { int a; };\n"
		  "ATTR struct B { int b; };\n"
		  "ATTR(2) union C { int c; };\n"
		  "PACK(struct D { int d; });\n"
		  "ATTR struct E *f(int e) { }\n"
		  "__attr(1) struct G *h(void) { }\n",
		  "struct A 1-1;struct B 2-2;struct C 3-3;struct D 4-4;"
		  "function f 5-5;function h 6-6;" },
		/* a function has arguments */
		{ "cpp",
		  "struct A *F(int a) { }\n"
		  "struct A G() { }\n"
		  "struct A H(void) { }\n"
		  "struct A I(T &t) { }\n",
		  "function F 1-1;function G 2-2;function H 3-3;"
		  "function I 4-4;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

static void
test_typed_functions_may_have_macros_before_their_type(void **state)
{
	static const struct told_case cases[] = {
		{ "c",
		  "static __printf(2, 3)\n"
		  "void __f(int a, ...) { }\n"
		  "int __g(int a) noinline __attr(1) { }\n"
		  "void __h(int a) __attr(1) { }\n",
		  "function __f 1-2;function __g 3-3;function __h 4-4;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

/* What braces of requires hold is part of what is declared; those behind
 * requires (a) are the body. */
static void
test_typed_declarations_go_on_behind_requires(void **state)
{
	static const struct told_case cases[] = {
		{ "cpp",
		  "template <typename T>\n"
		  "  requires requires(T a) { a.b(); { a.c() } -> D; }\n"
		  "auto f(T a) -> int { return 1; }\n"
		  "template <typename T> requires A<T> && requires { T::x; }\n"
		  "class C {\n"
		  "  void g(T t) requires requires(T u) { u.h(); } { t.h(); }\n"
		  "};\n"
		  "void i(auto x) requires (sizeof(x) > 1) {\n"
		  "  if constexpr (requires(T u) { u.j(); }) { }\n"
		  "}\n",
		  "function f 1-3;method g 6-6;class C 4-7;"
		  "function i 8-10;" },
	};
	static const char source[] =
		"template <class T> requires requires(T t) { t.x(); }\n"
		"class Box {\n"
		"  int a;\n"
		"};\n"
		"template <class T> constexpr bool v = requires(T t) { t.x(); };\n"
		"template <class T> void f(T t) requires requires { t.x(); } {\n"
		"}\n";
	struct out out = { .nr = 0 };

	assert_told(cases, ARRAY_LEN(cases));
	lang_outline(LANG_CPP, (const uint8_t *)source, sizeof(source) - 1,
		     false, out_put, &out);
	assert_string_equal(
		out.text,
		"template <class T> requires requires(T t) { t.x(); }\n"
		"class Box\n"
		"template <class T> constexpr bool v = requires(T t) { t.x(); };\n"
		"template <class T> void f(T t) requires requires { t.x(); }\n");
}

static void
test_typed_arguments_may_have_braces(void **state)
{
	static const char source[] =
		"struct A {\n"
		"  void b(std::optional<C> d, const E &f = E{},\n"
		"         G<H> i = {}, int *j = nullptr);\n"
		"  int k(L m = L{1}) { return 1; }\n"
		"  int n;\n"
		"};\n";
	struct out out = { .nr = 0 };

	lang_outline(LANG_CPP, (const uint8_t *)source, sizeof(source) - 1,
		     false, out_put, &out);
	assert_string_equal(out.text,
			    "struct A\n"
			    " void b(std::optional<C> d, const E &f = E{},\n"
			    "  G<H> i = {}, int *j = nullptr);\n"
			    " int k(L m = L{1})\n"
			    " int n;\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_typed_functions_and_types),
		cmocka_unit_test(test_typed_classes_may_have_macros),
		cmocka_unit_test(
			test_typed_functions_may_have_macros_before_their_type),
		cmocka_unit_test(test_typed_declarations_go_on_behind_requires),
		cmocka_unit_test(test_typed_arguments_may_have_braces),
	};

	return cmocka_run_group_tests_name("lang/declaration_typed", tests,
					   NULL, NULL);
}
