/* SPDX-License-Identifier: MIT */
/*
 * test_lang.c - rows by number and by hint, words of lists.
 */
#include "tests/support/test_shm.h"

#include "lang/lang.h"

static void
test_lang_row_of_a_wrong_number_is_that_of_none(void **state)
{
	ASSERT_TRUE(lang_row(LANG_NR) == lang_row(LANG_NONE));
	ASSERT_TRUE(lang_row(UINT32_MAX) == lang_row(LANG_NONE));
	assert_string_equal(lang_row(LANG_NONE)->hint, "");
	assert_null(lang_get(LANG_NONE));
	assert_null(lang_get(LANG_NR));
	assert_non_null(lang_get(LANG_C));
	assert_string_equal(lang_row(LANG_C)->hint, "c");
}

static void
test_lang_of_a_hint_is_one_with_structure(void **state)
{
	ASSERT_EQ(lang_find("c", 1), LANG_C);
	ASSERT_EQ(lang_find("cpp rest", 3), LANG_CPP);
	ASSERT_EQ(lang_find("", 0), LANG_NONE);
	ASSERT_EQ(lang_find("C", 1), LANG_NONE);
	ASSERT_EQ(lang_find("nothing", 7), LANG_NONE);
	for (uint32_t id = 1; id < LANG_NR; id++) {
		const struct lang *row = lang_get(id);

		/* of several with one hint the first */
		if (row != NULL)
			ASSERT_TRUE(lang_find(row->hint, strlen(row->hint)) <=
				    id);
	}
}

/* verifies: FR-016-49 */
static void
test_chunk_lang_each_hint_has_one_structure(void **state)
{
	/* the structure of a fence is that of one row */
	for (uint32_t id = 1; id < LANG_NR; id++)
		if (lang_get(id) != NULL)
			ASSERT_EQ(lang_find(lang_get(id)->hint,
					    strlen(lang_get(id)->hint)),
				  id);
	ASSERT_EQ(lang_find("cobol", 5), LANG_NONE);
	ASSERT_EQ(lang_find("cp", 2), LANG_NONE);
	assert_null(lang_get(LANG_NONE));
	assert_null(lang_get(LANG_NR));
}

static void
test_chunk_lang_word_is_found_with_its_letter(void **state)
{
	static const char list[] = "if for | else do class=c";
	static const struct {
		const char *word;
		bool want;
		char letter;
	} cases[] = {
		{ "if", true, ' ' },    { "for", true, ' ' },
		{ "else", true, '|' },  { "class", true, 'c' },
		{ "fo", false, 0 },     { "fork", false, 0 },
		{ "|", false, 0 },      { "c", false, 0 },
		{ "class=", false, 0 }, { "If", false, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const uint8_t *word = (const uint8_t *)cases[i].word;
		size_t bytes = strlen(cases[i].word);
		char letter = 0;

		ASSERT_EQ(lang_word(list, word, bytes, &letter), cases[i].want);
		ASSERT_EQ(letter, cases[i].letter);
	}
	ASSERT_TRUE(!lang_word("", (const uint8_t *)"a", 1, NULL));
	ASSERT_TRUE(lang_word_any_case("def", (const uint8_t *)"DeF", 3, NULL));
}

/* Every word of `from`, and what is left of it without its last letter. */
static void
assert_words(const struct lang_word_set *words, const char *from)
{
	while (*from != '\0') {
		size_t bytes = strcspn(from, " =");

		for (size_t nr = bytes; nr > 0 && nr + 1 >= bytes; nr--) {
			const uint8_t *word = (const uint8_t *)from;
			char want = 0;
			char got = 0;

			ASSERT_EQ(lang_words_have(words, word, nr, &got),
				  lang_word(words->list, word, nr, &want));
			ASSERT_EQ(got, want);
		}
		from += bytes + (from[bytes] == '=' ? 2 : 0);
		from += *from == ' ';
	}
}

/* Of each language each list, asked for the words of all others. */
static void
test_chunk_words_have_what_their_lists_have(void **state)
{
	for (uint32_t id = 1; id < LANG_NR; id++) {
		const struct lang_word_set *words =
			lang_words(id);

		for (uint32_t other = 1; other < LANG_NR; other++) {
			const struct lang *lang = lang_row(other);

			for (int i = 0; i < LANG_WORDS_NR; i++) {
				assert_words(&words[i], lang->definers);
				assert_words(&words[i], lang->modifiers);
				assert_words(&words[i], lang->control);
				assert_words(&words[i], "sizeof asm");
			}
		}
	}
}

static void
test_lang_of_a_kernel_is_found_by_its_name(void **state)
{
	static const struct {
		const char *name;
		uint32_t lang;
	} rows[] = {
		{ "python", LANG_PYTHON }, { "R", LANG_R },
		{ "r", LANG_R },	   { "julia", LANG_JULIA },
		{ "scala", LANG_SCALA },   { "C++17", LANG_CPP },
		{ "c++", LANG_CPP },	   { "C#", LANG_CSHARP },
		{ "bash", LANG_SHELL },	   { "Haskell", LANG_HASKELL },
		{ "nothing", LANG_NONE },  { "17", LANG_NONE },
		{ "", LANG_NONE },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		ASSERT_EQ(lang_named((const uint8_t *)rows[i].name,
				     strlen(rows[i].name)),
			  rows[i].lang);
}

static void
test_lang_line_comment_is_one(void **state)
{
	assert_string_equal(lang_line_comment(LANG_NONE), "#");
	assert_string_equal(lang_line_comment(LANG_R), "#");
	assert_string_equal(lang_line_comment(LANG_JULIA), "#");
	assert_string_equal(lang_line_comment(LANG_CPP), "//");
	assert_string_equal(lang_line_comment(LANG_SCALA), "//");
	assert_string_equal(lang_line_comment(LANG_FSHARP), "//");
	assert_string_equal(lang_line_comment(LANG_HASKELL), "--");
	assert_string_equal(lang_line_comment(LANG_ERLANG), "%");
	assert_string_equal(lang_line_comment(LANG_CLOJURE), ";");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_lang_row_of_a_wrong_number_is_that_of_none),
		cmocka_unit_test(test_lang_of_a_hint_is_one_with_structure),
		cmocka_unit_test(test_lang_of_a_kernel_is_found_by_its_name),
		cmocka_unit_test(test_lang_line_comment_is_one),
		cmocka_unit_test(test_chunk_lang_each_hint_has_one_structure),
		cmocka_unit_test(test_chunk_lang_word_is_found_with_its_letter),
		cmocka_unit_test(test_chunk_words_have_what_their_lists_have),
	};

	return cmocka_run_group_tests_name("lang/lang", tests, NULL, NULL);
}
