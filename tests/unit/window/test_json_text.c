/* SPDX-License-Identifier: MIT */
/*
 * test_json_text.c - numbers come back as they were written, and as they were.
 */
#include "tests/support/test_shm.h"

#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "window/json_text.h"

static void
test_json_text_is_as_it_was_written(void **state)
{
	static const char *const texts[] = {
		"{\"a\":0.1,\"b\":[1732835002.123456,-2.5e-7,3.0,1e300]}",
		"{\"p\":0.30000000000000004,\"q\":0.1,\"r\":2.5e-300}",
		"[12345678901234567,-1,0,1.7976931348623157e308]",
		"{\"0.10000000000000001\":\"\\\"0.10000000000000001\\\\\"}",
		"[true,false,null,\"\",{},[]]",
		"0.1",
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		json_t *json = json_loads(texts[i], JSON_DECODE_ANY, NULL);
		char *text = json_text(json, JSON_COMPACT | JSON_ENCODE_ANY);

		assert_non_null(json);
		assert_string_equal(text, texts[i]);
		free(text);
		json_decref(json);
	}
}

/* Numbers of any bits: the value is the same, and never longer than before. */
static void
test_json_text_has_the_value_to_the_bit(void **state)
{
	uint64_t seed = 1;

	for (int round = 0; round < 20000; round++) {
		uint64_t bits = random_next(&seed);
		double value;
		json_t *json;
		char *text;
		char *plain;

		memcpy(&value, &bits, sizeof(value));
		json = json_real(value);
		if (json == NULL)
			continue; /* not a number, or infinite */
		text = json_text(json, JSON_ENCODE_ANY);
		plain = json_dumps(json, JSON_ENCODE_ANY);
		assert_true(strtod(text, NULL) == value);
		assert_true(strlen(text) <= strlen(plain));
		free(plain);
		free(text);
		json_decref(json);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_text_is_as_it_was_written),
		cmocka_unit_test(test_json_text_has_the_value_to_the_bit),
	};

	return cmocka_run_group_tests_name("window/json_text", tests, NULL, NULL);
}
