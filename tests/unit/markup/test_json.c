/* SPDX-License-Identifier: MIT */
/*
 * test_json.c - documents and lines are JSON, and say of files what is known:
 * read by jansson.
 */
#include "tests/support/test_shm.h"

#include <jansson.h>

#include "markup/markup.h"

static char bytes[4096];
static struct markup_text text;

static const struct markup_section whole = {
	.name = (const uint8_t *)"src/\"a\".c",
	.name_bytes = 9,
	.hint = "c",
	.hint_bytes = 1,
	.line_first = 1,
	.line_last = 9,
	.line_nr = 9,
	.is_first = true,
};

static const struct markup_section part = {
	.name = (const uint8_t *)"b",
	.name_bytes = 1,
	.charset = "UTF-16LE",
	.line_first = 3,
	.line_last = 4,
	.line_nr = 9,
	.traits = MARKUP_HAS_BIDI | MARKUP_HAS_CONTROL,
	.continued = MARKUP_CONTINUED_MID,
	.goes_on = true,
};

static const struct markup_section same = {
	.name = (const uint8_t *)"c",
	.name_bytes = 1,
	.same_path = "b",
	.same_as = (const uint8_t *)"b",
	.same_as_bytes = 1,
};

static const struct markup_section empty = {
	.name = (const uint8_t *)"d",
	.name_bytes = 1,
	.empty = true,
};

/* All that there can be, in one output. */
static void
write_all(const struct markup_format *format,
	  const struct markup_options *options, const struct markup_part *of)
{
	text = (struct markup_text){ .at = bytes, .room = sizeof(bytes) - 1 };
	format->begin(&text, options, of);
	format->open(&text, options, &whole);
	markup_add_string(&text, "int a;\\n");
	format->gap(&text, &whole, 2, 8);
	markup_add_string(&text, "int b;\\n");
	markup_close(&text, format, &whole, false);
	format->open(&text, options, &part);
	format->broken(&text, &part, "it \"changed\"");
	markup_close(&text, format, &part, true);
	format->open(&text, options, &same);
	format->open(&text, options, &empty);
	format->files_end(&text, options, 4);
	markup_extra_open(&text, format, MARKUP_TREE, 0);
	markup_add_string(&text, "tree\\n");
	markup_extra_close(&text, format, MARKUP_TREE, 0);
	markup_end(&text, format);
	ASSERT_TRUE(!text.short_of_room);
	*text.at = '\0';
}

/* Whether a value is what this JSON says. */
static void
assert_json(const json_t *got, const char *want)
{
	json_t *wanted = json_loads(want, JSON_DECODE_ANY, NULL);

	assert_non_null(wanted);
	if (!json_equal(got, wanted))
		fail_msg("got %s, want %s",
			 json_dumps(got, JSON_ENCODE_ANY | JSON_COMPACT), want);
	json_decref(wanted);
}

#define WHOLE                                                               \
	"{\"path\":\"src/\\\"a\\\".c\",\"language\":\"c\",\"lines\":[1,9]," \
	"\"chunks\":[{\"line\":1,\"text\":\"int a;\\n\"},{\"gap\":[2,8]},"  \
	"{\"line\":9,\"text\":\"int b;\\n\"}]}"
#define PART                                                              \
	"{\"path\":\"b\",\"lines\":[3,4],\"of\":9,\"from\":\"UTF-16LE\"," \
	"\"characters\":[\"control\",\"bidi\"],\"continued\":"            \
	"\"within-line\",\"goes_on\":true,\"chunks\":[{\"line\":3,"       \
	"\"text\":\"\"},{\"broken\":\"it \\\"changed\\\"\",\"text\":\"\"}]}"
#define SAME "{\"path\":\"c\",\"same_as\":\"b\"}"
#define EMPTY "{\"path\":\"d\",\"empty\":true}"

static void
test_json_document_says_what_is_known(void **state)
{
	const struct markup_options options = {
		.kind = MARKUP_JSON,
		.header = "head\n",
		.header_bytes = 5,
		.hashes = true,
	};
	json_t *root;

	write_all(&markup_json, &options,
		  &(struct markup_part){ .number = 2, .nr = 3 });
	root = json_loads(bytes, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(root);
	assert_json(root, "{\"bale\":1,\"part\":2,\"of\":3,\"header\":"
			  "\"head\\n\",\"files\":[" WHOLE "," PART "," SAME
			  "," EMPTY "],\"end\":4,\"tree\":\"tree\\n\"}");
	json_decref(root);
}

static void
test_json_lines_are_an_object_each(void **state)
{
	static const char *const want[] = {
		"{\"bale\":1,\"part\":2,\"of\":3}",
		WHOLE,
		PART,
		SAME,
		EMPTY,
		"{\"end\":4}",
		"{\"tree\":\"tree\\n\"}",
	};
	const struct markup_options options = { .kind = MARKUP_JSONL,
						.hashes = true };
	char *line = bytes;

	write_all(&markup_jsonl, &options,
		  &(struct markup_part){ .number = 2, .nr = 3 });
	for (size_t i = 0; i < ARRAY_LEN(want); i++) {
		char *end = strchr(line, '\n');
		json_t *root;

		assert_non_null(end);
		root = json_loadb(line, (size_t)(end - line),
				  JSON_REJECT_DUPLICATES, NULL);
		assert_non_null(root);
		assert_json(root, want[i]);
		json_decref(root);
		line = end + 1;
	}
	ASSERT_EQ(*line, '\0');
}

/* Of one that ends before its last line, or begins behind its first. */
static void
test_json_says_how_many_lines_a_file_has_if_some_are_missing(void **state)
{
	static const struct {
		uint64_t first, last;
		const char *want;
	} cases[] = {
		{ 1, 9, "\"lines\":[1,9],\"chunks\"" },
		{ 1, 8, "\"lines\":[1,8],\"of\":9" },
		{ 2, 9, "\"lines\":[2,9],\"of\":9" },
	};
	const struct markup_options options = { .kind = MARKUP_JSON };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct markup_section section = whole;

		section.line_first = cases[i].first;
		section.line_last = cases[i].last;
		text = (struct markup_text){ .at = bytes,
					     .room = sizeof(bytes) - 1 };
		markup_json.open(&text, &options, &section);
		*text.at = '\0';
		if (strstr(bytes, cases[i].want) == NULL)
			fail_msg("got %s, want %s", bytes, cases[i].want);
	}
}

static void
test_json_lines_begin_with_nothing_if_nothing_is_to_be_said(void **state)
{
	const struct markup_options options = { .kind = MARKUP_JSONL };

	text = (struct markup_text){ .at = bytes, .room = sizeof(bytes) };
	markup_jsonl.begin(&text, &options, NULL);
	ASSERT_TRUE(text.at == bytes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_json_document_says_what_is_known),
		cmocka_unit_test(test_json_lines_are_an_object_each),
		cmocka_unit_test(
			test_json_says_how_many_lines_a_file_has_if_some_are_missing),
		cmocka_unit_test(
			test_json_lines_begin_with_nothing_if_nothing_is_to_be_said),
	};

	return cmocka_run_group_tests_name("markup/json", tests, NULL, NULL);
}
