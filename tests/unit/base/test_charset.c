/* SPDX-License-Identifier: MIT */
/*
 * test_charset.c - every character of each set, against iconv(3), both ways.
 */
#include "tests/support/test_shm.h"

#include <iconv.h>
#include <string.h>

#include "base/charset.h"

/* The character that iconv makes of the bytes; 0: none, or two of them. */
static uint32_t
by_iconv(iconv_t set, const uint8_t *bytes, size_t nr)
{
	uint32_t code[2] = { 0 };
	char copy[2] = { (char)bytes[0], (char)bytes[1] };
	char *from = copy;
	char *to = (char *)code;
	size_t room = sizeof(code);

	iconv(set, NULL, NULL, NULL, NULL);
	if (iconv(set, &from, &nr, &to, &room) != 0 || nr != 0 || room != 4)
		return 0;
	return code[0];
}

static void
check_pairs(enum charset_pairs set, const char *name, size_t least)
{
	iconv_t cd = iconv_open("UTF-32LE", name);
	size_t nr = 0;

	assert_true(cd != (iconv_t)-1);
	for (unsigned lead = 0x80; lead <= 0xff; lead++) {
		for (unsigned trail = 0; trail <= 0xff; trail++) {
			const uint8_t bytes[2] = { (uint8_t)lead,
						   (uint8_t)trail };
			uint32_t got = charset_pair(set, bytes[0], bytes[1]);
			uint32_t want = by_iconv(cd, bytes, 2);
			uint8_t back[2];

			if (charset_single(set, bytes[0]) != 0)
				want = 0;
			if (want > 0xffff)
				want = 0;
			if (got != want)
				fail_msg("%s %02x %02x: got U+%04X, want "
					 "U+%04X",
					 name, lead, trail, got, want);
			if (got == 0)
				continue;
			nr++;
			/* there and back is the same character */
			ASSERT_EQ(charset_bytes(set, got, back), 2);
			ASSERT_EQ(charset_pair(set, back[0], back[1]), got);
		}
	}
	iconv_close(cd);
	ASSERT_TRUE(nr >= least);
}

static void
test_charset_pairs_are_those_of_iconv(void **state)
{
	check_pairs(CHARSET_PAIRS_GB18030, "GB18030", 21000);
	check_pairs(CHARSET_PAIRS_SHIFT_JIS, "CP932", 7000);
	check_pairs(CHARSET_PAIRS_EUC_KR, "CP949", 17000);
}

static void
test_charset_single_bytes_are_those_of_iconv(void **state)
{
	static const char *const names[] = { "GB18030", "CP932", "CP949" };
	iconv_t cyrillic = iconv_open("UTF-32LE", "CP1251");
	uint8_t back[2];

	for (int set = 0; set < CHARSET_PAIRS_NR; set++) {
		iconv_t cd = iconv_open("UTF-32LE", names[set]);

		for (unsigned i = 1; i <= 0xff; i++) {
			const uint8_t bytes[2] = { (uint8_t)i, 0 };
			uint32_t want = by_iconv(cd, bytes, 1);
			uint32_t got = charset_single(
				(enum charset_pairs)set, (uint8_t)i);

			/* controls and private ones are none here */
			if (got != 0)
				ASSERT_EQ(got, want);
			else
				ASSERT_TRUE(i >= 0x80);
			if (got != 0)
				ASSERT_EQ(charset_bytes((enum charset_pairs)set,
							got, back),
					  1);
		}
		iconv_close(cd);
	}
	for (unsigned i = 0x80; i <= 0xff; i++) {
		const uint8_t bytes[2] = { (uint8_t)i, 0 };
		uint32_t got = charset_cyrillic((uint8_t)i);

		ASSERT_EQ(got, by_iconv(cyrillic, bytes, 1));
		if (got != 0)
			ASSERT_EQ(charset_cyrillic_byte(got), i);
	}
	iconv_close(cyrillic);
	ASSERT_EQ(charset_bytes(CHARSET_PAIRS_EUC_KR, 0x1f600, back), 0);
	ASSERT_EQ(charset_cyrillic_byte(0x4e2d), 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_charset_pairs_are_those_of_iconv),
		cmocka_unit_test(test_charset_single_bytes_are_those_of_iconv),
	};

	return cmocka_run_group_tests_name("base/charset", tests, NULL, NULL);
}
