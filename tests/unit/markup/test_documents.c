/* SPDX-License-Identifier: MIT */
/*
 * test_documents.c - each line is a document, read by jansson.
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
	.line_last = 9,
	.line_nr = 12,
	.continued = MARKUP_CONTINUED,
};

static const struct markup_section nothing[] = {
	{ .name = (const uint8_t *)"c", .name_bytes = 1, .same_path = "b" },
	{ .name = (const uint8_t *)"d", .name_bytes = 1, .empty = true },
};

/* The lines of an output as an array. */
static json_t *
documents(void)
{
	json_t *all = json_array();
	char *state;

	*text.at = '\0';
	for (char *line = strtok_r(bytes, "\n", &state); line != NULL;
	     line = strtok_r(NULL, "\n", &state)) {
		json_t *one = json_loads(line, 0, NULL);

		assert_non_null(one);
		json_array_append_new(all, one);
	}
	return all;
}

static json_t *
write_all(const struct markup_options *options)
{
	const struct markup_format *format = markup_table[options->kind];

	text = (struct markup_text){ .at = bytes, .room = sizeof(bytes) - 1 };
	format->begin(&text, options, NULL);
	format->open(&text, options, &whole);
	markup_add_string(&text, "int a;\\n");
	markup_close(&text, format, &whole, false);
	for (size_t i = 0; i < ARRAY_LEN(nothing); i++)
		format->open(&text, options, &nothing[i]);
	format->open(&text, options, &part);
	markup_add_string(&text, "x\\n");
	format->gap(&text, &part, 4, 8);
	markup_add_string(&text, "y");
	format->broken(&text, &part, "it \"changed\"");
	markup_close(&text, format, &part, true);
	format->files_end(&text, options, 2);
	markup_extra_open(&text, format, MARKUP_TREE, 0);
	markup_add_string(&text, "src/\\n");
	markup_extra_close(&text, format, MARKUP_TREE, 0);
	markup_end(&text, format);
	assert_false(text.short_of_room);
	return documents();
}

static void
test_documents_are_objects_with_text(void **state)
{
	const struct markup_options options = {
		.kind = MARKUP_DOCUMENTS,
		.source = "a \"tree\"",
		.header = "read\nme",
		.header_bytes = 7,
	};
	json_t *got = write_all(&options);
	json_t *want = json_pack(
		"[{s:s, s:s, s:{}, s:s},"
		" {s:s, s:s, s:{s:s, s:s, s:[i,i]}, s:s},"
		" {s:s, s:s, s:{s:s, s:[i,i], s:i, s:s}, s:s},"
		" {s:s, s:s, s:{}, s:s}]",
		"id", "bale:header", "source", "bale", "metadata", "text",
		"read\nme", "id", "a \"tree\"/src/\"a\".c", "source",
		"a \"tree\"", "metadata", "path", "src/\"a\".c", "language",
		"c", "lines", 1, 9, "text", "int a;\n", "id", "a \"tree\"/b#3",
		"source", "a \"tree\"", "metadata", "path", "b", "lines", 3, 9,
		"of", 12, "from", "UTF-16LE", "text",
		"x\n// ... (lines 4-8)\ny\n// ... (the rest is left out: it "
		"\"changed\")\n",
		"id", "bale:tree", "source", "bale", "metadata", "text",
		"src/\n");

	assert_non_null(want);
	if (!json_equal(got, want))
		fail_msg("%s", json_dumps(got, 0));
	json_decref(got);
	json_decref(want);
}

/* Of several trees. */
static void
test_documents_without_a_source_have_paths_as_ids(void **state)
{
	const struct markup_options options = { .kind = MARKUP_DOCUMENTS };
	json_t *got = write_all(&options);
	const json_t *first = json_array_get(got, 0);

	ASSERT_EQ(json_array_size(got), 3);
	assert_string_equal(json_string_value(json_object_get(first, "id")),
			    "src/\"a\".c");
	assert_string_equal(json_string_value(json_object_get(first, "source")),
			    "bale");
	json_decref(got);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_documents_are_objects_with_text),
		cmocka_unit_test(
			test_documents_without_a_source_have_paths_as_ids),
	};

	return cmocka_run_group_tests_name("markup/documents", tests, NULL,
					   NULL);
}
