/* SPDX-License-Identifier: MIT */
/*
 * test_asking.c - what words ask.
 */
#include "tests/support/test_shm.h"

#include "rank/asking.h"

static enum asking
asking(const char *word)
{
	return asking_of((const uint8_t *)word, strlen(word));
}

static void
test_asking_is_of_whole_words(void **state)
{
	static const struct {
		const char *word;
		enum asking want;
	} cases[] = {
		{ "where", ASKING_PLACE },
		{ "Where", ASKING_PLACE },
		{ "the", ASKING_WORD },
		{ "class", ASKING_KIND },
		{ "WHERE", ASKING_NOT },
		{ "wherever", ASKING_NOT },
		{ "whe", ASKING_NOT },
		{ "callers", ASKING_USES },
		{ "subclasses", ASKING_HEIRS },
		{ "Tests", ASKING_TESTS },
		{ "tester", ASKING_NOT },
		{ "parse", ASKING_NOT },
		{ "implementation", ASKING_KIND },
		{ "implementations", ASKING_HEIRS },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (asking(cases[i].word) != cases[i].want)
			fail_msg("%s: %d", cases[i].word,
				 asking(cases[i].word));
}

static void
test_asking_words_may_be_tasks(void **state)
{
	ASSERT_TRUE(asking_is_task((const uint8_t *)"Implement", 9));
	ASSERT_TRUE(!asking_is_task((const uint8_t *)"implements", 10));
}

static void
test_asking_words_stand_between_names(void **state)
{
	ASSERT_TRUE(asking_is_within((const uint8_t *)"in", 2));
	ASSERT_TRUE(asking_is_within((const uint8_t *)"of", 2));
	ASSERT_TRUE(!asking_is_within((const uint8_t *)"into", 4));
	ASSERT_TRUE(!asking_is_within((const uint8_t *)"for", 3));
}

static void
test_asking_words_stand_beside_strings(void **state)
{
	ASSERT_EQ(asking_string_of((const uint8_t *)"npm", 3),
		  ASKING_STRING_SURE);
	ASSERT_EQ(asking_string_of((const uint8_t *)"get", 3),
		  ASKING_STRING_NOT);
	ASSERT_EQ(asking_string_of((const uint8_t *)"option", 6),
		  ASKING_STRING_MAYBE);
	ASSERT_EQ(asking_string_of((const uint8_t *)"parse", 5),
		  ASKING_STRING_NOT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_asking_is_of_whole_words),
		cmocka_unit_test(test_asking_words_may_be_tasks),
		cmocka_unit_test(test_asking_words_stand_between_names),
		cmocka_unit_test(test_asking_words_stand_beside_strings),
	};

	return cmocka_run_group_tests_name("rank/asking", tests, NULL, NULL);
}
