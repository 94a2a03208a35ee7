/* SPDX-License-Identifier: MIT */
/*
 * test_markup_cut.c - what is one character, in a text as it is and in one that
 * is escaped: nothing may cut it.
 */
#include "tests/test_shm.h"

#include "markup/markup.h"

static size_t
encode(uint32_t c, uint8_t *to)
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

/* Each character that there is, whole and cut off; those that are none. */
static void
test_utf8_of_every_number_is_one_character_or_none(void **state)
{
	for (uint32_t c = 0; c < 0x140000; c++) {
		bool exists = c < 0x110000 && (c < 0xd800 || c > 0xdfff);
		uint8_t bytes[4];
		size_t nr = encode(c, bytes);
		uint32_t got = 0;
		bool cut = true;

		ASSERT_EQ(markup_utf8(bytes, bytes + nr, &got, &cut),
			  exists ? nr : 0);
		ASSERT_TRUE(!cut);
		if (!exists)
			continue;
		ASSERT_EQ(got, c);
		for (size_t some = 1; some < nr; some++) {
			ASSERT_EQ(markup_utf8(bytes, bytes + some, &got, &cut),
				  0);
			ASSERT_TRUE(cut);
		}
	}
}

static void
test_utf8_overlong_and_interrupted_is_none(void **state)
{
	static const char *const bad[] = {
		"\x80",
		"\xbf",
		"\xc0\x80",
		"\xc1\xbf",
		"\xe0\x80\x80",
		"\xe0\x9f\xbf",
		"\xf0\x8f\xbf\xbf",
		"\xf5\x80\x80\x80",
		"\xff",
		"\xc3(",
		"\xe2\x82(",
		"\xe2(\x82",
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		const uint8_t *at = (const uint8_t *)bad[i];
		uint32_t c;
		bool cut;

		ASSERT_EQ(markup_utf8(at, at + strlen(bad[i]), &c, &cut), 0);
		ASSERT_TRUE(!cut);
	}
}

static void
test_atoms_are_characters_escapes_and_marks(void **state)
{
	static const struct {
		enum markup_escape escape;
		const char *text;
		size_t want;
		bool newline;
	} cases[] = {
		{ MARKUP_ESCAPE_NONE, "ab", 1, false },
		{ MARKUP_ESCAPE_NONE, "\nb", 1, true },
		{ MARKUP_ESCAPE_NONE,
		  "\xe2\x82\xac"
		  "b",
		  3, false },
		{ MARKUP_ESCAPE_NONE,
		  "\xff"
		  "b",
		  1, false },
		{ MARKUP_ESCAPE_NONE, "\\nb", 1, false },
		{ MARKUP_ESCAPE_NONE, "\\u{202e}b", 8, false },
		{ MARKUP_ESCAPE_NONE, "\\u{202e", 1, false },
		{ MARKUP_ESCAPE_JSON, "\\nb", 2, true },
		{ MARKUP_ESCAPE_JSON, "\\tb", 2, false },
		{ MARKUP_ESCAPE_JSON, "\\\\u0041", 2, false },
		{ MARKUP_ESCAPE_JSON, "\\u001bb", 6, false },
		{ MARKUP_ESCAPE_JSON, "\\ud83d\\ude00b", 12, false },
		{ MARKUP_ESCAPE_JSON, "\\ud83d\\ude00", 12, false },
		{ MARKUP_ESCAPE_JSON, "\\udbff\\udfffb", 12, false },
		{ MARKUP_ESCAPE_JSON, "\\ud83d\\u0041b", 6, false },
		{ MARKUP_ESCAPE_JSON, "\\udc41\\udc42b", 6, false },
		{ MARKUP_ESCAPE_JSON, "\\u8abc\\udc42b", 6, false },
		{ MARKUP_ESCAPE_JSON, "\\ud7ff\\udc42b", 6, false },
		{ MARKUP_ESCAPE_JSON, "\\u00", 4, false },
		{ MARKUP_ESCAPE_JSON, "\"},{\"line\":9,\"text\":\"b", 21,
		  false },
		{ MARKUP_ESCAPE_JSON, "\"b", 1, false },
		{ MARKUP_ESCAPE_CDATA, "]]>&#13;<![CDATA[b", 17, false },
		{ MARKUP_ESCAPE_CDATA, "]]b", 1, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const uint8_t *at = (const uint8_t *)cases[i].text;
		bool newline = !cases[i].newline;
		size_t got = markup_atom(cases[i].escape, at,
					 at + strlen(cases[i].text), &newline);

		if (got != cases[i].want || newline != cases[i].newline)
			fail_msg("%s: got %zu bytes, want %zu", cases[i].text,
				 got, cases[i].want);
	}
}

/* As a name stands in JSON, byte by byte. */
static void
test_json_names_show_what_could_not_be_seen(void **state)
{
	static const char *const cases[][2] = {
		{ "a\"b\\c", "a\\\"b\\\\c" },
		{ "\xff"
		  "abc",
		  "\\udcff"
		  "abc" },
		{ "\xff\xfe", "\\udcff\\udcfe" },
		{ "\xc3\xa9\xe2\x80\xaez", "\xc3\xa9\\u202ez" },
		{ "\xf3\xa0\x81\x81z", "\\udb40\\udc41z" },
		{ "a\x1b\n", "a\\u001b\\u000a" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char bytes[100] = "";
		struct markup_text text = { .at = bytes,
					    .room = sizeof(bytes) - 1 };

		markup_add_json_inside(&text, cases[i][0], strlen(cases[i][0]));
		assert_string_equal(bytes, cases[i][1]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_utf8_of_every_number_is_one_character_or_none),
		cmocka_unit_test(test_utf8_overlong_and_interrupted_is_none),
		cmocka_unit_test(test_atoms_are_characters_escapes_and_marks),
		cmocka_unit_test(test_json_names_show_what_could_not_be_seen),
	};

	return cmocka_run_group_tests_name("markup/cut", tests, NULL, NULL);
}
