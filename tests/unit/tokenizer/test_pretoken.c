/* SPDX-License-Identifier: MIT */
/*
 * test_pretoken.c - pieces by hand, as the regular expression of each pattern
 * cuts them; what is said to be closed or a boundary is so whatever follows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "tokenizer/pretoken.h"

#define TEXT_BYTES 64

/* A bar stands where a piece ends. */
static const struct {
	uint32_t pattern;
	const char *pieces;
} cases[] = {
	{ PRETOKEN_GPT2, "Hello| world|!|  | don|'t| 12345|foo" },
	{ PRETOKEN_GPT2, "a|\n\n| b" },
	{ PRETOKEN_GPT2, "DON|'|T" },
	{ PRETOKEN_GPT2, "x|__|y|  " },
	{ PRETOKEN_GPT2, "we|'re| he|'ll| I|'ve| I|'m| I|'d" },
	{ PRETOKEN_CL100K, "DON|'T|s| '|t" },
	{ PRETOKEN_CL100K, "123|45| |678" },
	{ PRETOKEN_CL100K, "_foo|(bar|);\n\n|x" },
	{ PRETOKEN_CL100K, "a| \n\n| | y| " },
	{ PRETOKEN_CL100K, "it|'ll|l| ->\r\n" },
	{ PRETOKEN_O200K, "Hello|World|HTTPServer" },
	{ PRETOKEN_O200K, "don't| DON'T| '|x" },
	{ PRETOKEN_O200K, "a|//\n/|b|/c" },
	{ PRETOKEN_O200K, "123|456|7" },
	{ PRETOKEN_O200K, "e\xcc\x81t\xc3\xa9| \xc3\x89t" },
	{ PRETOKEN_QWEN, "1|2|3|it|'S| |4" },
	{ PRETOKEN_TEKKEN, "don|'t|1|2|Foo|Bar" },
	{ PRETOKEN_DEEPSEEK, "abc|123|4|.foo| .(" },
	{ PRETOKEN_DEEPSEEK, "\xe4\xb8\xad\xe6\x96\x87| a|\xe3\x81\x82| |"
			     "\xe4\xb8\xad" },
	{ PRETOKEN_DEEPSEEK, "1| |2|\n\n| x" },
};

static void
cut(uint32_t pattern, const uint8_t *text, size_t len, char *out)
{
	const struct pretoken_rules *rules = pretoken_rules(pattern);
	size_t at = 0;

	while (at < len) {
		bool is_open = false;
		size_t end = pretoken_end(rules, text + at, len - at, &is_open);

		assert_true(end > 0 && end <= len - at);
		memcpy(out, text + at, end);
		out += end;
		at += end;
		if (at < len)
			*out++ = '|';
	}
	*out = '\0';
}

static void
test_pretoken_pieces_are_those_of_the_expression(void **state)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char want[TEXT_BYTES], got[2 * TEXT_BYTES], text[TEXT_BYTES];
		size_t len = 0, nr = strlen(cases[i].pieces);
		const char *at;

		memcpy(want, cases[i].pieces, nr + 1);
		if (want[nr - 1] == '|')
			want[nr - 1] = '\0';
		for (at = want; *at != '\0'; at++)
			if (*at != '|')
				text[len++] = *at;
		cut(cases[i].pattern, (const uint8_t *)text, len, got);
		if (strcmp(got, want) != 0)
			fail_msg("pattern %u: got %s, want %s",
				 cases[i].pattern, got, want);
	}
}

static void
test_pretoken_patterns_there_are(void **state)
{
	uint32_t pattern;

	assert_null(pretoken_rules(PRETOKEN_NONE));
	assert_null(pretoken_rules(PRETOKEN_PATTERNS));
	assert_null(pretoken_rules(UINT32_MAX));
	for (pattern = 1; pattern < PRETOKEN_PATTERNS; pattern++)
		assert_non_null(pretoken_rules(pattern));
}

static const char *const pool[] = {
	"'",         "s",        "S",    "'re",      "\r",
	"\n",        " ",        "\t",   "a",        "B",
	"/",         "\xc3\xa9", "1",    "12",       ".",
	"->",        "\xc2\xa0", "\x01", "\xcc\x81", "\xe4\xb8\xad",
	"'\xc5\xbf",
};

static uint64_t seed = 20261125;

static size_t
draw_text(uint8_t *text, size_t words)
{
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

/* A piece that is not open ends there with anything behind it. */
static void
test_pretoken_closed_pieces_do_not_change(void **state)
{
	int round;

	for (round = 0; round < 200000; round++) {
		const struct pretoken_rules *rules = pretoken_rules(
			1 + (uint32_t)round % (PRETOKEN_PATTERNS - 1));
		uint8_t text[TEXT_BYTES];
		size_t len = draw_text(text, 1 + (size_t)round % 7);
		size_t more = draw_text(text + len, 3);
		bool is_open = false, is_longer_open = false;
		size_t end = pretoken_end(rules, text, len, &is_open);

		if (is_open)
			continue;
		assert_int_equal(
			pretoken_end(rules, text, len + more, &is_longer_open),
			end);
		assert_false(is_longer_open);
	}
}

/* A boundary is the end of a piece with anything on both sides. */
static void
test_pretoken_boundaries_are_ends_of_pieces(void **state)
{
	int round, found = 0;

	for (round = 0; round < 200000; round++) {
		const struct pretoken_rules *rules = pretoken_rules(
			1 + (uint32_t)round % (PRETOKEN_PATTERNS - 1));
		uint8_t text[TEXT_BYTES];
		size_t len = draw_text(text, 8);
		size_t place, at;
		bool is_open;

		for (place = 1; place < len; place++) {
			if (!pretoken_is_boundary(rules, text[place - 1],
						  text[place]))
				continue;
			for (at = 0; at < place;)
				at += pretoken_end(rules, text + at, len - at,
						   &is_open);
			assert_int_equal(at, place);
			found++;
		}
	}
	assert_true(found > 10000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_pretoken_pieces_are_those_of_the_expression),
		cmocka_unit_test(test_pretoken_patterns_there_are),
		cmocka_unit_test(test_pretoken_closed_pieces_do_not_change),
		cmocka_unit_test(test_pretoken_boundaries_are_ends_of_pieces),
	};

	return cmocka_run_group_tests_name("tokenizer/pretoken", tests, NULL,
					   NULL);
}
