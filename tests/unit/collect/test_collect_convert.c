/* SPDX-License-Identifier: MIT */
/*
 * test_collect_convert.c - character sets to UTF-8, against iconv(3).
 */
#include "tests/support/test_collect_scratch.h"
#include "tests/support/test_convert.h"

#include <iconv.h>

/* What the C library makes of it. owner: the caller's */
static char *
by_iconv(const char *set, const char *from, size_t bytes, size_t *got)
{
	iconv_t cd = iconv_open("UTF-8", set);
	size_t left = 4 * bytes + 16;
	char *out = malloc(left);
	char *to = out;
	char *at = malloc(bytes);
	char *in = at;

	assert_true(cd != (iconv_t)-1);
	memcpy(in, from, bytes);
	assert_int_equal(iconv(cd, &in, &bytes, &to, &left), 0);
	iconv_close(cd);
	free(at);
	*got = (size_t)(to - out);
	return out;
}

#define BAD "\xef\xbf\xbd"

/* In pieces of every size, the result is the same. */
static void
check_convert(uint8_t set, const char *from, size_t bytes,
	      const char *want, size_t want_bytes)
{
	bool repaired = memmem(want, want_bytes, BAD, 3) != NULL;

	for (size_t piece = 1; piece <= bytes; piece++) {
		struct collect_convert convert;
		char *to = malloc(COLLECT_CONVERT_ROOM(bytes) * 2 + 64);
		size_t got = convert_in_pieces(&convert, set, from, bytes,
					       piece, to);

		assert_int_equal(got, want_bytes);
		assert_memory_equal(to, want, got);
		assert_int_equal(convert.repaired, repaired);
		free(to);
	}
}

static void
test_convert_agrees_with_iconv(void **state)
{
	static const char utf16[] = "a\0\xfc\0\xac\x20\x3d\xd8\x00\xde\n\0";
	char western[251];
	char *want;
	size_t want_bytes;
	size_t nr = 0;

	want = by_iconv("UTF-16LE", utf16, sizeof(utf16) - 1, &want_bytes);
	check_convert(CHARSET_UTF16_LE, utf16, sizeof(utf16) - 1, want,
		      want_bytes);
	free(want);
	want = by_iconv("UTF-16BE", utf16, 8, &want_bytes);
	check_convert(CHARSET_UTF16_BE, utf16, 8, want, want_bytes);
	free(want);
	for (int c = 1; c < 256; c++) {
		if (c != 0x81 && c != 0x8d && c != 0x8f && c != 0x90 &&
		    c != 0x9d)
			western[nr++] = (char)c;
	}
	want = by_iconv("CP1252", western, nr, &want_bytes);
	check_convert(CHARSET_WESTERN, western, nr, want, want_bytes);
	free(want);
}

static void
test_convert_mistakes_are_replaced(void **state)
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
		cmocka_unit_test(test_convert_agrees_with_iconv),
		cmocka_unit_test(test_convert_mistakes_are_replaced),
	};

	return cmocka_run_group_tests_name("collect/collect_convert", tests,
					   NULL, NULL);
}
