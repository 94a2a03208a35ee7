/* SPDX-License-Identifier: MIT */
/*
 * test_key.c - where a private key begins, and the runs of its body.
 */
#include "tests/support/test_secrets.h"

#include "secrets/key.h"

static uint64_t seed = 20261127;

static enum pattern_result
begins(const char *text, bool at_end, size_t *end)
{
	return key_begins((const uint8_t *)text, strlen(text), at_end, 0, end);
}

static void
test_key_begins_with_its_head_and_a_body(void **state)
{
	static const char *const kinds[] = { "", "RSA ", "EC ", "OPENSSH ",
					     "ENCRYPTED ", "DSA " };
	char text[1024];
	size_t end;

	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		secret_key(text, kinds[i], "", "\n", 3, &seed);
		ASSERT_EQ(begins(text, true, &end), PATTERN_YES);
		ASSERT_EQ(end, strcspn(text, "\n"));
	}
	ASSERT_EQ(begins("-----BEGIN PUBLIC KEY-----\nMIIB", true, &end),
		  PATTERN_NO);
	ASSERT_EQ(begins("-----BEGIN PRIVATE KEY-----\n...\n", true, &end),
		  PATTERN_NO);
	ASSERT_EQ(begins("-----BEGIN PRIVATE", true, &end), PATTERN_NO);
	ASSERT_EQ(begins("-----BEGIN PRIVATE", false, &end), PATTERN_OPEN);
}

static void
test_key_runs_are_all_of_its_body(void **state)
{
	char text[1024];
	struct key_place place = { 0 };
	size_t runs = 0;
	size_t end;

	secret_key(text, "EC ", "", "\n", 4, &seed);
	ASSERT_EQ(begins(text, true, &end), PATTERN_YES);
	place.at = end;
	while (key_next_run((const uint8_t *)text, strlen(text), true,
			    &place) == PATTERN_YES) {
		ASSERT_EQ(place.end - place.start, runs < 3 ? 64 : 10);
		place.at = place.end;
		place.has_body = true;
		runs++;
	}
	ASSERT_EQ(runs, 4);
	ASSERT_EQ(memcmp(text + place.start, "-----END", 8), 0);
	/* more may follow */
	place.at = end;
	ASSERT_EQ(key_next_run((const uint8_t *)text, strlen(text), false,
			       &place),
		  PATTERN_OPEN);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_key_begins_with_its_head_and_a_body),
		cmocka_unit_test(test_key_runs_are_all_of_its_body),
	};

	return cmocka_run_group_tests_name("secrets/key", tests, NULL, NULL);
}
