/* SPDX-License-Identifier: MIT */
/*
 * test_unicode.c - classes are those of the table under data/, UTF-8 is valid
 * where iconv(3) takes it, and what is not is mended as Unicode recommends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include <iconv.h>

#include "tokenizer/unicode.h"

static const struct {
	const char *name;
	uint32_t class;
} names[] = {
	{ "punct", CLASS_PUNCT }, { "upper", CLASS_UPPER },
	{ "lower", CLASS_LOWER }, { "letter", CLASS_LETTER },
	{ "mark", CLASS_MARK },   { "number", CLASS_NUMBER },
	{ "space", CLASS_SPACE }, { "newline", CLASS_NEWLINE },
};

static uint8_t classes[0x110000]; /* the place in names[] + 1; 0: other */

static void
read_classes(void)
{
	FILE *file = fopen("data/unicode_class.txt", "re");
	char line[256], name[16];
	unsigned first, last;
	size_t i;

	assert_non_null(file);
	while (fgets(line, sizeof(line), file) != NULL) {
		if (sscanf(line, "%x %x %15s", &first, &last, name) != 3)
			continue;
		for (i = 0; i < sizeof(names) / sizeof(names[0]); i++)
			if (strcmp(names[i].name, name) == 0)
				break;
		assert_true(i < sizeof(names) / sizeof(names[0]));
		for (; first <= last; first++)
			classes[first] = (uint8_t)(i + 1);
	}
	fclose(file);
}

static size_t
put_utf8(uint8_t *to, uint32_t c)
{
	if (c < 0x80) {
		to[0] = (uint8_t)c;
		return 1;
	}
	if (c < 0x800) {
		to[0] = (uint8_t)(0xc0 | c >> 6);
		to[1] = (uint8_t)(0x80 | (c & 0x3f));
		return 2;
	}
	if (c < 0x10000) {
		to[0] = (uint8_t)(0xe0 | c >> 12);
		to[1] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
		to[2] = (uint8_t)(0x80 | (c & 0x3f));
		return 3;
	}
	to[0] = (uint8_t)(0xf0 | c >> 18);
	to[1] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
	to[2] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
	to[3] = (uint8_t)(0x80 | (c & 0x3f));
	return 4;
}

static void
test_unicode_classes_are_those_of_the_data(void **state)
{
	uint32_t c;

	assert_true(unicode_tables_valid());
	read_classes();
	for (c = 0; c < 0x110000; c++) {
		uint32_t want = classes[c] == 0 ? CLASS_OTHER
						: names[classes[c] - 1].class;
		uint8_t text[4];
		size_t len = put_utf8(text, c);
		struct rune rune;
		uint32_t code;

		if (c >= 0xd800 && c < 0xe000)
			continue;
		assert_int_equal(unicode_read(text, &code), len);
		assert_int_equal(code, c);
		rune = unicode_rune(text, len);
		if (rune.cls != want)
			fail_msg("U+%04X: got %u, want %u", c, rune.cls, want);
		assert_int_equal(rune.len, len);
	}
	assert_int_equal(unicode_rune((const uint8_t *)"", 0).cls, CLASS_END);
	assert_int_equal(unicode_rune((const uint8_t *)"", 0).len, 0);
}

/* A checksum tells a changed byte, and a length. */
static void
test_unicode_checksum_is_of_all_behind_the_head(void **state)
{
	uint8_t bytes[64] = "0123456789abcdef and what is behind it, odd";
	uint32_t sum = unicode_checksum(bytes, 43);
	size_t i;

	assert_true(unicode_checksum(bytes, 42) != sum);
	for (i = 0; i < 43; i++) {
		bytes[i] ^= 1;
		assert_int_equal(unicode_checksum(bytes, 43) == sum, i < 16);
		bytes[i] ^= 1;
	}
}

/* What iconv(3) converts from the beginning. */
static size_t
valid_by_iconv(iconv_t to, uint8_t *text, size_t len)
{
	uint32_t out[256];
	char *from = (char *)text, *at = (char *)out;
	size_t left = len, room = sizeof(out);

	iconv(to, NULL, NULL, NULL, NULL);
	iconv(to, &from, &left, &at, &room);
	return len - left;
}

static void
test_unicode_valid_is_what_iconv_takes(void **state)
{
	static const uint8_t some[] = { 0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90,
					0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf,
					0xe0, 0xe1, 0xed, 0xef, 0xf0, 0xf3,
					0xf4, 0xf5, 0xff, 0x41, 0x41, 0x41 };
	iconv_t to = iconv_open("UTF-32LE", "UTF-8");
	uint64_t seed = 20261125;
	int round;

	assert_true(to != (iconv_t)-1);
	for (round = 0; round < 200000; round++) {
		uint8_t text[160];
		/* with long valid parts, for the fast loop */
		size_t head = round % 2 == 0 ? 0 : (size_t)round % 100;
		size_t len = head, i;

		memset(text, 'x', sizeof(text));
		for (i = 0; i < 8; i++) {
			seed = seed * 6364136223846793005u +
			       1442695040888963407u;
			text[len++] = some[(seed >> 33) % sizeof(some)];
		}
		if (round % 4 == 1)
			len += 40;
		assert_int_equal(unicode_valid_len(text, len),
				 valid_by_iconv(to, text, len));
	}
	iconv_close(to);
}

/* The first is table 3-8 of the standard; R stands for U+FFFD. */
static const struct {
	const char *text;
	const char *want;
} repairs[] = {
	{ "\x61\xf1\x80\x80\xe1\x80\xc2\x62\x80\x63\x80\xbf\x64",
	  "aRRRbRcRRd" },
	{ "\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", "RRRRRRRRA" },
	{ "\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", "RRRRRRRRA" },
	{ "\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", "RRRRRARRB" },
	{ "\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", "RRRRA" },
	{ "\xe2\x82\xac!", "\xe2\x82\xac!" },
	{ "a\xf0\x9f\x98", "aR" },
	{ "", "" },
};

/* In parts of so many bytes. */
static void
repair(const char *text, size_t part, char *out)
{
	const uint8_t *bytes = (const uint8_t *)text;
	size_t len = strlen(text), at = 0, until = 0;

	while (at < len) {
		uint8_t some[3 * 16];
		size_t nr, taken;

		if (until < len && until - at < part)
			until = at + part < len ? at + part : len;
		assert_true(3 * (until - at) <= sizeof(some));
		taken = unicode_repair(bytes + at, until - at, until == len,
				       some, &nr);
		if (taken == 0) /* more bytes are needed */
			until += until < len;
		at += taken;
		memcpy(out, some, nr);
		out += nr;
	}
	*out = '\0';
}

static void
test_unicode_repair_is_that_of_the_standard(void **state)
{
	size_t i, part;

	for (i = 0; i < sizeof(repairs) / sizeof(repairs[0]); i++) {
		char want[64] = "", got[64];
		const char *at;
		size_t nr = 0;

		for (at = repairs[i].want; *at != '\0'; at++) {
			const bool is_bad = *at == 'R';

			memcpy(want + nr, is_bad ? "\xef\xbf\xbd" : at,
			       is_bad ? 3 : 1);
			nr += is_bad ? 3 : 1;
		}
		for (part = 1; part < 16; part++) {
			repair(repairs[i].text, part, got);
			assert_string_equal(got, want);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unicode_classes_are_those_of_the_data),
		cmocka_unit_test(
			test_unicode_checksum_is_of_all_behind_the_head),
		cmocka_unit_test(test_unicode_valid_is_what_iconv_takes),
		cmocka_unit_test(test_unicode_repair_is_that_of_the_standard),
	};

	return cmocka_run_group_tests_name("tokenizer/unicode", tests, NULL,
					   NULL);
}
