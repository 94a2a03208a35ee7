/* SPDX-License-Identifier: MIT */
/*
 * test_query_about.c - which first lines ask for tests, and which for texts.
 */
#include "tests/support/test_shm.h"

#include "rank/query.h"

static void
test_query_about_what_the_first_line_asks_for(void **state)
{
	static const struct {
		const char *text;
		uint32_t want;
	} cases[] = {
		{ "", 0 },
		{ "tests for the parser", QUERY_ABOUT_TESTS },
		{ "\n test: no such file", QUERY_ABOUT_TESTS },
		{ "Add some unit tests", QUERY_ABOUT_TESTS },
		{ "a flaky test of the parser", QUERY_ABOUT_TESTS },
		{ "update the docs and fix toml",
		  QUERY_ABOUT_DOCS | QUERY_ABOUT_CONFIG },
		{ "Document the parser", QUERY_ABOUT_DOCS },
		{ "the test runner fails", 0 },
		{ "test.local is not found", 0 },
		{ "add test_mode", 0 },
		{ "attest the contest", 0 },
		{ "Methods do not get documented", 0 },
		{ "parser fails\nfix the tests", 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint32_t about = query_about((const uint8_t *)cases[i].text,
					     strlen(cases[i].text));

		if (about != cases[i].want)
			fail_msg("%s: got %u", cases[i].text, about);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_query_about_what_the_first_line_asks_for),
	};

	return cmocka_run_group_tests_name("rank/query_about", tests, NULL,
					   NULL);
}
