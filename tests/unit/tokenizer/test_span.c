/* SPDX-License-Identifier: MIT */
/*
 * test_span.c - the inside of a text has its tokens whatever lies around it.
 * Streams of spans: test_stream.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tokenizer/tokenizer.h"

#define TEXT_BYTES 256

static const struct tokenizer *tok;
static uint64_t seed = 20261125;

static int
setup(void **state)
{
	return tokenizer_open(&tok, "o200k_base");
}

static size_t
draw_text(uint8_t *text, size_t words)
{
	static const char *const pool[] = { "int", " a", "\n",       "\n\n",
					    "//",  "\t", "Foo",      "(",
					    ");",  "'s", "\xc3\xa9", "123",
					    " ",   "_x" };
	size_t len = 0;

	while (words-- > 0) {
		const char *word;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		word = pool[(seed >> 33) % (sizeof(pool) / sizeof(pool[0]))];
		memcpy(text + len, word, strlen(word));
		len += strlen(word);
	}
	return len;
}

static void
test_span_of_code_leaves_little_outside(void **state)
{
	static const char code[] = "return x;\n}\n\nstatic int\nf(void)\n{\n"
				   "\tint a = 1;\n\treturn a;\n}\n";
	struct token_span span;

	tokenizer_span(tok, NULL, (const uint8_t *)code, sizeof(code) - 1,
		       &span);
	assert_true(span.found);
	assert_int_equal(span.head_len, 6);
	assert_int_equal(span.tail_off, sizeof(code) - 3);
}

static void
test_span_of_what_has_no_places_is_not_found(void **state)
{
	static const char *const texts[] = { "", "a", "word", "\n\n\n",
					     "    " };
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct token_span span = { 1, 2, 3, true };

		tokenizer_span(tok, NULL, (const uint8_t *)texts[i],
			       strlen(texts[i]), &span);
		assert_false(span.found);
		assert_int_equal(span.head_len | span.tail_off | span.tokens,
				 0);
	}
}

/* Of one place the inside is empty, and it is a place. */
static void
test_span_of_one_place_is_empty(void **state)
{
	struct token_span span;

	tokenizer_span(tok, NULL, (const uint8_t *)"word two", 8, &span);
	assert_true(span.found);
	assert_int_equal(span.head_len, 4);
	assert_int_equal(span.tail_off, 4);
	assert_int_equal(span.tokens, 0);
}

static void
test_span_joins_with_anything_around_it(void **state)
{
	uint8_t text[TEXT_BYTES];
	int round, found = 0;

	for (round = 0; round < 20000; round++) {
		size_t before = draw_text(text, (size_t)round % 5);
		size_t len = draw_text(text + before, 12);
		size_t all = before + len;
		struct token_span span;
		uint64_t sum;

		all += draw_text(text + all, (size_t)round % 4);
		tokenizer_span(tok, NULL, text + before, len, &span);
		if (!span.found)
			continue;
		found++;
		assert_true(span.head_len <= span.tail_off &&
			    span.tail_off <= len);
		sum = tokenizer_count(tok, NULL, text, before + span.head_len);
		sum += span.tokens;
		sum += tokenizer_count(tok, NULL, text + before + span.tail_off,
				       all - before - span.tail_off);
		assert_int_equal(sum, tokenizer_count(tok, NULL, text, all));
	}
	assert_true(found > 1000);
}

/* A span that does not fit the text is not believed. */
static void
test_span_that_is_not_of_the_text_is_not_used(void **state)
{
	static const struct token_span wrong[] = {
		{ 5, 4, 100, true },
		{ 4, 9, 100, true },
		{ 0, 0, 100, false },
	};
	const uint8_t *text = (const uint8_t *)"word two";
	size_t i;

	for (i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct token_stream stream;

		token_stream_init(&stream);
		token_stream_feed_span(tok, &stream, text, 8, &wrong[i]);
		assert_int_equal(token_stream_count(tok, &stream), 2);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_span_of_code_leaves_little_outside),
		cmocka_unit_test(test_span_of_what_has_no_places_is_not_found),
		cmocka_unit_test(test_span_of_one_place_is_empty),
		cmocka_unit_test(test_span_joins_with_anything_around_it),
		cmocka_unit_test(test_span_that_is_not_of_the_text_is_not_used),
	};

	return cmocka_run_group_tests_name("tokenizer/span", tests, setup,
					   NULL);
}
