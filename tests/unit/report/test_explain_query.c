/* SPDX-License-Identifier: MIT */
/*
 * test_explain_query.c - what of a query was used is told.
 */
#include "tests/support/test_shm.h"

#include <stdlib.h>

#include "rank/query.h"
#include "report/render.h"

static void
assert_told(const char *text, const char *want)
{
	static struct query query;
	char *got = NULL;
	size_t bytes;
	FILE *stream = open_memstream(&got, &bytes);

	assert_non_null(stream);
	query_init(&query, (const uint8_t *)text, strlen(text));
	anchors_add_frame(&query.anchors, "a/b.js", 6, 7);
	anchors_read(&query.anchors, (const uint8_t *)text, strlen(text));
	explain_query(&query, stream);
	assert_int_equal(fclose(stream), 0);
	assert_string_equal(got, want);
	free(got);
}

static void
test_explain_query_tells_words_names_and_places(void **state)
{
	assert_told("flaky test of run_it\n"
		    "<!-- keep -->\n"
		    "\n"
		    "at run_it (a/b.js:7:1)\n",
		    "query lines: 2 task 1 comment (not used); asks for tests\n"
		    "query words: flaky* test* run* runit* js (and 3 pairs)\n"
		    "query names: flaky test run_it\n"
		    "query places: a/b.js:7\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_explain_query_tells_words_names_and_places),
	};

	return cmocka_run_group_tests_name("report/explain_query", tests, NULL,
					   NULL);
}
