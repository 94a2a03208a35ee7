/* SPDX-License-Identifier: MIT */
/*
 * test_number_format.c - numbers as people read them, by hand at every edge.
 */
#include "tests/support/test_shm.h"

#include "base/number_format.h"

static char out[FIGURE_BYTES];

struct figure {
	uint64_t n;
	const char *want;
};

static void
check(const char *(*figure)(char *, uint64_t), const struct figure *cases,
      size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		assert_string_equal(figure(out, cases[i].n), cases[i].want);
}

static void
test_number_format_counts_have_commas(void **state)
{
	static const struct figure cases[] = {
		{ 0, "0" },
		{ 999, "999" },
		{ 1000, "1,000" },
		{ 78579, "78,579" },
		{ 999999, "999,999" },
		{ 1000000, "1,000,000" },
		{ UINT64_MAX, "18,446,744,073,709,551,615" },
	};
	uint64_t seed = 1;

	check(figure_count, cases, ARRAY_LEN(cases));
	assert_string_equal(COUNT_TEXT(1234), "1,234");
	/* without the commas it is the number */
	for (int i = 0; i < 1000; i++) {
		uint64_t n = random_next(&seed) >> (i % 64);
		char digits[FIGURE_BYTES];
		size_t nr = 0;

		for (const char *at = figure_count(out, n); *at != '\0'; at++)
			if (*at != ',')
				digits[nr++] = *at;
		digits[nr] = '\0';
		ASSERT_TRUE(strtoull(digits, NULL, 10) == n);
	}
}

static void
test_number_format_short_ones_have_a_unit(void **state)
{
	static const struct figure shorts[] = {
		{ 0, "0" },
		{ 999, "999" },
		{ 1000, "1.0k" },
		{ 12345, "12.3k" },
		{ 99949, "99.9k" },
		{ 99951, "100k" },
		{ 999499, "999k" },
		{ 999500, "1.0M" },
		{ 4500000, "4.5M" },
		{ 7000000000, "7.0G" },
		{ UINT64_MAX, "18.4E" },
	};
	static const struct figure bytes[] = {
		{ 0, "0 B" },
		{ 999, "999 B" },
		{ 1024, "1.0 KiB" },
		{ 12595, "12.3 KiB" },
		{ 4718592, "4.5 MiB" },
		{ 1ull << 30, "1.0 GiB" },
		{ UINT64_MAX, "16.0 EiB" },
	};

	static const struct figure briefs[] = {
		{ 0, "0" },
		{ 999, "999" },
		{ 1000, "1k" },
		{ 12999, "12k" },
		{ 999999, "999k" },
		{ 1000000, "1.0M" },
		{ 1299999, "1.2M" },
		{ 36200000, "36.2M" },
		{ UINT64_MAX, "18446744073709.5M" },
	};

	check(figure_short, shorts, ARRAY_LEN(shorts));
	check(figure_brief, briefs, ARRAY_LEN(briefs));
	check(figure_bytes, bytes, ARRAY_LEN(bytes));
}

static void
test_number_format_times_are_of_a_clock_or_a_length(void **state)
{
	static const struct figure clocks[] = {
		{ 0, "0:00" },
		{ 499999999, "0:00" },
		{ 500000000, "0:01" },
		{ 7000000000, "0:07" },
		{ 754000000000, "12:34" },
		{ 3599000000000, "59:59" },
		{ 3599500000000, "1:00:00" },
		{ 3723000000000, "1:02:03" },
	};
	static const struct figure lengths[] = {
		{ 0, "0 us" },
		{ 850999, "850 us" },
		{ 999999, "999 us" },
		{ 1000000, "1 ms" },
		{ 62000000, "62 ms" },
		{ 999999999, "999 ms" },
		{ 1000000000, "1.00 s" },
		{ 3210000000, "3.21 s" },
		{ 60000000000, "1 min 0 s" },
		{ 125000000000, "2 min 5 s" },
	};

	check(figure_clock, clocks, ARRAY_LEN(clocks));
	check(figure_duration, lengths, ARRAY_LEN(lengths));
}

static void
test_number_format_shares_are_of_a_hundred(void **state)
{
	assert_string_equal(figure_share(out, 0, 0), "-");
	assert_string_equal(figure_share(out, 5, 0), "-");
	assert_string_equal(figure_share(out, 0, 3), "0.0 %");
	assert_string_equal(figure_share(out, 1, 3), "33.3 %");
	assert_string_equal(figure_share(out, 123, 1000), "12.3 %");
	assert_string_equal(figure_share(out, UINT64_MAX, UINT64_MAX),
			    "100.0 %");
}

static void
test_number_format_bytes_are_two_digits_each(void **state)
{
	static const uint8_t bytes[] = { 0x00, 0x0a, 0xff };

	assert_string_equal(figure_hex(out, bytes, sizeof(bytes)), "000aff");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_number_format_counts_have_commas),
		cmocka_unit_test(test_number_format_short_ones_have_a_unit),
		cmocka_unit_test(
			test_number_format_times_are_of_a_clock_or_a_length),
		cmocka_unit_test(test_number_format_shares_are_of_a_hundred),
		cmocka_unit_test(test_number_format_bytes_are_two_digits_each),
	};

	return cmocka_run_group_tests_name("base/number_format", tests, NULL,
					   NULL);
}
