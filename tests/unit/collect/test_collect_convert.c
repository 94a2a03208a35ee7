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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_convert_agrees_with_iconv),
	};

	return cmocka_run_group_tests_name("collect/collect_convert", tests,
					   NULL, NULL);
}
