/* SPDX-License-Identifier: MIT */
/*
 * test_signature_end.c - where the signature of a definition ends that has its body
 * on the same line.
 */
#include "tests/support/test_shm.h"

#include "lang/outline.h"

static const struct {
	const char *hint;
	uint8_t kind;
	const char *text;
	const char *head;
} cases[] = {
	{ "python", LANG_KIND_FUNCTION, "def f(a: int = 1) -> int: return a",
	  "def f(a: int = 1) -> int:" },
	{ "python", LANG_KIND_FUNCTION, "def f(a=':', b={1: 2}): return a",
	  "def f(a=':', b={1: 2}):" },
	{ "python", LANG_KIND_CLASS, "class A(B): pass", "class A(B):" },
	{ "csharp", LANG_KIND_METHOD, "int F(int a) => a + 1;",
	  "int F(int a)" },
	{ "elixir", LANG_KIND_FUNCTION, "def f(x), do: x", "def f(x)" },
	{ "erlang", LANG_KIND_FUNCTION, "f(N) when N > 0 -> N.",
	  "f(N) when N > 0 ->" },
	{ "cpp", LANG_KIND_METHOD, "A(int a) : b(a) ", "A(int a)" },
	{ "cpp", LANG_KIND_METHOD, "A(int a) noexcept : b(a) ",
	  "A(int a) noexcept" },
	{ "cpp", LANG_KIND_METHOD, "a::B f(int a) const noexcept ",
	  "a::B f(int a) const noexcept" },
	{ "ruby", LANG_KIND_METHOD, "def f(a) = a + 1", "def f(a)" },
	{ "scala", LANG_KIND_METHOD, "def x_=(v: Int): Unit = y",
	  "def x_=(v: Int): Unit" },
	{ "scala", LANG_KIND_METHOD, "def x_= 1", "def x_" },
	{ "typescript", LANG_KIND_FUNCTION, "function f(): (a: b) => c ",
	  "function f(): (a: b) => c" },
	{ "typescript", LANG_KIND_METHOD, "async f<T>(): (a: b) => c ",
	  "async f<T>(): (a: b) => c" },
	{ "typescript", LANG_KIND_FUNCTION,
	  "const f: (a: b) => c = (a) => a + 1",
	  "const f: (a: b) => c = (a) =>" },
	{ "typescript", LANG_KIND_FUNCTION, "f: (a) => a + 1", "f: (a) =>" },
	{ "javascript", LANG_KIND_FUNCTION, "f = async a => a + 1",
	  "f = async a =>" },
	/* what the scanner says is the end already */
	{ "c", LANG_KIND_FUNCTION, "int f(int a) ", "int f(int a)" },
};

static void
test_signature_ends_before_the_body(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *text = cases[i].text;
		size_t end = lang_signature_end(
			lang_find(cases[i].hint, strlen(cases[i].hint)),
			cases[i].kind, (const uint8_t *)text, 0, strlen(text));

		if (end != strlen(cases[i].head) ||
		    strncmp(text, cases[i].head, end) != 0)
			fail_msg("%s: got %.*s", text, (int)end, text);
	}
}

/* It is part of a text, and never longer than what is given. */
static void
test_signature_stays_in_its_part(void **state)
{
	static const char text[] = "): def f(a): return a";
	const uint8_t *bytes = (const uint8_t *)text;
	uint32_t python = lang_find("python", 6);

	for (size_t end = 3; end <= strlen(text); end++) {
		size_t got = lang_signature_end(python, LANG_KIND_FUNCTION,
						bytes, 3, end);

		ASSERT_TRUE(got <= end);
		ASSERT_EQ(got == 12, end >= 12);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_signature_ends_before_the_body),
		cmocka_unit_test(test_signature_stays_in_its_part),
	};

	return cmocka_run_group_tests_name("lang/signature_end", tests, NULL,
					   NULL);
}
