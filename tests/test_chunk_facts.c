/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_facts.c - what a chunk says of itself; texts made shorter.
 */
#include "tests/test_shm.h"

#include "stages/chunk/chunk_facts.h"
#include "stages/chunk/chunk_sign.h"

static void
add(struct chunk_facts *facts, const struct chunk_query *query,
    const char *text, bool comment)
{
	chunk_facts_add(facts, chunk_lang_get(CHUNK_LANG_C), query,
			(const uint8_t *)text, strlen(text), comment);
}

static void
test_chunk_facts_markers_are_counted_in_comments(void **state)
{
	struct chunk_facts facts = { 0 };

	add(&facts, NULL, "/* TODO: this. FIXME(me) XXX HACK TODOS todo */",
	    true);
	ASSERT_EQ(facts.markers, 4);
	add(&facts, NULL, "int TODO = 1;", false);
	ASSERT_EQ(facts.markers, 4);
}

static void
test_chunk_facts_branches_and_calls(void **state)
{
	struct chunk_facts facts = { 0 };

	add(&facts, NULL,
	    "if (a && b || c) { call(1); other (2); call(3); }\n"
	    "else for (;;) switch (x) { case 1: return y(2); }",
	    false);
	/* if && || for switch case */
	ASSERT_EQ(facts.branches, 6);
	ASSERT_EQ(facts.call_nr, 3);
	ASSERT_EQ(facts.calls[1],
		  chunk_facts_hash((const uint8_t *)"other", 5));
}

static void
test_chunk_facts_calls_are_bounded(void **state)
{
	struct chunk_facts facts = { 0 };
	char text[16];

	for (int i = 0; i < 1000; i++) {
		snprintf(text, sizeof(text), "f%d();", i);
		add(&facts, NULL, text, false);
	}
	ASSERT_EQ(facts.call_nr, FACTS_CALLS);
}

static void
test_chunk_facts_terms_are_parts_of_identifiers(void **state)
{
	static const char query_text[] = "HTTPServer read_file x read";
	struct chunk_query query = { 0 };
	struct chunk_facts facts = { 0 };

	chunk_query_add(&query, (const uint8_t *)query_text,
			strlen(query_text));
	/* http server read file; x is too short, read is there */
	ASSERT_EQ(query.nr, 4);
	add(&facts, &query, "readHttp(httpServerFile, READ_FILE, reader)",
	    false);
	ASSERT_EQ(facts.terms[0], 2);
	ASSERT_EQ(facts.terms[1], 1);
	ASSERT_EQ(facts.terms[2], 2);
	ASSERT_EQ(facts.terms[3], 2);
}

static void
test_chunk_query_takes_no_more_than_it_holds(void **state)
{
	struct chunk_query query = { 0 };
	char text[400];
	size_t nr = 0;

	for (int i = 0; i < 40; i++)
		nr += (size_t)snprintf(text + nr, sizeof(text) - nr, "w%c%c ",
				       'a' + i / 10, 'a' + i % 10);
	chunk_query_add(&query, (const uint8_t *)text, nr);
	ASSERT_EQ(query.nr, FACTS_TERMS);
}

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
			test_chunk_facts_markers_are_counted_in_comments),
		cmocka_unit_test(test_chunk_facts_branches_and_calls),
		cmocka_unit_test(test_chunk_facts_calls_are_bounded),
		cmocka_unit_test(
			test_chunk_facts_terms_are_parts_of_identifiers),
		cmocka_unit_test(test_chunk_query_takes_no_more_than_it_holds),
		cmocka_unit_test(
			test_chunk_sign_text_without_structure_is_its_first_lines),
		cmocka_unit_test(
			test_chunk_sign_leaves_out_private_methods_and_bodies),
		cmocka_unit_test(
			test_chunk_strip_takes_comments_and_their_lines),
	};

	return cmocka_run_group_tests_name("chunk/facts", tests, NULL, NULL);
}
