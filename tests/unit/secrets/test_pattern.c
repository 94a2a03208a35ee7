/* SPDX-License-Identifier: MIT */
/*
 * test_pattern.c - what patterns take, and when more of the text is needed.
 */
#include "tests/support/test_shm.h"

#include "secrets/pattern.h"

static enum pattern_result
match(const char *pattern, const char *text, bool at_end, size_t *end)
{
	struct pattern_item items[16];
	uint16_t nr = pattern_compile(pattern, items, ARRAY_LEN(items));
	const struct secrets_text whole = { (const uint8_t *)text, strlen(text),
					    at_end };

	return pattern_match(items, nr, &whole, end);
}

static void
test_pattern_takes_what_its_sets_have(void **state)
{
	static const struct {
		const char *pattern;
		const char *text;
		enum pattern_result want;
		size_t end;
	} cases[] = {
		{ "abc", "abcd", PATTERN_YES, 3 },
		{ "abc", "abd", PATTERN_NO, 0 },
		{ "[A-C]{2}x", "ABx", PATTERN_YES, 3 },
		{ "[A-C]{2}x", "ADx", PATTERN_NO, 0 },
		{ "[a-]{1,3}", "a-a-", PATTERN_YES, 3 },
		{ "[0-9]{2,}", "1234x", PATTERN_YES, 4 },
		{ "[0-9]{2,}", "1x", PATTERN_NO, 0 },
		{ "={0,2}", "x", PATTERN_YES, 0 },
		/* what is taken is not given back */
		{ "[a-z]{1,9}z", "abz!", PATTERN_NO, 0 },
		{ "[a-z]{2}[.][0-9]", "ab.7", PATTERN_YES, 4 },
		{ "", "abc", PATTERN_YES, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		size_t end = 0;

		ASSERT_EQ(match(cases[i].pattern, cases[i].text, true, &end),
			  cases[i].want);
		ASSERT_EQ(end, cases[i].end);
	}
}

static void
test_pattern_at_the_end_of_a_part_waits_for_more(void **state)
{
	size_t end;

	ASSERT_EQ(match("[0-9]{2,4}", "123", false, &end), PATTERN_OPEN);
	ASSERT_EQ(match("[0-9]{2,4}", "1234", false, &end), PATTERN_YES);
	ASSERT_EQ(match("[0-9]{2,4}", "12x", false, &end), PATTERN_YES);
	ASSERT_EQ(match("[0-9]{2,4}", "x", false, &end), PATTERN_NO);
	ASSERT_EQ(match("ab", "a", false, &end), PATTERN_OPEN);
}

static void
test_pattern_without_end_ends_somewhere(void **state)
{
	static char text[2 * PATTERN_MOST];
	size_t end;

	memset(text, 'a', sizeof(text) - 1);
	ASSERT_EQ(match("a{1,}", text, false, &end), PATTERN_YES);
	ASSERT_EQ(end, PATTERN_MOST);
}

static void
test_pattern_bytes_are_the_sum_of_its_items(void **state)
{
	struct pattern_item items[4];
	uint16_t nr = pattern_compile("[a-z]{6}_[0-9]{29}", items, 4);

	ASSERT_EQ(nr, 3);
	ASSERT_EQ(pattern_bytes(items, nr), 36);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pattern_takes_what_its_sets_have),
		cmocka_unit_test(
			test_pattern_at_the_end_of_a_part_waits_for_more),
		cmocka_unit_test(test_pattern_without_end_ends_somewhere),
		cmocka_unit_test(test_pattern_bytes_are_the_sum_of_its_items),
	};

	return cmocka_run_group_tests_name("secrets/pattern", tests, NULL,
					   NULL);
}
