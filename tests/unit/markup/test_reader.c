/* SPDX-License-Identifier: MIT */
/*
 * test_reader.c - numbers, names and lines, as every format has them.
 */
#include "tests/support/test_shm.h"

#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "markup/reader.h"

static void
begin(struct markup_reader *reader, const char *text)
{
	reader->start = (const uint8_t *)text;
	reader->at = reader->start;
	reader->end = reader->start + strlen(text);
}

static void
test_reader_numbers_are_those_of_strtoull(void **state)
{
	struct markup_reader *reader = calloc(1, sizeof(*reader));
	static const char *const texts[] = {
		"0", "7x", "007", "18446744073709551615", "", "x", "-1", "12-",
	};
	uint64_t number;

	assert_true(reader != NULL);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		char *end;
		uint64_t expected = strtoull(texts[i], &end, 10);
		bool is_number = texts[i][0] >= '0' && texts[i][0] <= '9';

		begin(reader, texts[i]);
		ASSERT_EQ(markup_take_number(reader, &number), is_number);
		if (is_number) {
			ASSERT_EQ(number, expected);
			assert_true(reader->at == (const uint8_t *)end);
		}
	}
	begin(reader, "18446744073709551616");
	assert_true(!markup_take_number(reader, &number));
	free(reader);
}

static void
test_reader_a_range_is_in_order_and_from_one(void **state)
{
	struct markup_reader *reader = calloc(1, sizeof(*reader));
	static const struct {
		const char *text;
		bool good;
	} ranges[] = {
		{ "1-1", true },  { "3-12 ", true },  { "0-1", false },
		{ "2-1", false }, { "2", false },     { "2-", false },
		{ "-2", false },  { "2 - 3", false },
	};
	uint64_t first;
	uint64_t last;

	assert_true(reader != NULL);
	for (size_t i = 0; i < ARRAY_LEN(ranges); i++) {
		begin(reader, ranges[i].text);
		ASSERT_EQ(markup_take_range(reader, &first, &last),
			  ranges[i].good);
	}
	free(reader);
}

/* Names of any bytes, as messages quote them, are read back as they were. */
static void
test_reader_quoted_names_come_back(void **state)
{
	struct markup_reader *reader = calloc(1, sizeof(*reader));
	uint64_t seed = 1;

	assert_true(reader != NULL);
	for (int round = 0; round < 2000; round++) {
		uint8_t name[12];
		uint8_t back[32];
		char quoted[128];
		size_t nr = 1 + random_next(&seed) % (sizeof(name) - 1);
		size_t back_nr = 0;

		for (size_t i = 0; i < nr; i++)
			name[i] = (uint8_t)(1 + random_next(&seed) % 255);
		name[0] = '\n'; /* so that there have to be quotes */
		diag_quote(quoted, sizeof(quoted), name, nr);
		begin(reader, quoted);
		assert_true(markup_take_quoted(reader, back, &back_nr));
		ASSERT_EQ(back_nr, nr);
		ASSERT_EQ(memcmp(back, name, nr), 0);
		assert_true(reader->at == reader->end);
	}
	free(reader);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reader_numbers_are_those_of_strtoull),
		cmocka_unit_test(test_reader_a_range_is_in_order_and_from_one),
		cmocka_unit_test(test_reader_quoted_names_come_back),
	};

	return cmocka_run_group_tests_name("markup/reader", tests, NULL, NULL);
}
