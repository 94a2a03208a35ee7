/* SPDX-License-Identifier: MIT */
/*
 * test_query_words.c - parts of identifiers, and stems.
 */
#include "tests/support/test_shm.h"

#include "rank/query_words.h"

static void
test_query_words_have_stems(void **state)
{
	static const char *const cases[][2] = {
		{ "retries", "retry" },     { "classes", "class" },
		{ "class", "class" },       { "parsing", "pars" },
		{ "parser", "parser" },     { "parsed", "pars" },
		{ "repeatedly", "repeat" }, { "files", "fil" },
		{ "file", "file" }, { "stopped", "stop" },
		{ "calls", "call" },        { "is", "is" },
		{ "its", "its" },           { "quickly", "quick" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char word[64];
		size_t bytes = strlen(cases[i][0]);

		memcpy(word, cases[i][0], bytes + 1);
		word[query_stem(word, bytes)] = '\0';
		assert_string_equal(word, cases[i][1]);
	}
}

/* The stems of a word's parts, "-" for none, and after "=" that of the whole. */
static const char *
parts_of(const char *text)
{
	static char out[256];
	struct query_word word = { .text = (const uint8_t *)text,
				   .bytes = strlen(text) };
	char stem[QUERY_TERM_BYTES];
	size_t bytes;

	out[0] = '\0';
	while (query_word_next(&word, stem, &bytes)) {
		if (bytes == 0)
			strcat(out, "-");
		strncat(out, stem, bytes);
		strcat(out, " ");
	}
	bytes = query_word_joined(&word, stem);
	if (bytes > 0)
		strcat(out, "=");
	strncat(out, stem, bytes);
	return out;
}

static void
test_query_words_are_split_at_case_digits_and_underscores(void **state)
{
	static const char *const cases[][2] = {
		{ "parser", "parser " },
		{ "__parser", "parser " },
		{ "tcp_retransmit", "tcp retransmit =tcpretransmit" },
		{ "HTTPServer", "http server =httpserver" },
		{ "readFiles", "read fil =readfil" },
		{ "x86", "- - =x86" },
		{ "ABc", "- bc =abc" },
		{ "utf8_decode", "utf - decod =utf8decod" },
		{ "MAX_LENGTH", "max length =maxlength" },
		{ "___", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		assert_string_equal(parts_of(cases[i][0]), cases[i][1]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_query_words_have_stems),
		cmocka_unit_test(
			test_query_words_are_split_at_case_digits_and_underscores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
