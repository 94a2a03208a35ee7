/* SPDX-License-Identifier: MIT */
/*
 * test_shm_utf8.c - what is a character, what is the beginning of one, and what
 * is none.
 */
#include "tests/support/test_shm.h"

#include "base/utf8.h"

/* Each character that there is, whole and cut off; those that are none. */
static void
test_utf8_of_every_number_is_one_character_or_none(void **state)
{
	for (uint32_t c = 0; c < 0x140000; c++) {
		bool exists = c < 0x110000 && (c < 0xd800 || c > 0xdfff);
		char text[4];
		const uint8_t *bytes = (const uint8_t *)text;
		size_t nr = utf8_put(text, c);
		uint32_t got = 0;

		ASSERT_EQ(utf8_decode(bytes, nr, &got), exists ? nr : 0);
		ASSERT_TRUE(!utf8_is_cut(bytes, bytes + nr));
		if (!exists)
			continue;
		ASSERT_EQ(got, c);
		for (size_t some = 1; some < nr; some++) {
			ASSERT_EQ(utf8_decode(bytes, some, &got), 0);
			ASSERT_TRUE(utf8_is_cut(bytes, bytes + some));
		}
	}
}

static void
test_utf8_overlong_and_interrupted_is_none(void **state)
{
	static const char *const bad[] = {
		"\x80",
		"\xbf",
		"\xc0\x80",
		"\xc1\xbf",
		"\xe0\x80\x80",
		"\xe0\x9f\xbf",
		"\xf0\x8f\xbf\xbf",
		"\xf5\x80\x80\x80",
		"\xff",
		"\xc3(",
		"\xe2\x82(",
		"\xe2(\x82",
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		const uint8_t *at = (const uint8_t *)bad[i];
		uint32_t c;

		ASSERT_EQ(utf8_decode(at, strlen(bad[i]), &c), 0);
		ASSERT_TRUE(!utf8_is_cut(at, at + strlen(bad[i])));
	}
}

static void
test_utf8_is_what_the_standard_says(void **state)
{
	static const struct {
		const char *text;
		size_t bad; /* its place; SIZE_MAX: none */
		size_t chars;
	} cases[] = {
		{ "", SIZE_MAX, 0 },
		{ "a", SIZE_MAX, 1 },
		{ "\x7f\xc2\x80", SIZE_MAX, 2 },
		{ "\xdf\xbf\xe0\xa0\x80", SIZE_MAX, 2 },
		{ "\xed\x9f\xbf\xee\x80\x80", SIZE_MAX, 2 },
		{ "\xef\xbf\xbf\xf0\x90\x80\x80", SIZE_MAX, 2 },
		{ "\xf4\x8f\xbf\xbfz", SIZE_MAX, 2 },
		{ "a\x80", 1, 1 },
		{ "ab\xc1\xbf", 2, 3 },               /* overlong */
		{ "\xe0\x9f\xbf", 0, 1 },             /* likewise */
		{ "\xf0\x8f\xbf\xbf", 0, 1 },         /* likewise */
		{ "\xed\xa0\x80", 0, 1 },             /* a surrogate */
		{ "\xf4\x90\x80\x80", 0, 1 },         /* beyond all */
		{ "\xf5\x80\x80\x80", 0, 1 },         /* likewise */
		{ "\xc3", 0, 1 },                     /* cut off */
		{ "x\xe2\x82", 1, 2 },                /* likewise */
		{ "\xe2\x82\xac\xe2\x28\xa1", 3, 3 }, /* interrupted */
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		size_t nr = strlen(cases[i].text);
		size_t bad = SIZE_MAX;

		assert_int_equal(utf8_is_valid(cases[i].text, nr, &bad),
				 cases[i].bad == SIZE_MAX);
		assert_int_equal(bad, cases[i].bad);
		assert_int_equal(utf8_is_valid(cases[i].text, nr, NULL),
				 cases[i].bad == SIZE_MAX);
		assert_int_equal(utf8_chars(cases[i].text, nr), cases[i].chars);
	}
}

static void
test_utf8_places_are_those_of_characters(void **state)
{
	static const char text[] = "a\xc3\x9f\xe2\x82\xac"
				   "b";
	static const size_t want[] = { 0, 1, 3, 6, 7, 7 };

	for (size_t i = 0; i < ARRAY_LEN(want); i++)
		assert_int_equal(utf8_offset(text, sizeof(text) - 1, i),
				 want[i]);
}

static void
test_utf8_ascii_is_skipped_up_to_what_is_none(void **state)
{
	uint8_t text[100];

	for (size_t nr = 0; nr < sizeof(text); nr++) {
		memset(text, 'a', sizeof(text));
		text[nr] = 0xc3;
		ASSERT_TRUE(utf8_skip_ascii(text, text + sizeof(text)) ==
			    text + nr);
		ASSERT_TRUE(utf8_skip_ascii(text, text + nr) == text + nr);
	}
}

static void
test_utf8_mark_is_whole_or_none(void **state)
{
	static const char mark[] = "\xef\xbb\xbf";

	ASSERT_EQ(utf8_mark_bytes(mark, 3), 3);
	ASSERT_EQ(utf8_mark_bytes(mark, 2), 0);
	ASSERT_EQ(utf8_mark_bytes("abc", 3), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_utf8_of_every_number_is_one_character_or_none),
		cmocka_unit_test(test_utf8_overlong_and_interrupted_is_none),
		cmocka_unit_test(test_utf8_is_what_the_standard_says),
		cmocka_unit_test(test_utf8_places_are_those_of_characters),
		cmocka_unit_test(test_utf8_ascii_is_skipped_up_to_what_is_none),
		cmocka_unit_test(test_utf8_mark_is_whole_or_none),
	};

	return cmocka_run_group_tests_name("shm/utf8", tests, NULL, NULL);
}
