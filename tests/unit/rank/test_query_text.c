/* SPDX-License-Identifier: MIT */
/*
 * test_query_text.c - which lines of a query are the task, and that each byte
 * is in one span.
 */
#include "tests/support/test_shm.h"

#include "rank/query_text.h"

/* A letter a span, by what it is. */
static const char *
kinds_of(const char *string)
{
	static char kinds[256];
	struct query_text text = {
		.at = (const uint8_t *)string,
		.end = (const uint8_t *)string + strlen(string),
	};
	const uint8_t *at = text.at;
	struct query_span span;
	size_t nr = 0;

	while (query_text_next(&text, &span) && nr + 1 < sizeof(kinds)) {
		assert_true(span.text == at && span.bytes > 0);
		at += span.bytes;
		kinds[nr++] = "tcCTmqs"[span.line];
	}
	assert_true(at == text.end);
	kinds[nr] = '\0';
	return kinds;
}

static void
test_query_text_tells_the_task_from_the_rest(void **state)
{
	static const struct {
		const char *text;
		const char *want;
	} cases[] = {
		{ "", "" },
		{ "parser fails", "t" },
		/* the first line is the task, whatever it looks like */
		{ "## Versions\nof python", "tt" },
		{ "a\nOn Monday B wrote:\n> b\n> c\n\nd\n> e", "ttqqttt" },
		{ "a\n```\ncode # Versions\n```\nb", "tTcTt" },
		{ "a\n    code\n\tcode", "tcc" },
		{ "a <!-- b\nc --> d\n", "tCCt" },
		{ "<!-- b -->a", "Ct" },
		{ "a <!-- never ends\n<!-- b", "tt" },
		{ "a\n```\n<!-- code -->\n```", "tTcT" },
		{ "a\n### Steps to reproduce\nb", "tTt" },
		{ "a\n**Expected behavior**\nb", "tTt" },
		{ "a\n- [x] I have searched\n", "tT" },
		{ "a\nThe parser of the code:\nb", "ttt" },
		/* a section of the machine, up to the next heading */
		{ "a\n## Environment\nLinux\n\nb\n## Parser\nb", "tmmtmtt" },
		{ "a\nVersions:\nLinux\n\nb", "tmmtt" },
		/* tags are no words; within it, a heading may be a sentence */
		{ "a\n<summary>Output of <tt>x.show_versions()</tt></summary>\nb",
		  "tmm" },
		{ "a\n## Versions\n# Paste the output of x.show_versions() here\n"
		  "b\n## The parser reads a file of an odd version twice\nc",
		  "tmmmmm" },
		{ "a\n## The parser reads a file of an odd version twice\nc",
		  "ttt" },
		/* lines of versions */
		{ "a\nnumpy==1.2.3\n", "tm" },
		{ "a\n| numpy | 1.2.3 |\n", "tm" },
		{ "a\nnumpy    1.2\n", "tm" },
		{ "a\nPython 3.7.1\n", "tm" },
		{ "a\nnumpy 1.2 fails\n", "tt" },
		{ "a\nRequirement already satisfied: b\n", "tm" },
		{ "a\n--------|-------\n", "tm" },
		{ "a\nSigned-off-by: A <b@c>\n", "ts" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (strcmp(kinds_of(cases[i].text), cases[i].want) != 0)
			fail_msg("%s: got %s", cases[i].text,
				 kinds_of(cases[i].text));
}

/* Blanks, quotes and dashes of typesetting, byte for byte; not letters. */
static void
test_query_text_plain_has_spaces_where_words_end(void **state)
{
	static const struct {
		const char *text;
		const char *want;
	} rows[] = {
		{ "a\u00a0b", "a  b" },
		{ "\u201crun_it\u201d \u2013 why\u2026", "   run_it        why   " },
		{ "\ufeffa\uff08b\uff09\u3002", "   a   b      " },
		{ "\u00abx\u00bb", "  x  " },
		{ "\u00fcber \u65e5\u672c", "\u00fcber \u65e5\u672c" },
		/* a joiner is part of a word; what is cut is left alone */
		{ "a\u200db \xe2\x80", "a\u200db \xe2\x80" },
		{ "", "" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char text[64];

		snprintf(text, sizeof(text), "%s", rows[i].text);
		query_text_plain((uint8_t *)text, strlen(text));
		assert_string_equal(text, rows[i].want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_query_text_tells_the_task_from_the_rest),
		cmocka_unit_test(
			test_query_text_plain_has_spaces_where_words_end),
	};

	return cmocka_run_group_tests_name("rank/query_text", tests, NULL,
					   NULL);
}
