/* SPDX-License-Identifier: MIT */
/*
 * test_select_worded.c - names of definitions out of the words of a query.
 */
#include "tests/support/test_shm.h"

#include "stages/select/select_worded.h"

static struct query query;
static struct select_worded worded;

static void
ask(const char *text)
{
	memset(&worded, 0, sizeof(worded));
	query_init(&query, (const uint8_t *)text, strlen(text));
}

static void
meet(const char *name)
{
	struct {
		struct name_entry entry;
		char text[64];
	} named = { .entry = { .line = 7,
			       .type = NAME_DEF,
			       .bytes = (uint8_t)strlen(name) } };

	memcpy(named.text, name, strlen(name));
	select_worded_meet(&worded, &query, 3, &named.entry);
}

static void
test_select_worded_keeps_names_of_words_of_the_query(void **state)
{
	ask("refresh the session keys when they are stale");
	meet("refresh_session");
	meet("RefreshStaleSession");
	meet("session");
	meet("refresh_cookie");
	meet("sessionSession");
	ASSERT_EQ(worded.nr, 2);
	ASSERT_EQ(worded.long_nr, 1);
	ASSERT_EQ(worded.found[0].file_idx, 3);
	ASSERT_EQ(worded.found[0].line, 7);
	assert_float_equal(select_worded_strength(&worded, 0), 0.6, 1e-6);
	assert_float_equal(select_worded_strength(&worded, 1), 0.8, 1e-6);
}

/* Of sixteen, each is half as strong. */
static void
test_select_worded_is_weaker_for_many(void **state)
{
	ask("refresh the session");
	for (uint32_t i = 0; i < 16; i++)
		meet("refresh_session");
	assert_float_equal(select_worded_strength(&worded, 0), 0.3, 1e-6);
	for (uint32_t i = 0; i < SELECT_WORDED_MAX; i++)
		meet("refresh_session");
	ASSERT_EQ(worded.nr, SELECT_WORDED_MAX);
}

static void
test_select_worded_is_not_for_long_queries(void **state)
{
	ask("refresh session of user, cookie, header, server, socket, "
	    "parser, lexer, scanner, token, table");
	ASSERT_TRUE(query.word_nr > SELECT_WORDED_QUERY);
	meet("refresh_session");
	ASSERT_EQ(worded.nr, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_select_worded_keeps_names_of_words_of_the_query),
		cmocka_unit_test(test_select_worded_is_weaker_for_many),
		cmocka_unit_test(test_select_worded_is_not_for_long_queries),
	};

	return cmocka_run_group_tests_name("select/worded", tests, NULL, NULL);
}
