/* SPDX-License-Identifier: MIT */
/*
 * test_token_word.c - words of a statement: of which list, and which are macros.
 */
#include "tests/support/test_shm.h"

#include "lang/declaration.h"

static struct lang_scan scan;
static struct walk_events events;

static void
read_statement(struct walk *walk, uint32_t lang, const char *text,
	       struct declaration *decl)
{
	lang_scan_init(&scan, lang, 1000);
	*walk = (struct walk){
		.scan = &scan,
		.lang = lang_get(lang),
		.text = (const uint8_t *)text,
		.bytes = strlen(text),
		.end = strlen(text),
		.at_end = true,
		.words = lang_words(lang),
		.events = &events,
	};
	declaration_read(walk, 0, strlen(text), decl);
}

static void
test_token_word_has_the_letter_of_its_list(void **state)
{
	struct declaration decl;
	struct walk walk;

	read_statement(&walk, LANG_CPP, "static class a (", &decl);
	assert_int_equal(word_letter(&decl, 0, walk.lang->modifiers), ' ');
	assert_int_equal(word_letter(&decl, 0, walk.lang->definers), 0);
	assert_int_equal(word_letter(&decl, 1, walk.lang->definers), 'c');
	/* a list that is none of the language's, a sign, the end */
	assert_int_equal(word_letter(&decl, 2, "b=x a=y"), 'y');
	assert_int_equal(word_letter(&decl, 3, "b=x a=y"), 0);
	assert_int_equal(word_letter(&decl, 4, "b=x a=y"), 0);
	assert_int_equal(word_letter_at(&walk, 7, 5, walk.lang->definers), 'c');
	/* where case does not count */
	read_statement(&walk, LANG_POWERSHELL, "Function a", &decl);
	assert_int_equal(word_letter(&decl, 0, walk.lang->definers), 'f');
}

static void
test_token_word_is_a_macro_by_its_letters(void **state)
{
	struct declaration decl;
	struct walk walk;

	read_statement(&walk, LANG_C, "A_1 Ab __x __ _1 =", &decl);
	assert_true(word_is_upper(&decl, 0));
	assert_false(word_is_upper(&decl, 1));
	assert_false(word_is_upper(&decl, 2));
	assert_false(word_is_upper(&decl, 4)); /* no letter */
	assert_false(word_is_upper(&decl, 5));
	assert_true(word_is_macro(&decl, 0));
	assert_false(word_is_macro(&decl, 1));
	assert_true(word_is_macro(&decl, 2));
	assert_false(word_is_macro(&decl, 3)); /* nothing behind __ */
	assert_false(word_is_macro(&decl, 5));
	assert_false(word_is_macro(&decl, 6));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_token_word_has_the_letter_of_its_list),
		cmocka_unit_test(test_token_word_is_a_macro_by_its_letters),
	};

	return cmocka_run_group_tests_name("lang/token_word", tests, NULL,
					   NULL);
}
