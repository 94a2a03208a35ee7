/* SPDX-License-Identifier: MIT */
/*
 * test_collect_text.c - text or binary, and in which character set.
 */
#include "tests/support/test_collect_scratch.h"

#include "stages/collect/collect.h"

struct text_case {
	const char *bytes;
	size_t nr;
	enum collect_text want;
};

#define TEXT(s, want)                                 \
	{                                             \
		s, sizeof(s) - 1, COLLECT_TEXT_##want \
	}

/* verifies: NFR-016-44 */
static void
test_text_probe_tells_text_from_binary(void **state)
{
	static const struct text_case cases[] = {
		TEXT("", UTF8),
		TEXT("int main(void);\n", UTF8),
		TEXT("\xef\xbb\xbfhello\n", UTF8),
		TEXT("gr\xc3\xbc\xc3\x9f\x65 \xe2\x82\xac \xf0\x9f\x98\x80\n",
		     UTF8),
		TEXT("a\0b", BINARY),
		TEXT("\x7f"
		     "ELF\x02\x01\x01",
		     BINARY),
		TEXT("%PDF-1.4\n", BINARY),
		TEXT("\x89PNG\r\n\x1a\n", BINARY),
		TEXT("PK\x03\x04....", BINARY),
		TEXT("\x01\x02\x03\x04\x05\x06\x07", BINARY),
		TEXT("\xff\xfeh\0i\0\n\0", UTF16_LE),
		TEXT("\xfe\xff\0h\0i\0\n", UTF16_BE),
		TEXT("\xff\xfeh\0i\0!\0\n", UTF16_LE), /* cut short */
		TEXT("\xff\xfe bad\n", BINARY),
		TEXT("h\0e\0l\0l\0o\0\n\0", UTF16_LE),
		TEXT("\0h\0e\0l\0l\0o\0\n", UTF16_BE),
		TEXT("\xff\xfe\0\0h\0\0\0", BINARY), /* UTF-32 */
		TEXT("Stra\xdf"
		     "e, Gr\xfc\xdf"
		     "e aus M\xfcnchen, 5 \xa7 2\n",
		     WESTERN),
		TEXT("It\x92s \x93quoted\x94 \x96 na\xefve caf\xe9s\n",
		     WESTERN),
		/* Russian in KOI8-R and Polish in ISO 8859-2 */
		TEXT("\xf0\xd2\xc9\xd7\xc5\xd4 \xcd\xc9\xd2\n", UNKNOWN),
		TEXT("Za\xbf\xf3\xb3\xe6 g\xea\xb6l\xb1 ja\xbc\xf1\n", UNKNOWN),
		TEXT("caf\xc3\xa9 \xc3\xa0 la \xc3\xa8\xc3\xa9 br\xff\xc3\xb6\n"
		     "\xe2\x82\xac",
		     UTF8_BAD),
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		enum collect_text got =
			collect_text_probe(cases[i].bytes, cases[i].nr, true);

		if (got != cases[i].want)
			fail_msg("case %zu: got %d, want %d", i, (int)got,
				 (int)cases[i].want);
	}
}

/* A character that the end of a beginning cuts is no mistake. */
static void
test_text_probe_of_a_beginning_may_cut_a_character(void **state)
{
	static const char text[] = "x \xf0\x9f\x98\x80 y";

	for (size_t i = 0; i < sizeof(text); i++) {
		assert_int_equal(collect_text_probe(text, i, false),
				 COLLECT_TEXT_UTF8);
	}
	assert_int_not_equal(collect_text_probe(text, 4, true),
			     COLLECT_TEXT_UTF8);
}

/* Whether all parts of a text that is cut at `cut` are taken for UTF-8. */
static bool
goes_on(const char *text, size_t nr, size_t cut)
{
	const uint8_t *at = (const uint8_t *)text;
	uint32_t carried = 0;

	return collect_text_goes_on(at, cut, at + cut, min_size(nr - cut, 3),
				    &carried) &&
	       collect_text_goes_on(at + cut, nr - cut, NULL, 0, &carried) &&
	       carried == 0;
}

/* A text is UTF-8 or not, wherever its parts are cut. */
static void
test_text_goes_on_sees_mistakes_at_every_cut(void **state)
{
	static const struct {
		const char *text;
		bool want;
	} cases[] = {
		{ "plain", true },
		{ "x \xf0\x9f\x98\x80 y", true },
		{ "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", true },
		{ "ab\xff"
		  "cd",
		  false },
		{ "ab\xf0\x9f\x98"
		  "cd",
		  false },
		{ "ab\xe2\x82", false },
		{ "abcd\xc3", false },
		{ "\xc3\xa9\xa9x", false },
		{ "\x80xyz", false },
		{ "ab\xed\xa0\x80"
		  "cd",
		  false },
		{ "ab\xf0\x9f\x98\xf0\x9f\x98\x80", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		size_t nr = strlen(cases[i].text);

		for (size_t cut = 0; cut < nr; cut++)
			if (goes_on(cases[i].text, nr, cut) != cases[i].want)
				fail_msg("case %zu, cut at %zu: want %d", i,
					 cut, cases[i].want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_probe_tells_text_from_binary),
		cmocka_unit_test(
			test_text_probe_of_a_beginning_may_cut_a_character),
		cmocka_unit_test(test_text_goes_on_sees_mistakes_at_every_cut),
	};

	return cmocka_run_group_tests_name("collect/collect_text", tests, NULL,
					   NULL);
}
