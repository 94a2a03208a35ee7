/* SPDX-License-Identifier: MIT */
/*
 * test_collect_elide.c - base64 and data, cut short, however they come.
 */
#include "tests/support/test_convert.h"

#include <stdio.h>

#define TEXT_BYTES (128u << 10)

static uint8_t text[TEXT_BYTES];
static char got[TEXT_BYTES + COLLECT_CONVERT_ROOM(0)];
static char want[TEXT_BYTES];

static void
expect(uint8_t set, size_t bytes, size_t want_bytes)
{
	static const size_t pieces[] = { 1, 7, 511, 4096, 5000, TEXT_BYTES };

	for (size_t i = 0; i < ARRAY_LEN(pieces); i++) {
		struct collect_convert convert;
		size_t nr = convert_in_pieces(&convert, set, text, bytes,
					      pieces[i], got);

		if (nr != want_bytes || memcmp(got, want, nr) != 0)
			fail_msg("in pieces of %zu: got %.200s", pieces[i],
				 got);
	}
}

/* `nr` bytes of what base64 looks like. */
static size_t
put_base64(size_t at, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		text[at + i] = (uint8_t)"iVBORw0KGgo+/A9"[i % 15];
	return at + nr;
}

static size_t
put(size_t at, const char *words)
{
	memcpy(text + at, words, strlen(words));
	return at + strlen(words);
}

static void
test_elide_base64_leaves_its_length(void **state)
{
	size_t at = put(0, "a = \"data:image/png;base64,");
	int nr;

	at = put_base64(at, 5120);
	at = put(at, "\";\nb = \"");
	at = put_base64(at, ELIDE_BASE64_MIN - 1);
	at = put(at, "\"\n\xc3\xa4\xff ");
	at = put_base64(at, ELIDE_BASE64_MIN);
	nr = snprintf(want, sizeof(want),
		      "a = \"data:image/png;base64,[base64, 5,120 bytes]\";\n"
		      "b = \"%.*s\"\n\xc3\xa4\xef\xbf\xbd [base64, 512 bytes]",
		      (int)ELIDE_BASE64_MIN - 1,
		      text + strlen("a = \"data:image/png;base64,"));
	ASSERT_TRUE(collect_has_base64(text, at));
	expect(CHARSET_WITH_BASE64, at, (size_t)nr);
}

/* Long runs of other letters are text: lines of 'x', hexadecimal, bases. */
static void
test_elide_leaves_other_runs(void **state)
{
	static const char *const kinds[] = { "x", "0123456789abcdef", "GATC",
					     "aB", "A1" };

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		for (size_t j = 0; j < 3000; j++)
			text[j] = (uint8_t)kinds[i][j % strlen(kinds[i])];
		ASSERT_TRUE(!collect_has_base64(text, 3000));
		memcpy(want, text, 3000);
		expect(CHARSET_WITH_BASE64, 3000, 3000);
	}
}

/* Wherever it lies, a run of the least length is found, and none shorter. */
static void
test_elide_finds_a_run_anywhere(void **state)
{
	for (size_t at = 0; at < 3 * ELIDE_BASE64_MIN; at += 3) {
		memset(text, ' ', 6 * ELIDE_BASE64_MIN);
		put_base64(at, ELIDE_BASE64_MIN);
		ASSERT_TRUE(collect_has_base64(text, 6 * ELIDE_BASE64_MIN));
		text[at + ELIDE_BASE64_MIN - 1] = '\n';
		ASSERT_TRUE(!collect_has_base64(text, 6 * ELIDE_BASE64_MIN));
	}
	put_base64(0, ELIDE_BASE64_MIN);
	ASSERT_TRUE(collect_has_base64(text, ELIDE_BASE64_MIN));
	ASSERT_TRUE(!collect_has_base64(text, ELIDE_BASE64_MIN - 1));
	ASSERT_TRUE(!collect_has_base64(text, 0));
}

static void
test_elide_data_keeps_whole_lines_of_its_head(void **state)
{
	size_t at = 0;
	size_t head = 0;
	int nr;

	for (int i = 0; at < 100000; i++) {
		at += (size_t)sprintf((char *)text + at, "%d,%d,\xc3\xa4\n", i,
				      i * 7);
		if (at <= ELIDE_HELD_BYTES)
			head = at;
	}
	nr = snprintf(want, sizeof(want), "%.*s[data, %zu,%03zu more bytes]\n",
		      (int)head, text, (at - head) / 1000, (at - head) % 1000);
	expect(CHARSET_LARGE_DATA, at, (size_t)nr);
}

/* A line that is longer than the head is cut between characters. */
static void
test_elide_data_of_one_line_keeps_whole_characters(void **state)
{
	for (size_t first = 0; first < 4; first++) {
		size_t head = first;
		int nr;

		memset(text, '1', first);
		for (size_t at = first; at < 80000; at += 3)
			memcpy(text + at, "\xe2\x82\xac", 3);
		while (head + 3 <= ELIDE_HELD_BYTES)
			head += 3;
		head -= head == ELIDE_HELD_BYTES ? 3 : 0;
		nr = snprintf(want, sizeof(want),
			      "%.*s\n[data, %zu,%03zu more bytes]\n", (int)head,
			      text, (79998 + first - head) / 1000,
			      (79998 + first - head) % 1000);
		expect(CHARSET_LARGE_DATA, 79998 + first, (size_t)nr);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_elide_base64_leaves_its_length),
		cmocka_unit_test(test_elide_leaves_other_runs),
		cmocka_unit_test(test_elide_finds_a_run_anywhere),
		cmocka_unit_test(test_elide_data_keeps_whole_lines_of_its_head),
		cmocka_unit_test(
			test_elide_data_of_one_line_keeps_whole_characters),
	};

	return cmocka_run_group_tests_name("collect/elide", tests, NULL, NULL);
}
