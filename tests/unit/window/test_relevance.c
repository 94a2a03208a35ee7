/* SPDX-License-Identifier: MIT */
/*
 * test_relevance.c - what texts have to do with a query.
 */
#include "tests/support/test_window.h"

#include "window/relevance.h"

static void
test_relevance_splits_identifiers_like_people_do(void **state)
{
	static const char *const same[] = { "parseHTTPHeader;;",
					    "parse_http_header",
					    "Parse HTTP header" };
	struct relevance_text texts[] = { { same[0], strlen(same[0]) },
					  { same[1], strlen(same[1]) },
					  { same[2], strlen(same[2]) },
					  { "parsehttpheader", 15 },
					  { "", 0 } };
	double scores[5];

	assert_int_equal(relevance_score("HTTP", texts, 5, scores), 0);
	assert_true(scores[0] > 0);
	assert_true(scores[0] == scores[1]);
	assert_true(scores[0] == scores[2]);
	assert_true(scores[3] == 0);
	assert_true(scores[4] == 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_relevance_splits_identifiers_like_people_do),
	};

	return cmocka_run_group_tests_name("window/relevance", tests, NULL,
					   NULL);
}
