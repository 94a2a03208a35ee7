/* SPDX-License-Identifier: MIT */
/*
 * test_value.c - entropy against floating point, and what looks random.
 */
#include "tests/support/test_shm.h"

#include <math.h>

#include "secrets/value.h"

static uint64_t seed = 20261127;

static double
entropy(const uint8_t *text, size_t bytes)
{
	double sum = 0;

	for (unsigned c = 0; c < 256; c++) {
		double times = 0;

		for (size_t i = 0; i < bytes; i++)
			times += text[i] == c;
		if (times > 0)
			sum -= times / (double)bytes *
			       log2(times / (double)bytes);
	}
	return sum;
}

static void
test_value_entropy_is_that_of_floating_point(void **state)
{
	for (int round = 0; round < 2000; round++) {
		uint8_t text[200];
		size_t bytes = 1 + random_next(&seed) % sizeof(text);
		uint64_t letters = 1 + random_next(&seed) % 80;
		double want;

		for (size_t i = 0; i < bytes; i++)
			text[i] = (uint8_t)(' ' + random_next(&seed) % letters);
		want = entropy(text, bytes) * 10;
		for (uint8_t tenths = 1; tenths < 64; tenths++)
			if (fabs(want - tenths) > 0.01)
				ASSERT_EQ(value_has_entropy(text, bytes,
							    tenths),
					  want >= tenths);
	}
	assert_true(value_has_entropy((const uint8_t *)"", 0, 0));
	assert_false(value_has_entropy((const uint8_t *)"", 0, 1));
}

static bool
is(bool (*has)(const uint8_t *, size_t), const char *text)
{
	return has((const uint8_t *)text, strlen(text));
}

static void
test_value_of_a_public_name(void **state)
{
	static const char *const yes[] = { "_sha256", "_MD5", "sId", "_id ",
					   "-ID",     "_name", "Hash", "id" };
	static const char *const no[] = { "", "_valid", "_share", "d", "_value",
					  "void" };

	for (size_t i = 0; i < ARRAY_LEN(yes); i++)
		assert_true(is(value_is_named_public, yes[i]));
	for (size_t i = 0; i < ARRAY_LEN(no); i++)
		assert_false(is(value_is_named_public, no[i]));
}

static void
test_value_placeholder_is_told_in_any_case(void **state)
{
	assert_true(is(value_is_placeholder, "Your-Token-Here1"));
	assert_true(is(value_is_placeholder, "aaaEXAMPLE"));
	assert_false(is(value_is_placeholder, "q8Zr2LmX0v"));
	assert_true(is(value_has_digit, "ab1"));
	assert_false(is(value_has_digit, "abc"));
}

static void
test_value_of_random_bytes_changes_more_than_a_name(void **state)
{
	assert_true(is(value_is_random, "a8f5f167f44f4964e6c998dee827110c"));
	assert_true(is(value_is_random, "q8Zr2LmX0vT4"));
	assert_false(is(value_is_random, "session_token_v2"));
	assert_false(is(value_is_random, "getUserById"));
	assert_false(is(value_is_random, "aes-256-gcm"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_value_entropy_is_that_of_floating_point),
		cmocka_unit_test(test_value_of_a_public_name),
		cmocka_unit_test(test_value_placeholder_is_told_in_any_case),
		cmocka_unit_test(
			test_value_of_random_bytes_changes_more_than_a_name),
	};

	return cmocka_run_group_tests_name("secrets/value", tests, NULL, NULL);
}
