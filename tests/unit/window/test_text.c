/* SPDX-License-Identifier: MIT */
/*
 * Whether texts are blank, and how much they have to do with a question.
 */
#include "tests/support/test_window.h"

#include "window/relevance.h"
#include "window/window_impl.h"

static void
test_text_of_blanks_is_blank(void **state)
{
	assert_true(text_is_blank("", 0));
	assert_true(text_is_blank(" \t\r\n\v\f", 6));
	assert_false(text_is_blank(" \0", 2));
	assert_false(text_is_blank("  x", 3));
	assert_true(text_is_blank("  x", 2));
}

/* What says it in fewer words, or more often, or is the only one to. */
static void
test_relevance_is_that_of_rare_words_in_short_texts(void **state)
{
	static const char *const words[] = { "ring of slabs",
					     "ring of slabs and much more",
					     "ring ring of slabs and more",
					     "of slabs and much more text",
					     "of of of of of of" };
	struct relevance_text texts[ARRAY_LEN(words)];
	double scores[ARRAY_LEN(words)];

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		texts[i] =
			(struct relevance_text){ words[i], strlen(words[i]) };
	assert_int_equal(
		relevance_score("ring", texts, ARRAY_LEN(words), scores), 0);
	assert_true(scores[0] > scores[1]);
	assert_true(scores[2] > scores[1]);
	assert_true(scores[1] > 0);
	assert_true(scores[3] == 0 && scores[4] == 0);
	assert_int_equal(
		relevance_score("slab text", texts, ARRAY_LEN(words), scores),
		0);
	assert_true(scores[3] > scores[0]); /* text is rare, slabs are not */
	assert_true(scores[0] > scores[4]);
	/* what says nothing is not looked for */
	assert_int_equal(
		relevance_score("of the", texts, ARRAY_LEN(words), scores), 0);
	assert_true(scores[4] == 0);
	/* a word is asked for once */
	assert_int_equal(
		relevance_score("ring Ring", texts, ARRAY_LEN(words), scores),
		0);
	assert_int_equal(relevance_score("ring", texts, 1, scores + 1), 0);
	assert_true(scores[1] > 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text_of_blanks_is_blank),
		cmocka_unit_test(
			test_relevance_is_that_of_rare_words_in_short_texts),
	};

	return cmocka_run_group_tests_name("window/text", tests, NULL, NULL);
}
