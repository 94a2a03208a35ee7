/* SPDX-License-Identifier: MIT */
/*
 * test_strip.c - texts without their comments.
 */
#include "tests/support/test_lang_out.h"

static void
test_chunk_strip_takes_comments_and_their_lines(void **state)
{
	static const struct {
		const char *hint;
		const char *text;
		const char *want;
	} cases[] = {
		{ "c", "/* a\n * b */\nint a; // c\nint/* d */b;\n",
		  "int a;\nint b;\n" },
		{ "c", "char *s = \"// no\"; /* end", "char *s = \"// no\";" },
		{ "python", "#!/bin/x\n# a\nx = '#'  # b\n\ny\n",
		  "#!/bin/x\nx = '#'\n\ny\n" },
		{ "html", "<a> <!-- b -->\n<!-- c -->\n</a>\n", "<a>\n</a>\n" },
		{ "text", "# as it is\n", "# as it is\n" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct out out = { .nr = 0 };

		lang_strip(lang_find(cases[i].hint, strlen(cases[i].hint)),
			   (const uint8_t *)cases[i].text,
			   strlen(cases[i].text), out_put, &out);
		assert_string_equal(out.text, cases[i].want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chunk_strip_takes_comments_and_their_lines),
	};

	return cmocka_run_group_tests_name("lang/strip", tests, NULL, NULL);
}
