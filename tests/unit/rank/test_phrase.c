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
	ask("cannot(open,file)[log]");
	ASSERT_EQ(longest_in("cannot(open,file)[log]"), 0);
	ask("cannot open, then log file");
	ASSERT_EQ(longest_in("/* cannot open, then log file */"), 5);
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
		cmocka_unit_test(test_phrase_has_limits),
	};

	return cmocka_run_group_tests_name("rank/phrase", tests, NULL, NULL);
}
