/* SPDX-License-Identifier: MIT */
/*
 * test_assigned.c - where a value begins that is assigned to a name.
 */
#include "tests/support/test_shm.h"

#include "secrets/assigned.h"

static const char *
value_of(const char *text, struct assigned *found)
{
	return assigned_find((const uint8_t *)text, strlen(text), true, 0,
			     found) == PATTERN_YES
		       ? text + found->value
		       : NULL;
}

static void
test_assigned_value_is_found_behind_its_operator(void **state)
{
	static const struct {
		const char *text; /* behind the name */
		const char *value;
		uint8_t quote;
	} cases[] = {
		{ " = \"v\"", "v\"", '"' },   { "=v", "v", 0 },
		{ "_id\": 'v'", "v'", '\'' },  { " => v", "v", 0 },
		{ " := `v`", "v`", '`' },      { ">v<", "v<", 0 },
		{ " ?= v", "v", 0 },           { "||v", "v", 0 },
		{ "', 'v')", "v')", '\'' },    { " =\n  v", "v", 0 },
		{ "\\\": \\\"v", "v", '"' },
		{ " = \\\\\\'v", "v", '\'' },
		{ " = \\\\\\\\'v", "\\\\\\\\'v", 0 },
		{ " = \\v", "\\v", 0 },
		{ "::v", NULL, 0 },            { "(v)", NULL, 0 },
		{ "|v", NULL, 0 },             { "", NULL, 0 },
		{ " and many more words of = v", NULL, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct assigned found;
		const char *value = value_of(cases[i].text, &found);

		if (cases[i].value == NULL) {
			assert_null(value);
			continue;
		}
		assert_non_null(value);
		assert_string_equal(value, cases[i].value);
		ASSERT_EQ(found.quote, cases[i].quote);
	}
}

static void
test_assigned_at_the_end_of_a_part_waits_for_more(void **state)
{
	static const char text[] = " = \"";
	struct assigned found;

	ASSERT_EQ(assigned_find((const uint8_t *)text, 4, false, 0, &found),
		  PATTERN_OPEN);
	ASSERT_EQ(assigned_find((const uint8_t *)text, 4, true, 0, &found),
		  PATTERN_NO);
}

static void
test_assigned_value_ends_as_it_began(void **state)
{
	const struct assigned quoted = { .quote = '"' };
	const struct assigned bare = { 0 };

	assert_true(assigned_ends(&quoted, '"'));
	assert_true(assigned_ends(&quoted, '\\'));
	assert_false(assigned_ends(&quoted, '\''));
	assert_false(assigned_ends(&quoted, ' '));
	assert_true(assigned_ends(&bare, '\n'));
	assert_true(assigned_ends(&bare, ','));
	assert_false(assigned_ends(&bare, '('));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_assigned_value_is_found_behind_its_operator),
		cmocka_unit_test(
			test_assigned_at_the_end_of_a_part_waits_for_more),
		cmocka_unit_test(test_assigned_value_ends_as_it_began),
	};

	return cmocka_run_group_tests_name("secrets/assigned", tests, NULL,
					   NULL);
}
