/* SPDX-License-Identifier: MIT */
/*
 * test_files.c - what a file was converted from.
 */
#include "tests/support/test_shm.h"

#include "catalogue/files.h"

static void
test_charset_name_says_what_was_converted(void **state)
{
	static const struct {
		uint8_t charset;
		uint8_t flags;
		const char *name; /* NULL: it was UTF-8 */
	} cases[] = {
		{ CHARSET_UTF8, 0, NULL },
		{ CHARSET_UTF8, MARK_REPAIRED, "invalid UTF-8" },
		{ CHARSET_UTF16_BE, 0, "UTF-16BE" },
		{ CHARSET_UNMARKED_LE, MARK_REPAIRED,
		  "invalid unmarked UTF-16LE" },
		{ CHARSET_WESTERN, 0, "windows-1252" },
		{ CHARSET_NR, 0, NULL },
		{ 255, MARK_REPAIRED, NULL },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct file_record file = { .charset = cases[i].charset,
					    .flags = cases[i].flags };
		const char *name = charset_name(&file);

		if (cases[i].name == NULL)
			ASSERT_EQ(name == NULL, true);
		else
			assert_string_equal(name, cases[i].name);
		ASSERT_EQ(file_is_converted(&file),
			  cases[i].charset != CHARSET_UTF8 ||
				  cases[i].flags != 0);
	}
}

/* verifies: R7 */
static void
test_file_record_with_a_field_out_of_range_is_not_valid(void **state)
{
	const struct file_record good = {
		.path_bytes = 9,
		.root_bytes = 9,
		.reason = REASON_NR - 1,
		.charset = CHARSET_NR - 1,
	};
	struct file_record bad[3] = { good, good, good };

	ASSERT_TRUE(file_record_valid(&good));
	bad[0].root_bytes++;
	bad[1].reason++;
	bad[2].charset++;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		ASSERT_TRUE(!file_record_valid(&bad[i]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_file_record_with_a_field_out_of_range_is_not_valid),
		cmocka_unit_test(test_charset_name_says_what_was_converted),
	};

	return cmocka_run_group_tests_name("catalogue/files", tests, NULL,
					   NULL);
}
