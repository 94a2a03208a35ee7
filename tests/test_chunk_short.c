/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_short.c - texts made shorter.
 */
#include "tests/test_shm.h"

#include "stages/chunk/chunk_sign.h"

struct out {
	char text[1024];
	size_t nr;
};

static void
put(void *context, const uint8_t *text, size_t bytes)
{
	struct out *out = context;

	assert_true(out->nr + bytes < sizeof(out->text));
	memcpy(out->text + out->nr, text, bytes);
	out->nr += bytes;
	out->text[out->nr] = '\0';
}

static void
test_chunk_sign_text_without_structure_is_its_first_lines(void **state)
{
	char text[256];
	struct out out = { .nr = 0 };
	size_t nr = 0;

	for (int i = 1; i <= 30; i++)
		nr += (size_t)sprintf(text + nr, "line %d\n", i);
	ASSERT_EQ(chunk_sign(CHUNK_LANG_NONE, (uint8_t *)text, nr, false, put,
			     &out),
		  out.nr);
	assert_true(strncmp(out.text, text, out.nr) == 0);
	assert_string_equal(out.text + out.nr - 8, "line 20\n");
}

static void
test_chunk_sign_leaves_out_private_methods_and_bodies(void **state)
{
	static const char text[] = "import a.B;\nimport c.D;\n"
				   "/** Says what. */\n"
				   "public class C extends B {\n"
				   "  private void hidden() { if (x) { } }\n"
				   "  @Override\n"
				   "  public int shown(int a) { return 1; }\n"
				   "}\n";
	struct out out = { .nr = 0 };

	chunk_sign(CHUNK_LANG_JAVA, (const uint8_t *)text, strlen(text), true,
		   put, &out);
	assert_string_equal(out.text, "imports: a.B, c.D\n"
				      "/** Says what. */\n"
				      "public class C extends B\n"
				      "  @Override\n"
				      "  public int shown(int a)\n");
	out.nr = 0;
	chunk_sign(CHUNK_LANG_JAVA, (const uint8_t *)text, strlen(text), false,
		   put, &out);
	assert_string_equal(out.text, "imports: a.B, c.D\n"
				      "public class C extends B\n"
				      "  @Override\n"
				      "  public int shown(int a)\n");
}

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

		chunk_strip(
			chunk_lang_find(cases[i].hint, strlen(cases[i].hint)),
			(const uint8_t *)cases[i].text, strlen(cases[i].text),
			put, &out);
		assert_string_equal(out.text, cases[i].want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chunk_sign_text_without_structure_is_its_first_lines),
		cmocka_unit_test(
			test_chunk_sign_leaves_out_private_methods_and_bodies),
		cmocka_unit_test(
			test_chunk_strip_takes_comments_and_their_lines),
	};

	return cmocka_run_group_tests_name("chunk/facts", tests, NULL, NULL);
}
