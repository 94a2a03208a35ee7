/* SPDX-License-Identifier: MIT */
/*
 * test_sentence.c - the first sentence of a comment.
 */
#include "tests/support/test_shm.h"

#include "lang/sentence.h"

static void
test_sentence_ends_with_a_stop_the_comment_or_three_lines(void **state)
{
	static const struct {
		const char *text;
		size_t end;
	} cases[] = {
		{ "/* One. Two. */", 7 },
		{ "/* e.g. one! */\n", 15 },
		{ "/* one (cf. Two), vs. three. four */\n", 28 },
		{ "/** \xe4\xb8\x80\xe3\x80\x82\xe4\xba\x8c */\n", 10 },
		{ "# One\n# two. Three\n", 12 },
		{ "# One\n// two.\n", 5 },
		{ "/**\n * One\n * @param two\n */", 10 },
		{ " // a\n // b\n // c\n // d\n", 18 },
		{ "One? Two.", 4 },
		{ "1.5 is one.", 11 },
		{ "//! One. Two", 8 },
		{ "1. One. Two", 7 },
		{ "(* One\n   two *)\n", 16 },
		{ "One", 3 },
		{ "", 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		ASSERT_EQ(lang_sentence_end((const uint8_t *)cases[i].text, 0,
					    strlen(cases[i].text)),
			  cases[i].end);
}

static void
test_sentence_comments_end_with_their_mark(void **state)
{
	static const struct {
		const char *text;
		size_t end;
	} cases[] = {
		{ "/* a\n * b */\n// c\n", 13 },
		{ "{- a -}\n-- b\n", 8 },
		{ "// a\n//\n  //b\n/// c\n", 14 },
		{ "// a\n//(b)\n//\"c\"\n//! d\n", 17 },
		{ "# a\nb\n", 4 },
		{ "\"\"\"\na\n\"\"\"\n", 10 },
		{ "-- a", 4 },
		{ " \n# a\n", 2 },
		{ "/* a\n", 5 },
		{ "", 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		ASSERT_EQ(lang_comment_end((const uint8_t *)cases[i].text, 0,
					   strlen(cases[i].text)),
			  cases[i].end);
}

static void
test_sentence_words_are_behind_marks_and_tags(void **state)
{
	static const char text[] = "/**\n * a\n */";
	static const char tag[] = "@doc \"\"\"\nA thing.\n";

	assert_int_equal(lang_comment_words((const uint8_t *)text, 0, 13), 4);
	assert_int_equal(lang_comment_words((const uint8_t *)text, 9, 12), 12);
	assert_int_equal(lang_comment_words((const uint8_t *)tag, 0, 18), 9);
}

static void
test_sentence_letters_are_those_of_any_alphabet(void **state)
{
	static const char text[] = " /* 12 */ a ";
	static const char other[] = "-- \xc3\xa9";

	assert_false(lang_has_letters((const uint8_t *)text, 0, 10));
	assert_true(lang_has_letters((const uint8_t *)text, 0, 11));
	assert_false(lang_has_letters((const uint8_t *)text, 11, 12));
	assert_true(lang_has_letters((const uint8_t *)other, 0, 5));
	assert_false(lang_has_letters((const uint8_t *)other, 0, 0));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_sentence_ends_with_a_stop_the_comment_or_three_lines),
		cmocka_unit_test(test_sentence_comments_end_with_their_mark),
		cmocka_unit_test(test_sentence_words_are_behind_marks_and_tags),
		cmocka_unit_test(
			test_sentence_letters_are_those_of_any_alphabet),
	};

	return cmocka_run_group_tests_name("lang/sentence", tests, NULL, NULL);
}
