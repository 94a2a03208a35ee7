/* SPDX-License-Identifier: MIT */
/*
 * test_ascii.c - every byte is what the C locale says of it.
 */
#include "tests/support/test_shm.h"

#include <ctype.h>

#include "base/ascii.h"

static void
test_ascii_of_every_byte_is_that_of_the_c_locale(void **state)
{
	for (int c = 0; c < 256; c++) {
		uint8_t byte = (uint8_t)c;
		bool is_ascii = c < 0x80;

		ASSERT_EQ(ascii_is_upper(byte), is_ascii && isupper(c) != 0);
		ASSERT_EQ(ascii_is_lower(byte), is_ascii && islower(c) != 0);
		ASSERT_EQ(ascii_is_letter(byte), is_ascii && isalpha(c) != 0);
		ASSERT_EQ(ascii_is_digit(byte), is_ascii && isdigit(c) != 0);
		ASSERT_EQ(ascii_is_word(byte),
			  !is_ascii || isalnum(c) != 0 || c == '_');
		ASSERT_EQ(ascii_is_blank(byte),
			  isspace(c) != 0 && c != '\f' && c != '\v');
		ASSERT_EQ(ascii_lower(byte), is_ascii ? tolower(c) : c);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_ascii_of_every_byte_is_that_of_the_c_locale),
	};

	return cmocka_run_group_tests_name("base/ascii", tests, NULL, NULL);
}
