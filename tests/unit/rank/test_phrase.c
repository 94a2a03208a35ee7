/* SPDX-License-Identifier: MIT */
/*
 * test_phrase.c - words of a query that a text has side by side.
 */
#include "tests/support/test_shm.h"

#include "rank/phrase.h"

static struct query query;

static void
ask(const char *text)
{
	query_init(&query, (const uint8_t *)text, strlen(text));
	phrase_init(&query, (const uint8_t *)text, strlen(text));
}

static uint8_t
longest_in(const char *text)
{
	uint8_t counts[QUERY_TERMS_MAX] = { 0 };

	query_count(&query, (const uint8_t *)text, strlen(text), counts);
	return phrase_longest(&query, (const uint8_t *)text, strlen(text),
			      counts);
}

static void
test_phrase_is_the_message_that_code_prints(void **state)
{
	ask("error: preprocessor command could not start: 'pdftotext'");
	ASSERT_EQ(longest_in("err!(\"preprocessor command could not start: "
			     "'{}'\", cmd)"),
		  5);
	/* the same words, but in no such order */
	ASSERT_EQ(longest_in("start the command; the preprocessor could not"),
		  0);
	ASSERT_EQ(longest_in("Preprocessor Command Could Not Start"), 0);
}

/* A value in the middle of a message ends a phrase; the longest one counts. */
static void
test_phrase_goes_on_to_what_differs(void **state)
{
	ask("cannot open the log file a.txt for writing more lines to it");
	ASSERT_EQ(longest_in("\"cannot open the log file %s\""), 5);
	ASSERT_EQ(longest_in("\"cannot open the log file %s for writing more "
			     "lines to it\""),
		  6);
	ASSERT_EQ(longest_in("\"cannot open the\""), 0);
}

/* Words are those of one line, with blanks between them. */
static void
test_phrase_is_within_a_line(void **state)
{
	ask("cannot open file\nlog writer stops");
	ASSERT_EQ(longest_in("cannot open file\nlog writer stops"), 0);
	ask("it fails\n\ncannot(open,file)[log]");
	ASSERT_EQ(longest_in("cannot(open,file)[log]"), 0);
	ask("cannot open, then log file");
	ASSERT_EQ(longest_in("/* cannot open, then log files */"),
		  PHRASE_LINES + 1);
}

/* Three words of which one at most says anything are no phrase. */
static void
test_phrase_is_of_words_that_say_something(void **state)
{
	ask("it is the one that is in the file");
	ASSERT_EQ(longest_in("it is the one that is in the file"), 0);
}

/* Lines of a template or of a machine are not the task. */
static void
test_phrase_is_of_the_task(void **state)
{
	ask("it fails\n\n<!-- please search existing issues before posting -->");
	ASSERT_EQ(longest_in("please search existing issues before posting"),
		  0);
}

/* A query that is code is looked for line by line, as it stands. */
static void
test_phrase_is_lines_of_code(void **state)
{
	static const struct {
		const char *query;
		const char *text;
		uint8_t want;
	} cases[] = {
		{ "\tif (parse(text) < 0)  ", "\t\tif (parse(text) < 0)\n",
		  PHRASE_LINES + 1 },
		{ "if (parse(text) < 0)", "if (parse(text) <  0)\n", 0 },
		{ "parse(text)", "x = parse(text);\n", PHRASE_LINES + 1 },
		{ "  lock(a);\n\n  parse(a);\n",
		  "lock(a);\nfree(a);\nparse(a);\n", PHRASE_LINES + 2 },
		{ "// of it\nlock(a);\nbreak\nend", "lock(a);\nend\n",
		  PHRASE_LINES + 2 },
		{ "it fails\nlock(a);", "lock(a);\n", 0 },
		{ "lock(a);\nparse(a);", "parse(a);\n", PHRASE_LINES + 1 },
		/* a name, words, and code among prose */
		{ "parse()", "x = parse();\n", PHRASE_LINES + 1 },
		{ "CVE-2021-44228", "/* CVE-2021-44228 */\n",
		  PHRASE_LINES + 1 },
		{ "parse_it", "parse_it\n", 0 },
		{ "lock parse", "lock parse\n", 0 },
		{ "the parser fails with\nparse(text);", "parse(text);\n", 0 },
		/* nothing that could be looked up */
		{ "} {", "} {\n", 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		memset(&query, 0, sizeof(query));
		ask(cases[i].query);
		ASSERT_EQ(query.phrases.is_word,
			  query.phrases.line_nr == 1 &&
				  (strcmp(cases[i].query, "parse()") == 0 ||
				   strncmp(cases[i].query, "CVE", 3) == 0));
		if (longest_in(cases[i].text) != cases[i].want)
			fail_msg("%s: %d", cases[i].query,
				 longest_in(cases[i].text));
	}
}

/* Of too many lines none is looked for, nor of a longer one than there is room. */
static void
test_phrase_has_limits_of_lines(void **state)
{
	char text[8192] = "";
	size_t at = 0;

	for (int i = 0; i < PHRASE_LINES_MAX; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "alpha(%d);\n", i);
	ask(text);
	ASSERT_EQ(query.phrases.line_nr, PHRASE_LINES_MAX);
	ASSERT_EQ(longest_in(text), PHRASE_LINES + PHRASE_LINES_MAX);
	strcpy(text + at, "beta(1);\n");
	ask(text);
	ASSERT_EQ(query.phrases.line_nr, 0);
	memset(text, 'a', 300);
	strcpy(text + 300, " = b;");
	ask(text);
	ASSERT_EQ(query.phrases.line_nr, 0);
}

static void
test_phrase_is_meant_by_its_length(void **state)
{
	static const struct phrases phrases = { .word_nr = 10, .line_nr = 4 };

	ASSERT_TRUE(!phrase_is_most(&phrases, 4));
	ASSERT_TRUE(phrase_is_most(&phrases, 5));
	ASSERT_TRUE(!phrase_is_most(&phrases, PHRASE_LINES + 1));
	ASSERT_TRUE(phrase_is_most(&phrases, PHRASE_LINES + 2));
	assert_float_equal((float)phrase_strength(&phrases, 4), 0.4f, 1e-6);
	assert_float_equal((float)phrase_strength(&phrases, 12), 1, 1e-6);
	assert_float_equal((float)phrase_strength(&phrases, PHRASE_LINES + 1),
			   0.25f, 1e-6);
}

static void
test_phrase_has_limits(void **state)
{
	char text[16384] = "";
	size_t at = 0;

	for (int i = 0; i < 400; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "alpha%d beta%d ", i, i);
	ask(text);
	ASSERT_EQ(query.phrases.nr <= PHRASE_WINDOWS_MAX, 1);
	ASSERT_TRUE(longest_in(text) >= PHRASE_WORDS_MIN);
	/* a word that is longer than a window may be */
	memset(text, 'a', 200);
	strcpy(text + 200, " open file log");
	ask(text);
	ASSERT_EQ(query.phrases.nr, 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_phrase_is_the_message_that_code_prints),
		cmocka_unit_test(test_phrase_goes_on_to_what_differs),
		cmocka_unit_test(test_phrase_is_within_a_line),
		cmocka_unit_test(test_phrase_is_of_words_that_say_something),
		cmocka_unit_test(test_phrase_is_of_the_task),
		cmocka_unit_test(test_phrase_is_lines_of_code),
		cmocka_unit_test(test_phrase_has_limits_of_lines),
		cmocka_unit_test(test_phrase_is_meant_by_its_length),
		cmocka_unit_test(test_phrase_has_limits),
	};

	return cmocka_run_group_tests_name("rank/phrase", tests, NULL, NULL);
}
