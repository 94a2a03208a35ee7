/* SPDX-License-Identifier: MIT */
/*
 * test_collect_repair.c - what is no text of its character set becomes U+FFFD.
 */
#include "tests/support/test_collect_scratch.h"
#include "tests/support/test_convert.h"

static void
test_repair_mistakes_are_replaced(void **state)
{
#define CONVERT(set, from, want)                                        \
	check_convert(CHARSET_##set, from, sizeof(from) - 1, want, \
		      sizeof(want) - 1)
	CONVERT(UTF16_LE, "\xff\xfeh\0", "h");
	CONVERT(UTF16_BE, "\xfe\xff\0h\0i", "hi");
	CONVERT(UTF16_LE, "\x3d\xd8h\0", BAD "h");
	CONVERT(UTF16_LE, "h\0\x00\xde\x3d\xd8", "h" BAD BAD);
	CONVERT(UTF16_LE, "h\0i", "h" BAD);
	CONVERT(UTF8,
		"a\xff"
		"b\xc3\xa9",
		"a" BAD "b\xc3\xa9");
	CONVERT(UTF8, "\xe2\x82", BAD);
	CONVERT(UTF8, "\xe2\x82z\xf0\x9f\x98", BAD "z" BAD);
	CONVERT(UTF8, "\xed\xa0\x80", BAD BAD BAD);
	CONVERT(UTF8, "\xef\xbb\xbfx\xff", "\xef\xbb\xbfx" BAD);
	CONVERT(UNMARKED_LE, "h\0\x00\xde", "h" BAD);
	CONVERT(UNMARKED_BE, "\0h\xde\x00\0i", "h" BAD "i");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_repair_mistakes_are_replaced),
	};

	return cmocka_run_group_tests_name("collect/collect_repair", tests, NULL,
					   NULL);
}
