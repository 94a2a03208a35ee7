/* SPDX-License-Identifier: MIT */
/*
 * test_collect_notebook.c - notebooks, however they come.
 */
#include "tests/support/test_convert.h"

static const struct {
	const char *json;
	const char *want;
} cases[] = {
	{ "{\"cells\":[]}", "" },
	{ "{\"cells\": [{\"cell_type\": \"code\", \"source\": [\"a = 1\\n\", "
	  "\"b\"]}, {\"cell_type\": \"markdown\", \"source\": \"# T\\n\\nx\"}]}",
	  "# %%\na = 1\nb\n\n# %% [markdown]\n# # T\n#\n# x\n" },
	/* escapes, one in two parts, and half of one */
	{ "{\"cells\":[{\"source\":\"\\\"\\\\\\/\\t\\u00e4\\ud83d\\ude00"
	  "\\ud83dx\\ude00\"}]}",
	  "# %%\n\"\\/\t\xc3\xa4\xf0\x9f\x98\x80\xef\xbf\xbdx\xef\xbf\xbd\n" },
	/* sources of others: outputs, metadata, what is no cell */
	{ "{\"source\":\"no\",\"metadata\":{\"cells\":[{\"source\":\"no\"}]},"
	  "\"cells\":[{\"cell_type\":\"code\",\"metadata\":{\"source\":\"no\"},"
	  "\"outputs\":[{\"source\":[\"no\"],\"data\":{\"source\":\"no\"}}],"
	  "\"source\":[\"yes\"]}],\"nbformat\":4,\"x\":{\"source\":\"no\"}}",
	  "# %%\nyes\n" },
	/* a cell without a source is none */
	{ "{\"cells\":[{\"cell_type\":\"code\",\"source\":[]},{\"cell_type\":"
	  "\"raw\",\"source\":[\"\",\"a\"]},{\"source\":\"\"}]}",
	  "# %% [markdown]\n# a\n" },
	/* not UTF-8, and not JSON either */
	{ "{\"cells\":[{\"source\":\"\xff\"", "# %%\n\xef\xbf\xbd\n" },
	{ "]]}}\"\\u12", "" },
};

static size_t
convert(const char *from, size_t bytes, size_t piece, char *to)
{
	struct collect_convert state;

	return convert_in_pieces(&state, CHARSET_NOTEBOOK, from, bytes, piece,
				 to);
}

static void
test_notebook_is_the_sources_of_its_cells(void **state)
{
	char got[4096];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		size_t bytes = strlen(cases[i].json);

		for (size_t piece = 1; piece <= bytes; piece++) {
			size_t nr = convert(cases[i].json, bytes, piece, got);

			if (nr != strlen(cases[i].want) ||
			    memcmp(got, cases[i].want, nr) != 0)
				fail_msg("%zu in pieces of %zu: got %.*s", i,
					 piece, (int)nr, got);
		}
	}
}

static void
test_notebook_comments_are_those_of_its_language(void **state)
{
	static const char json[] =
		"{\"cells\":[{\"cell_type\":\"code\",\"source\":\"int a;\"},"
		"{\"cell_type\":\"markdown\",\"source\":\"x\\n\\ny\"}]}";
	static const char want[] =
		"// %%\nint a;\n\n// %% [markdown]\n// x\n//\n// y\n";
	struct collect_convert convert;
	char got[COLLECT_CONVERT_ROOM(sizeof(json))];
	size_t nr;

	collect_convert_init(&convert, CHARSET_NOTEBOOK);
	convert.notebook.comment = lang_line_comment(LANG_CPP);
	nr = collect_convert_run(&convert, json, sizeof(json) - 1, true, got);
	ASSERT_EQ(nr, sizeof(want) - 1);
	assert_memory_equal(got, want, nr);
}

/* An image in a cell's text. */
static void
test_notebook_has_no_base64(void **state)
{
	static char json[2048] = "{\"cells\":[{\"source\":\"![](data:";
	static const char want[] = "# %%\n![](data:[base64, 600 bytes])\n";
	char got[COLLECT_CONVERT_ROOM(sizeof(json))];
	size_t at = strlen(json);

	for (size_t i = 0; i < 600; i++)
		json[at + i] = "iVBORw0KGgo+/A9"[i % 15];
	strcpy(json + at + 600, ")\"}]}");
	for (size_t piece = 1; piece < 100; piece += 30) {
		size_t nr = convert(json, strlen(json), piece, got);

		ASSERT_EQ(nr, sizeof(want) - 1);
		assert_memory_equal(got, want, nr);
	}
}

static void
test_notebook_names_its_language(void **state)
{
	static const struct {
		const char *json;
		const char *want;
	} rows[] = {
		{ "{\"cells\":[],\"metadata\":{\"kernelspec\":{\"display_name\":"
		  "\"R\", \"language\" : \"R\", \"name\":\"ir\"}}}",
		  "R" },
		{ "\"language_info\":{\"codemirror_mode\":{\"name\":\"ipython\","
		  "\"version\":3},\"file_extension\":\".py\",\"name\":"
		  "\"julia\"}",
		  "julia" },
		{ "\"kernelspec\":{\"name\":\"language\"},"
		  "\"language_info\":{\"version\":\"\\\"\",\"name\":\"C++\"}",
		  "C++" },
		/* the last one is the notebook's */
		{ "\"kernelspec\":{\"language\":\"a\"},"
		  "\"kernelspec\":{\"language\":\"b\"}",
		  "b" },
		{ "\"kernelspec\":{\"name\":\"x\"},\"language\":\"R\"", NULL },
		{ "{\"cells\":[{\"source\":\"\\\"language\\\"\"}]}", NULL },
		{ "\"kernelspec\":{\"language\":\"R", NULL },
		{ "\"kernelspec\":{\"language\"", NULL },
		{ "\"kernelspec\"", NULL },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		size_t nr = 0;
		const uint8_t *name =
			collect_notebook_language((const uint8_t *)rows[i].json,
						  strlen(rows[i].json), &nr);

		if (rows[i].want == NULL
			    ? name != NULL
			    : name == NULL || nr != strlen(rows[i].want) ||
				      memcmp(name, rows[i].want, nr) != 0)
			fail_msg("%s: got %.*s", rows[i].json, (int)nr,
				 name == NULL ? (const uint8_t *)"" : name);
	}
}

/* Deeper than there are bits for. */
static void
test_notebook_may_be_of_any_depth(void **state)
{
	static char json[1 << 16] = "{\"cells\":[{\"metadata\":";
	char got[256];
	size_t at = strlen(json);

	memset(json + at, '[', 20000);
	at += 20000;
	memset(json + at, ']', 20000);
	at += 20000;
	strcpy(json + at, ",\"source\":\"x\"}]}");
	ASSERT_EQ(convert(json, strlen(json), 4096, got), 7);
	ASSERT_TRUE(memcmp(got, "# %%\nx\n", 7) == 0);
}

static bool
is_notebook(const char *name, const char *text)
{
	return collect_is_notebook(name, strlen(name), (const uint8_t *)text,
				   strlen(text));
}

/* What has no cells of its own would be nothing at all. */
static void
test_notebook_is_known_by_name_and_beginning(void **state)
{
	static const char *const others[] = {
		"{\"cells\":[],\"nbformat\":4}",
		"{\"worksheets\":[{\"cells\":[{\"input\":\"x\"}]}]}",
		"{\"x\":{\"cells\":[{}]}}",
		"{\"a\":\"\\\"cells\\\":[{\"}",
		"{\"cells\":{}}",
		"{\"cells\"",
		"[\"cells\"]",
		"",
	};

	assert_true(is_notebook("d/a.ipynb", "{ \"cells\": [ { }"));
	assert_true(is_notebook("a.ipynb", "\n{\"metadata\":{\"cells\":[{}]},"
					   "\r\n\"cells\"\t:[\n{"));
	assert_false(is_notebook(".ipynb", "{\"cells\":[{}]}"));
	assert_false(is_notebook("a.json", "{\"cells\":[{}]}"));
	for (size_t i = 0; i < ARRAY_LEN(others); i++)
		assert_false(is_notebook("a.ipynb", others[i]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_notebook_is_the_sources_of_its_cells),
		cmocka_unit_test(
			test_notebook_comments_are_those_of_its_language),
		cmocka_unit_test(test_notebook_has_no_base64),
		cmocka_unit_test(test_notebook_names_its_language),
		cmocka_unit_test(test_notebook_may_be_of_any_depth),
		cmocka_unit_test(test_notebook_is_known_by_name_and_beginning),
	};

	return cmocka_run_group_tests_name("collect/notebook", tests, NULL,
					   NULL);
}
