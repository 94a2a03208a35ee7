/* SPDX-License-Identifier: MIT */
/*
 * test_markup_cut.c - what may not be cut, in a text as it is and in one that is
 * escaped.
 */
#include "tests/support/test_shm.h"

#include "markup/markup.h"

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
		cmocka_unit_test(test_atoms_are_characters_escapes_and_marks),
		cmocka_unit_test(test_json_names_show_what_could_not_be_seen),
	};

	return cmocka_run_group_tests_name("markup/cut", tests, NULL, NULL);
}
