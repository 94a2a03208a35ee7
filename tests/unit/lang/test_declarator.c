/* SPDX-License-Identifier: MIT */
/*
 * test_declarator.c - what stands behind members and is part of a definition.
 */
#include "tests/support/test_lang_out.h"

static const struct {
	const char *hint;
	const char *text;
	const char *want;
} cases[] = {
	{ "c", "struct a {\n\tint b;\n} c, *d;\n",
	  "struct a\n int b;\n} c, *d;\n" },
	{ "c", "typedef struct {\n\tint b;\n} c;\n",
	  "typedef struct\n int b;\n} c;\n" },
	{ "c", "struct a {\n\tint b;\n};\n", "struct a\n int b;\n" },
	{ "cpp",
	  "namespace a {\nint f();\n}\ntemplate <class T, class = B<T>>\n"
	  "struct c { };\n",
	  "namespace a\nint f();\ntemplate <class T, class = B<T>>\n"
	  "struct c\n" },
	{ "typescript", "type A = {\n  b: number;\n} & C<D>\n  | { e: f };\n",
	  "type A\n b: number;\n} & C<D>\n | { e: f };\n" },
	{ "typescript", "type A = {\n  b: number;\n}[]\nlet c = 1;\n",
	  "type A\n b: number;\n}[]\n" },
	{ "typescript", "type A = {\n  b: number;\n}\nlet c = 1;\n",
	  "type A\n b: number;\n" },
};

static void
test_declarator_behind_members_is_told(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct out out = { .nr = 0 };

		lang_outline(lang_find(cases[i].hint, strlen(cases[i].hint)),
			     (const uint8_t *)cases[i].text,
			     strlen(cases[i].text), false, out_put, &out);
		assert_string_equal(out.text, cases[i].want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_declarator_behind_members_is_told),
	};

	return cmocka_run_group_tests_name("lang/declarator", tests, NULL,
					   NULL);
}
