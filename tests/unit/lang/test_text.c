/* SPDX-License-Identifier: MIT */
/*
 * test_text.c - lines and bytes of a text, against looking at each byte.
 */
#include "tests/support/test_shm.h"

#include "lang/text.h"

#define BYTES 700

static uint8_t text[BYTES];
static uint64_t seed = 20261126;

/* A text of few kinds of bytes; its bytes, as many as any lane may have. */
static size_t
make_text(int round)
{
	static const char bytes[] = "\n\n \t\rab\x01z.";
	size_t nr = (size_t)round % BYTES;

	for (size_t i = 0; i < nr; i++)
		text[i] = (uint8_t)bytes[random_next(&seed) % 10];
	return nr;
}

static void
test_text_newlines_are_counted_as_byte_by_byte(void **state)
{
	for (int round = 0; round < 1400; round++) {
		size_t nr = make_text(round);
		uint64_t newlines = 0;
		uint64_t visible = 0;

		for (size_t i = 0; i < nr; i++) {
			newlines += text[i] == '\n';
			visible += text[i] > 32;
			/* each line's end is where so many are counted */
			if (text[i] == '\n')
				ASSERT_EQ(lang_lines_bytes(text, nr, newlines),
					  i + 1);
		}
		ASSERT_EQ(lang_newlines(text, nr), newlines);
		ASSERT_TRUE(lang_has_visible(text, nr, visible));
		ASSERT_TRUE(!lang_has_visible(text, nr, visible + 1));
	}
}

/* Many newlines: more than a counter of a byte holds. */
static void
test_text_of_newlines_alone(void **state)
{
	static uint8_t lines[16 * 600];

	memset(lines, '\n', sizeof(lines));
	ASSERT_EQ(lang_newlines(lines, sizeof(lines)), sizeof(lines));
	ASSERT_TRUE(!lang_has_visible(lines, sizeof(lines), 1));
}

static void
test_text_with_one_byte_above_127_is_not_ascii(void **state)
{
	memset(text, 'a', sizeof(text));
	for (size_t nr = 0; nr < 70; nr++) {
		ASSERT_TRUE(lang_is_ascii(text, nr));
		for (size_t at = 0; at < nr; at++) {
			text[at] = 0x80;
			ASSERT_TRUE(!lang_is_ascii(text, nr));
			text[at] = 'a';
		}
	}
}

/* The line of blanks that ends at `end`, if one does. */
static bool
is_blank_line(size_t end)
{
	size_t at = end - 1;

	while (at > 0 && strchr(" \t\r", text[at - 1]) != NULL)
		at--;
	return text[end - 1] == '\n' && at > 0 && text[at - 1] == '\n';
}

static void
test_text_blank_lines_are_found_from_behind(void **state)
{
	for (int round = 0; round < 300; round++) {
		size_t nr = make_text(round);
		size_t newline = 0;
		size_t blank = 0;

		for (size_t i = 1; i <= nr; i++) {
			newline = text[i - 1] == '\n' ? i : newline;
			blank = is_blank_line(i) ? i : blank;
			ASSERT_EQ(lang_is_blank_before(text, i),
				  is_blank_line(i));
		}
		ASSERT_EQ(lang_behind_newline(text, 0, nr), newline);
		ASSERT_EQ(lang_behind_blank(text, 0, nr), blank);
	}
	ASSERT_EQ(lang_behind_newline((const uint8_t *)"\na", 1, 2), 0);
}

/* Forwards and backwards, whatever was asked for before. */
static void
test_text_lines_of_places_are_those_of_the_newlines_before(void **state)
{
	for (int round = 0; round < 200; round++) {
		size_t nr = make_text(round + 1);
		struct lang_place last = { .line = 7 };

		for (int i = 0; i < 20; i++) {
			size_t at = random_next(&seed) % (nr + 1);

			ASSERT_EQ(lang_line_at(&last, text, at),
				  7 + lang_newlines(text, at));
		}
	}
}

static void
test_text_numbers_are_put_and_skipped(void **state)
{
	static const uint32_t lines[] = { 1,   9,    10,         99,
					  100, 1234, 4294967295, 0 };
	char want[32];
	uint8_t got[LANG_NUMBER_BYTES + 1];

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		int nr = sprintf(want, "%u: ", lines[i]);

		ASSERT_EQ(lang_put_number(lines[i], got), nr);
		assert_memory_equal(got, want, (size_t)nr);
		ASSERT_EQ(lang_skip_number(got, 0, (size_t)nr), nr);
		ASSERT_EQ(lang_skip_number(got, 0, (size_t)nr - 1), nr - 1);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_text_newlines_are_counted_as_byte_by_byte),
		cmocka_unit_test(test_text_of_newlines_alone),
		cmocka_unit_test(
			test_text_with_one_byte_above_127_is_not_ascii),
		cmocka_unit_test(test_text_blank_lines_are_found_from_behind),
		cmocka_unit_test(
			test_text_lines_of_places_are_those_of_the_newlines_before),
		cmocka_unit_test(test_text_numbers_are_put_and_skipped),
	};

	return cmocka_run_group_tests_name("lang/text", tests, NULL, NULL);
}
