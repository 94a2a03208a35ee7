/* SPDX-License-Identifier: MIT */
/*
 * test_tags.c - HTML and its like: sections and scripts.
 */
#include "tests/support/test_lang_told.h"

static void
test_tags_of_sections_and_scripts(void **state)
{
	static const struct told_case cases[] = {
		{ "html",
		  "<html>\n"
		  "<body>\n"
		  "<div id=\"a\">\n"
		  "<p>x</p>\n"
		  "</div>\n"
		  "<!-- <div id=\"no\"> -->\n"
		  "<script>\n"
		  "var s = \"<div id=no>\";\n"
		  "</script>\n"
		  "<section id=b>\n"
		  "</section>\n"
		  "</body>\n"
		  "</html>\n",
		  "section script 7-9;section section 10-11;section body 2-12;" },
	};

	assert_told(cases, ARRAY_LEN(cases));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tags_of_sections_and_scripts),
	};

	return cmocka_run_group_tests_name("lang/tags", tests, NULL, NULL);
}
