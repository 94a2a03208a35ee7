/* SPDX-License-Identifier: MIT */
/*
 * test_markup_escape.c - what content becomes, by hand and however it is cut.
 */
#include "tests/support/test_shm.h"

#include "markup/markup.h"
#include "catalogue/desc.h"

#define TEXT_BYTES 3000
#define OUT_BYTES (64 * TEXT_BYTES)

static uint8_t out[OUT_BYTES];
static uint8_t other[OUT_BYTES];

/* All of it, in parts of so many bytes, with so much room each time. */
static size_t
escape(const struct markup_options *options, const void *text, size_t nr,
       size_t part, size_t room, uint8_t *to)
{
	struct markup_flow flow = markup_flow_at(7);
	const uint8_t *at = text;
	const uint8_t *end = at + nr;
	uint8_t last[4 * MARKUP_STEP_BYTES];
	struct markup_rules rules;
	size_t put = 0;

	markup_rules_init(&rules, options);
	while (at < end) {
		struct markup_rest rest = {
			at, at + min_size(part, (size_t)(end - at))
		};

		while (rest.at < rest.end)
			put += markup_escape_run(&rules, &flow, &rest, to + put,
						 room);
		at = rest.end;
	}
	put += markup_escape_end(&rules, &flow, to + put);
	/* what was held is given once */
	ASSERT_EQ(markup_escape_end(&rules, &flow, last), 0);
	return put;
}

static const struct {
	const char *what;
	struct markup_options options;
	const char *text;
	const char *want;
} cases[] = {
	{ "JSON",
	  { .kind = MARKUP_JSON },
	  "a\"\\\n\t\x1b\x7f/",
	  "a\\\"\\\\\\n\\t\\u001b\x7f/" },
	{ "JSON, malformed",
	  { .kind = MARKUP_JSON },
	  "\xff\xc3(\xed\xa0\x80",
	  "\\udcff\\udcc3(\\udced\\udca0\\udc80" },
	{ "JSON, cut", { .kind = MARKUP_JSON }, "\xe2\x82", "\\udce2\\udc82" },
	{ "JSON, letters",
	  { .kind = MARKUP_JSONL },
	  "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
	  "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" },
	{ "CDATA",
	  { .kind = MARKUP_XML },
	  "a]]>]]]>]]",
	  "a]]]]><![CDATA[>]]]]]><![CDATA[>]]" },
	{ "CDATA, markup",
	  { .kind = MARKUP_XML },
	  "<a href=\"&amp;\">]>",
	  "<a href=\"&amp;\">]>" },
	{ "CDATA, brackets with a character between them",
	  { .kind = MARKUP_XML },
	  "]\xc3\x9f]>]]\xe2\x82\xac>",
	  "]\xc3\x9f]>]]\xe2\x82\xac>" },
	{ "CDATA, controls",
	  { .kind = MARKUP_XML },
	  "a\r\n\x1b\t\xef\xbf\xbf",
	  "a]]>&#13;<![CDATA[\n]]><byte hex=\"1b\"/><![CDATA[\t"
	  "]]><byte hex=\"ef\"/><![CDATA[]]><byte hex=\"bf\"/><![CDATA["
	  "]]><byte hex=\"bf\"/><![CDATA[" },
	{ "numbers",
	  { .kind = MARKUP_MARKDOWN, .numbers = true },
	  "a\n\nb",
	  "7: a\n8: \n9: b" },
	{ "numbers in JSON",
	  { .kind = MARKUP_JSON, .numbers = true },
	  "a\nb\n",
	  "7: a\\n8: b\\n" },
	{ "numbers and brackets",
	  { .kind = MARKUP_XML, .numbers = true },
	  "]]\n>",
	  "7: ]]\n8: >" },
	{ "visible",
	  { .kind = MARKUP_MARKDOWN, .unicode = MARKUP_UNICODE_ESCAPE },
	  "a\xe2\x80\xae"
	  "b\x1b\tc\f\xff",
	  "a\\u{202e}b\\u{1b}\tc\f\\x{ff}" },
	{ "visible in JSON",
	  { .kind = MARKUP_JSON, .unicode = MARKUP_UNICODE_ESCAPE },
	  "\xe2\x80\xae",
	  "\\\\u{202e}" },
	{ "left out",
	  { .kind = MARKUP_PLAIN, .unicode = MARKUP_UNICODE_STRIP },
	  "a\xe2\x80\xae"
	  "b\x1b\n\xff",
	  "ab\n" },
};

/* verifies: FR-016-135 */
static void
test_escape_by_hand_is_as_written(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		size_t nr = escape(&cases[i].options, cases[i].text,
				   strlen(cases[i].text), SIZE_MAX, sizeof(out),
				   out);

		if (nr != strlen(cases[i].want) ||
		    memcmp(out, cases[i].want, nr) != 0)
			fail_msg("%s: got %.*s want %s", cases[i].what, (int)nr,
				 out, cases[i].want);
	}
}

static size_t
make_text(uint64_t *seed, uint8_t *text)
{
	static const char *const parts[] = { "]]>",
					     "]",
					     ">",
					     "\n",
					     "\r\n",
					     "a",
					     "\"",
					     "\\",
					     "\xe2\x80\xae",
					     "\xe2\x80",
					     "\xf0\x9f\x98\x80",
					     "\xff",
					     "\x1b",
					     "word ",
					     "\xed",
					     "\xf4\x90",
					     "\xc3\xa9",
					     "\xef\xbf\xbe" };
	size_t nr = 0;
	size_t want = random_next(seed) % (TEXT_BYTES - 8);

	while (nr < want) {
		const char *part = parts[random_next(seed) % ARRAY_LEN(parts)];

		memcpy(text + nr, part, strlen(part));
		nr += strlen(part);
	}
	return nr;
}

/* verifies: FR-016-137 */
static void
test_escape_cut_anywhere_gives_the_same(void **state)
{
	uint8_t text[TEXT_BYTES];
	uint64_t seed = 0x5eed9;

	for (int round = 0; round < 600; round++) {
		const struct markup_options options = {
			.kind = (enum markup_kind)(round % MARKUP_NR),
			.unicode = (enum markup_unicode)(round / 5 % 3),
			.numbers = round / 15 % 2 == 1,
		};
		size_t nr = make_text(&seed, text);
		size_t want =
			escape(&options, text, nr, SIZE_MAX, OUT_BYTES, out);
		size_t got = escape(
			&options, text, nr, 1 + random_next(&seed) % 20,
			MARKUP_STEP_BYTES + random_next(&seed) % 100, other);

		ASSERT_EQ(got, want);
		ASSERT_EQ(memcmp(out, other, got), 0);
		/* room for one step at the end */
		ASSERT_TRUE(want <= nr * DESC_GROWTH_MAX);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_escape_by_hand_is_as_written),
		cmocka_unit_test(test_escape_cut_anywhere_gives_the_same),
	};

	return cmocka_run_group_tests_name("markup/escape", tests, NULL, NULL);
}
