/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_traits.c - characters that are not seen, wherever they stand: at
 * each place of a lane, and at the end of a text.
 */
#include "tests/support/test_shm.h"

#include "markup/markup.h"
#include "stages/chunk/chunk.h"

static const struct {
	const char *bytes;
	uint8_t want;
} cases[] = {
	{ "a", 0 },
	{ "\t", 0 },
	{ "\n", 0 },
	{ "\r", 0 },
	{ "\f", 0 },
	{ "<", 0 },
	{ "<|", 0 },
	{ "\xc3\xa9", 0 },                            /* e acute */
	{ "\xe6\xbc\xa2", 0 },                        /* Han */
	{ "\x01", MARKUP_HAS_CONTROL },               /* U+0001 */
	{ "\x1b", MARKUP_HAS_CONTROL },               /* escape */
	{ "\x7f", MARKUP_HAS_CONTROL },               /* delete */
	{ "\xc2\x85", MARKUP_HAS_CONTROL },           /* U+0085 */
	{ "\xe2\x80\x8b", MARKUP_HAS_INVISIBLE },     /* U+200B */
	{ "\xef\xbb\xbf", MARKUP_HAS_INVISIBLE },     /* U+FEFF */
	{ "\xf3\xa0\x81\x81", MARKUP_HAS_INVISIBLE }, /* U+E0041, a tag */
	{ "\xe2\x80\xae", MARKUP_HAS_BIDI },          /* U+202E */
	{ "\xe2\x81\xa6", MARKUP_HAS_BIDI },          /* U+2066 */
	{ "\xd8\x9c", MARKUP_HAS_BIDI },              /* U+061C */
	{ "<|endoftext|>", MARKUP_HAS_SPECIAL },
};

static void
test_traits_are_found_at_each_place(void **state)
{
	uint8_t text[200];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		size_t nr = strlen(cases[i].bytes);

		for (size_t at = 0; at + nr <= 150; at++) {
			memset(text, 'x', sizeof(text));
			memcpy(text + at, cases[i].bytes, nr);
			if (chunk_traits(text, 150) != cases[i].want ||
			    chunk_traits(text, at + nr) != cases[i].want)
				fail_msg("case %zu at %zu: got %u", i, at,
					 chunk_traits(text, 150));
		}
	}
}

static void
test_traits_of_a_text_are_those_of_its_parts(void **state)
{
	char text[1024] = "";
	uint8_t want = 0;

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		strcat(strcat(text, cases[i].bytes), " ");
		want |= cases[i].want;
	}
	ASSERT_EQ(chunk_traits((const uint8_t *)text, strlen(text)), want);
	ASSERT_EQ(chunk_traits((const uint8_t *)text, 0), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_traits_are_found_at_each_place),
		cmocka_unit_test(test_traits_of_a_text_are_those_of_its_parts),
	};

	return cmocka_run_group_tests_name("chunk/chunk_traits", tests, NULL,
					   NULL);
}
