/* SPDX-License-Identifier: MIT */
/*
 * test_varint.c - numbers in few bytes.
 */
#include "tests/support/test_shm.h"

#include "base/varint.h"

/* The examples of the LEB128 article of the DWARF specification. */
static void
test_varint_is_leb128(void **state)
{
	static const struct {
		uint64_t value;
		uint8_t bytes[4];
		size_t nr;
	} cases[] = {
		{ 2, { 2 }, 1 },
		{ 127, { 127 }, 1 },
		{ 128, { 0x80, 1 }, 2 },
		{ 129, { 0x81, 1 }, 2 },
		{ 12857, { 0x39 + 0x80, 100 }, 2 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		uint8_t bytes[VARINT_BYTES_MAX];
		size_t nr = (size_t)(varint_put(bytes, cases[i].value) - bytes);

		ASSERT_EQ(nr, cases[i].nr);
		assert_memory_equal(bytes, cases[i].bytes, nr);
	}
}

static void
test_varint_comes_back(void **state)
{
	for (unsigned shift = 0; shift < 64; shift++) {
		for (int64_t more = -1; more <= 1; more++) {
			uint64_t value =
				(UINT64_C(1) << shift) + (uint64_t)more;
			uint8_t bytes[VARINT_BYTES_MAX];
			const uint8_t *end = varint_put(bytes, value);
			uint64_t got;

			ASSERT_TRUE(end <= bytes + sizeof(bytes));
			ASSERT_TRUE(varint_get(bytes, end, &got) == end);
			ASSERT_EQ(got, value);
			ASSERT_TRUE(varint_get(bytes, end - 1, &got) == NULL);
		}
	}
}

static void
test_varint_of_more_than_64_bits_is_none(void **state)
{
	static const uint8_t more[] = { 0xff, 0xff, 0xff, 0xff, 0xff,
					0xff, 0xff, 0xff, 0xff, 2 };
	static const uint8_t longer[] = { 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
					  0x80, 0x80, 0x80, 0x80, 0 };
	uint64_t got;

	ASSERT_TRUE(varint_get(more, more + sizeof(more), &got) == NULL);
	ASSERT_TRUE(varint_get(longer, longer + sizeof(longer), &got) == NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_varint_is_leb128),
		cmocka_unit_test(test_varint_comes_back),
		cmocka_unit_test(test_varint_of_more_than_64_bits_is_none),
	};

	return cmocka_run_group_tests_name("base/varint", tests, NULL, NULL);
}
