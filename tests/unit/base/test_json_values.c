/* SPDX-License-Identifier: MIT */
/*
 * test_shm_json_values.c - values of JSON, counted before it is parsed.
 */
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/json_values.h"

/* What stands in strings is no value. */
static const struct {
	const char *json;
	uint64_t values;
} cases[] = {
	{ "1", 0 },
	{ "[1,2]", 2 },
	{ "{\"a\":[1,2,3],\"b\":{}}", 6 },
	{ "[\"a,b,[{\",1]", 2 },
	{ "[\"a\\\",[,\",1,1]", 3 },
	{ "[\"\\\\\",[]]", 3 },
	{ "\"[,\"", 0 },
};

static void
test_json_values_are_as_many_as_marks_tell(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *json = cases[i].json;
		size_t nr = strlen(json);

		assert_true(json_values_within(json, nr, cases[i].values));
		if (cases[i].values > 0 &&
		    json_values_within(json, nr, cases[i].values - 1))
			fail_msg("%s has fewer than %llu values", json,
				 (unsigned long long)cases[i].values);
	}
}

static void
test_json_values_in_two_pieces_are_the_same(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		size_t nr = strlen(cases[i].json);

		for (size_t at = 0; at <= nr; at++) {
			struct json_values values = { .nr = 0 };

			json_values_add(&values, cases[i].json, at);
			json_values_add(&values, cases[i].json + at, nr - at);
			assert_int_equal(values.bytes, nr);
			if (values.nr != cases[i].values)
				fail_msg("%s cut at %zu has %llu values",
					 cases[i].json, at,
					 (unsigned long long)values.nr);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_values_are_as_many_as_marks_tell),
		cmocka_unit_test(test_json_values_in_two_pieces_are_the_same),
	};

	return cmocka_run_group_tests_name("shm/json_values", tests, NULL,
					   NULL);
}
