/* SPDX-License-Identifier: MIT */
/*
 * test_query_declared.c - names of a query that a text declares.
 */
#include "tests/support/test_shm.h"

#include "lang/declares.h"
#include "rank/query_declared.h"

static struct query query;
static struct query_declared found[QUERY_DECLARED_MAX];

static void
ask(const char *text)
{
	query_init(&query, (const uint8_t *)text, strlen(text));
	anchors_read(&query.anchors, (const uint8_t *)text, strlen(text));
	query_declared_init(&query);
}

static uint32_t
declared_in(const char *text)
{
	uint8_t counts[QUERY_TERMS_MAX] = { 0 };

	query_count(&query, (const uint8_t *)text, strlen(text), counts);
	return query_declared(&query, (const uint8_t *)text, strlen(text),
			      counts, found);
}

static const char *
name_of(uint32_t i)
{
	static char text[ANCHOR_NAME_BYTES + 1];
	const struct anchor_name *name = &query.anchors.names[found[i].name];

	snprintf(text, sizeof(text), "%.*s", name->bytes, name->text);
	return text;
}

static void
test_query_declared_finds_names_of_the_query(void **state)
{
	ask("MAX_RETRIES is too low, see retry_delay_ms");
	ASSERT_EQ(declared_in("#define MAX_RETRIES 3\n"
			      "static int retry_delay_ms = 5;\n"),
		  2);
	assert_string_equal(name_of(0), "MAX_RETRIES");
	ASSERT_EQ(found[0].how, LANG_DECLARES_OUTER);
	assert_string_equal(name_of(1), "retry_delay_ms");
	ASSERT_EQ(declared_in("if (n > MAX_RETRIES)\n\tfail();\n"), 0);
	ASSERT_EQ(declared_in("#define MAX_RETRIES_EVER 3\n"), 0);
	ASSERT_EQ(declared_in("#define OTHER 3\n"), 0);
}

/* The best that it is anywhere in the text counts. */
static void
test_query_declared_says_what_it_is_at_most(void **state)
{
	ask("maxRetries");
	ASSERT_EQ(declared_in("function f() {\n  let maxRetries = 3\n}\n"), 1);
	ASSERT_EQ(found[0].how, LANG_DECLARES_INNER);
	ASSERT_EQ(declared_in("function f() {\n  let maxRetries = 3\n}\n"
			      "const maxRetries = 4\n"),
		  1);
	ASSERT_EQ(found[0].how, LANG_DECLARES_OUTER);
}

/* No variable has a name with a dash: where it has a value, it is a key. */
static void
test_query_declared_knows_keys_of_settings(void **state)
{
	ask("fail-under-rate");
	ASSERT_EQ(declared_in("job:\n  fail-under-rate: 3\n"), 1);
	ASSERT_EQ(found[0].how, LANG_DECLARES_OUTER);
	ask("fail_under");
	ASSERT_EQ(declared_in("job:\n  fail_under: 3\n"), 1);
	ASSERT_EQ(found[0].how, LANG_DECLARES_INNER);
}

/* Words of a sentence are no names, however code has them. */
static void
test_query_declared_is_not_about_words(void **state)
{
	ask("the timeout is wrong");
	ASSERT_EQ(declared_in("int timeout = 3;\n"), 0);
	ask("timeout");
	ASSERT_EQ(declared_in("int timeout = 3;\n"), 1);
}

/* Where uses are asked for, how often a name is there, as a word of its own. */
static void
test_query_declared_counts_uses(void **state)
{
	ask("callers of retry_delay");
	ASSERT_EQ(declared_in("retry_delay(retry_delay);\nretry_delay_ms();\n"
			      "my_retry_delay();\nx = retry_delay"),
		  1);
	ASSERT_EQ(found[0].how, 3);
	ASSERT_EQ(declared_in("retry_delay_ms();\n"), 0);
	ASSERT_EQ(declared_in("retry();\n"), 0);
}

/* Where derived types are asked for, how many are derived from it. */
static void
test_query_declared_counts_heirs(void **state)
{
	ask("subclasses of Parser");
	ASSERT_EQ(declared_in("class A(Parser):\n    x = Parser()\n"
			      "class B(Parser):\n    pass\n"),
		  1);
	ASSERT_EQ(found[0].how, 2);
	ASSERT_EQ(declared_in("class Parser:\n    pass\nx = Parser()\n"), 0);
}

static void
test_query_declared_has_a_limit(void **state)
{
	char text[1024] = "";

	ask("a_1 a_2 a_3 a_4 a_5 a_6 a_7 a_8 a_9 b_1 b_2");
	for (char c = '1'; c <= '9'; c++)
		sprintf(text + strlen(text), "int a_%c = 1;\n", c);
	ASSERT_EQ(declared_in(text), QUERY_DECLARED_MAX);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_query_declared_finds_names_of_the_query),
		cmocka_unit_test(test_query_declared_says_what_it_is_at_most),
		cmocka_unit_test(test_query_declared_knows_keys_of_settings),
		cmocka_unit_test(test_query_declared_is_not_about_words),
		cmocka_unit_test(test_query_declared_counts_uses),
		cmocka_unit_test(test_query_declared_counts_heirs),
		cmocka_unit_test(test_query_declared_has_a_limit),
	};

	return cmocka_run_group_tests_name("rank/query_declared", tests, NULL,
					   NULL);
}
