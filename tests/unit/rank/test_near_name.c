/* SPDX-License-Identifier: MIT */
/*
 * test_near_name.c - names that a query has, but not as they are written.
 */
#include "tests/support/test_shm.h"

#include "rank/near_name.h"

static struct near_name near;

static enum near_name_how
how(const char *query, const char *name)
{
	near_name_init(&near, (const uint8_t *)query, strlen(query));
	return near_name_of(&near, (const uint8_t *)name, strlen(name));
}

static void
test_near_name_knows_other_styles(void **state)
{
	static const char *const styles[] = {
		"dropMetricName",    "drop_metric_name", "DropMetricName",
		"DROP_METRIC_NAME",  "drop-metric-name", "drop metric name",
		"_drop_metric_name",
	};

	for (size_t i = 0; i < ARRAY_LEN(styles); i++)
		for (size_t k = 0; k < ARRAY_LEN(styles); k++)
			ASSERT_EQ(how(styles[i], styles[k]), NEAR_NAME_SAME);
	ASSERT_EQ(how("drop metric names", "dropMetricName"), NEAR_NAME_NOT);
	ASSERT_EQ(how("ipv4_only", "ipv6_only"), NEAR_NAME_TYPO);
}

static void
test_near_name_knows_parts_and_typing_errors(void **state)
{
	static const struct {
		const char *query;
		const char *name;
		enum near_name_how want;
	} cases[] = {
		{ "dropMetric", "dropMetricName", NEAR_NAME_BEGIN },
		{ "MetricName", "dropMetricName", NEAR_NAME_END },
		{ "Metric", "dropMetricName", NEAR_NAME_NOT },
		{ "dropMetricNme", "dropMetricName", NEAR_NAME_TYPO },
		{ "dropMetricNames", "dropMetricName", NEAR_NAME_TYPO },
		{ "dropMetircName", "dropMetricName", NEAR_NAME_TYPO },
		{ "drapMetricName", "dropMetricName", NEAR_NAME_TYPO },
		{ "dripMetricNeme", "dropMetricName", NEAR_NAME_NOT },
		/* words of a sentence are what they are */
		{ "drop metric", "dropMetricName", NEAR_NAME_NOT },
		{ "drop metric nme", "dropMetricName", NEAR_NAME_NOT },
		/* too short to be sure of */
		{ "drop", "dropMetricName", NEAR_NAME_NOT },
		{ "drop", "DROP", NEAR_NAME_SAME },
		{ "dro", "DRO", NEAR_NAME_NOT },
		{ "two\nlines", "two_lines", NEAR_NAME_NOT },
		{ "", "", NEAR_NAME_NOT },
		{ "drop", "", NEAR_NAME_NOT },
		{ "drop", "____", NEAR_NAME_NOT },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		if (how(cases[i].query, cases[i].name) != cases[i].want)
			fail_msg("%s, %s: %d", cases[i].query, cases[i].name,
				 how(cases[i].query, cases[i].name));
}

/* Of any lengths, in memory that ends with them. */
static void
test_near_name_has_limits(void **state)
{
	char text[2 * NEAR_NAME_BYTES];

	memset(text, 'a', sizeof(text));
	for (size_t bytes = 1; bytes <= sizeof(text); bytes++) {
		uint8_t *copy = malloc(bytes);

		ASSERT_TRUE(copy != NULL);
		memcpy(copy, text, bytes);
		near_name_init(&near, copy, bytes);
		ASSERT_EQ(near.nr == bytes,
			  bytes >= 4 && bytes <= NEAR_NAME_BYTES);
		ASSERT_EQ(near_name_of(&near, copy, bytes) == NEAR_NAME_SAME,
			  near.nr == bytes);
		free(copy);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_near_name_knows_other_styles),
		cmocka_unit_test(test_near_name_knows_parts_and_typing_errors),
		cmocka_unit_test(test_near_name_has_limits),
	};

	return cmocka_run_group_tests_name("rank/near_name", tests, NULL, NULL);
}
