/* SPDX-License-Identifier: MIT */
/*
 * test_nearest.c - slips of the finger, counted and put right.
 */
#include "tests/support/test_shm.h"

#include "base/nearest.h"

/* The first four are the examples of every paper on the distance. */
static void
test_nearest_distance_of_known_words_is_known(void **state)
{
	static const struct {
		const char *a;
		const char *b;
		unsigned want;
	} cases[] = {
		{ "kitten", "sitting", 3 }, { "saturday", "sunday", 3 },
		{ "ca", "abc", 3 }, /* what was swapped is not edited again */
		{ "teh", "the", 1 },        { "", "", 0 },
		{ "", "abc", 3 },           { "abcd", "abdc", 1 },
		{ "abcd", "badc", 2 },      { "format", "fromat", 1 },
		{ "format", "forma", 1 },   { "format", "formats", 1 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		ASSERT_EQ(edit_distance(cases[i].a, cases[i].b), cases[i].want);
		ASSERT_EQ(edit_distance(cases[i].b, cases[i].a), cases[i].want);
	}
}

static void
test_nearest_distance_of_long_words_is_as_far_as_can_be(void **state)
{
	char word[WORD_BYTES + 1] = "";

	memset(word, 'a', WORD_BYTES - 1);
	ASSERT_EQ(edit_distance(word, word), 0);
	ASSERT_EQ(edit_distance(word, ""), WORD_BYTES - 1);
	word[WORD_BYTES - 1] = 'a';
	ASSERT_EQ(edit_distance(word, word), WORD_BYTES);
	ASSERT_EQ(edit_distance("a", word), WORD_BYTES);
}

/* What is found among these for a word, as a hint. */
static const char *
hint(const char *word, const char *const *known, size_t nr)
{
	static char out[HINT_BYTES];
	struct nearest nearest = { .word = word };

	for (size_t i = 0; i < nr; i++)
		nearest_try(&nearest, known[i], 0);
	return nearest_hint(&nearest, "--", out);
}

static void
test_nearest_word_is_found_if_any_is_near(void **state)
{
	static const char *const known[] = { "format", "budget", "form",
					     "output-map" };

	assert_string_equal(hint("fromat", known, 4),
			    "; did you mean --format?");
	assert_string_equal(hint("bugdet", known, 4),
			    "; did you mean --budget?");
	/* the start of a word is as near as one slip */
	assert_string_equal(hint("output", known, 4),
			    "; did you mean --output-map?");
	/* of equals the first; what is right needs no hint */
	assert_string_equal(hint("forma", known, 4),
			    "; did you mean --format?");
	assert_string_equal(hint("form", known + 2, 1), "");
	assert_string_equal(hint("zzz", known, 4), "");
	assert_string_equal(hint("fromat", known, 0), "");
	/* so many slips as every third letter, and no more */
	assert_string_equal(hint("ab", (const char *[]){ "ac" }, 1),
			    "; did you mean --ac?");
	assert_string_equal(hint("a", (const char *[]){ "b" }, 1), "");
	assert_string_equal(hint("ab", (const char *[]){ "cd" }, 1), "");
	assert_string_equal(hint("abcd", (const char *[]){ "abxy" }, 1),
			    "; did you mean --abxy?");
	assert_string_equal(hint("abc", (const char *[]){ "axy" }, 1), "");
}

static void
test_nearest_words_may_be_parts_of_texts(void **state)
{
	struct nearest nearest = { .word = "fromat=xml", .bytes = 6 };
	char long_word[WORD_BYTES + 1] = "";

	memset(long_word, 'f', WORD_BYTES);
	nearest_try(&nearest, long_word, 0);
	assert_null(nearest.found);
	nearest_try(&nearest, "format|json", 6);
	assert_string_equal(HINT(&nearest, ""), "; did you mean format?");
}

static void
test_edit_distance_counts_slips_of_the_finger(void **state)
{
	static const struct {
		const char *a;
		const char *b;
		unsigned want;
	} rows[] = {
		{ "", "", 0 },
		{ "abc", "abc", 0 },
		{ "abc", "", 3 },
		{ "budget", "bugdet", 1 },
		{ "pack", "pakc", 1 },
		{ "kitten", "sitting", 3 },
		{ "workers", "worker", 1 },
		{ "a", "b", 1 },
	};
	char longer[100];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(edit_distance(rows[i].a, rows[i].b),
				 rows[i].want);
		assert_int_equal(edit_distance(rows[i].b, rows[i].a),
				 rows[i].want);
	}
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_int_equal(edit_distance(longer, "x"), 64);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nearest_distance_of_known_words_is_known),
		cmocka_unit_test(
			test_nearest_distance_of_long_words_is_as_far_as_can_be),
		cmocka_unit_test(test_nearest_word_is_found_if_any_is_near),
		cmocka_unit_test(test_nearest_words_may_be_parts_of_texts),
		cmocka_unit_test(test_edit_distance_counts_slips_of_the_finger),
	};

	return cmocka_run_group_tests_name("base/nearest", tests, NULL, NULL);
}
