/* SPDX-License-Identifier: MIT */
/*
 * test_text.c - what formats have in common: fences, special tokens, names in
 * JSON as jansson reads them.
 */
#include "tests/support/test_shm.h"

#include <jansson.h>

#include "markup/markup.h"

static void
test_fence_is_longer_than_what_is_in_it(void **state)
{
	for (uint32_t run = 0; run < 20; run++) {
		uint64_t fence = markup_fence(run, 3);

		ASSERT_TRUE(fence > run && fence >= 3);
		ASSERT_TRUE(fence == 3 || fence == run + 1);
	}
	ASSERT_EQ(markup_fence(UINT32_MAX, 3), 1ull << 32);
}

static void
test_special_tokens_are_names_between_bars(void **state)
{
	static const struct {
		const char *text;
		size_t want;
	} cases[] = {
		{ "<|endoftext|>", 13 }, { "<|a|>b", 5 },  { "<|im_1|>", 8 },
		{ "<||>", 0 },           { "<|a b|>", 0 }, { "<|a|", 0 },
		{ "<|a>", 0 },           { "|a|>", 0 },    { "<a|>", 0 },
		{ "<|\xc3\xa9|>", 0 },   { "<|a|b|>", 0 }, { "", 0 },
	};
	char longest[80] = "<|";

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const uint8_t *at = (const uint8_t *)cases[i].text;

		ASSERT_EQ(markup_special(at, at + strlen(cases[i].text)),
			  cases[i].want);
	}
	memset(longest + 2, 'a', 64);
	strcpy(longest + 66, "|>");
	ASSERT_EQ(markup_special((uint8_t *)longest, (uint8_t *)longest + 68),
		  68);
	strcpy(longest + 66, "a|>");
	ASSERT_EQ(markup_special((uint8_t *)longest, (uint8_t *)longest + 69),
		  0);
}

/* Every character as a name: a parser gives it back. */
static void
test_json_names_are_read_back_by_a_parser(void **state)
{
	for (uint32_t c = 1; c < 0x110000;
	     c += c < 0x3000 || c >> 13 == 0x6f || c >> 12 == 0xe0 ? 1 : 251) {
		char out[32];
		uint8_t name[5] = { 0 };
		size_t nr;
		struct markup_text text = { .at = out, .room = sizeof(out) };
		json_t *json;

		if (c >= 0xd800 && c < 0xe000)
			continue;
		if (c < 0x80) {
			nr = 1;
			name[0] = (uint8_t)c;
		} else if (c < 0x800) {
			nr = 2;
			name[0] = (uint8_t)(0xc0 | c >> 6);
			name[1] = (uint8_t)(0x80 | (c & 63));
		} else if (c < 0x10000) {
			nr = 3;
			name[0] = (uint8_t)(0xe0 | c >> 12);
			name[1] = (uint8_t)(0x80 | (c >> 6 & 63));
			name[2] = (uint8_t)(0x80 | (c & 63));
		} else {
			nr = 4;
			name[0] = (uint8_t)(0xf0 | c >> 18);
			name[1] = (uint8_t)(0x80 | (c >> 12 & 63));
			name[2] = (uint8_t)(0x80 | (c >> 6 & 63));
			name[3] = (uint8_t)(0x80 | (c & 63));
		}
		markup_add_json(&text, name, nr);
		ASSERT_TRUE(!text.short_of_room);
		json = json_loadb(out, (size_t)(text.at - out), JSON_DECODE_ANY,
				  NULL);
		if (json == NULL)
			fail_msg("U+%04X: %.*s", c, (int)(text.at - out), out);
		ASSERT_EQ(json_string_length(json), nr);
		assert_memory_equal(json_string_value(json), name, nr);
		json_decref(json);
	}
}

/* A byte that is of no character is the lone surrogate that Python has. */
static void
test_json_bytes_of_no_character_are_numbers(void **state)
{
	char out[32] = "";
	struct markup_text text = { .at = out, .room = sizeof(out) };

	markup_add_json(&text, "a\xff\x80\"\\\n", 6);
	assert_string_equal(out, "\"a\\udcff\\udc80\\\"\\\\\\u000a\"");
}

static void
test_text_without_room_says_so(void **state)
{
	char out[5] = "----";
	struct markup_text text = { .at = out, .room = 3 };

	markup_add_string(&text, "ab");
	ASSERT_TRUE(!text.short_of_room);
	markup_add_string(&text, "cd");
	ASSERT_TRUE(text.short_of_room);
	ASSERT_EQ(out[3], '-');
}

/* A name in quotes cannot be taken for two, or for the end of the list. */
static void
test_copies_are_a_list_of_names(void **state)
{
	static const char *const names[] = { "a.c", "b, c", "x (1)/d", "e\n" };
	struct markup_copies copies = { .nr = 1 };
	char to[MARKUP_COPIES_BYTES];
	char longest[5000];
	size_t nr;

	for (uint32_t i = 0; i < 4; i++)
		copies.names[i] = (struct markup_name){
			(const uint8_t *)names[i], strlen(names[i])
		};
	nr = markup_copies(to, &copies);
	ASSERT_TRUE(nr == 3 && memcmp(to, "a.c", 3) == 0);
	copies.nr = 4;
	copies.more = true;
	nr = markup_copies(to, &copies);
	to[nr] = '\0';
	assert_string_equal(
		to, "a.c, \"b, c\", \"x (1)/d\", \"e\\n\" and others");
	/* there is room for as many and as long ones as there may be */
	memset(longest, 1, sizeof(longest));
	copies.nr = MARKUP_COPIES;
	for (uint32_t i = 0; i < MARKUP_COPIES; i++)
		copies.names[i] = (struct markup_name){ (uint8_t *)longest,
							sizeof(longest) };
	ASSERT_TRUE(markup_copies(to, &copies) <= sizeof(to));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_fence_is_longer_than_what_is_in_it),
		cmocka_unit_test(test_special_tokens_are_names_between_bars),
		cmocka_unit_test(test_copies_are_a_list_of_names),
		cmocka_unit_test(test_json_names_are_read_back_by_a_parser),
		cmocka_unit_test(test_json_bytes_of_no_character_are_numbers),
		cmocka_unit_test(test_text_without_room_says_so),
	};

	return cmocka_run_group_tests_name("markup/text", tests, NULL, NULL);
}
