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

static void
test_notebook_is_known_by_name_and_beginning(void **state)
{
	static const uint8_t head[] = "{\n \"cells\": [";

	ASSERT_TRUE(collect_is_notebook("d/a.ipynb", 9, head, 12));
	ASSERT_TRUE(!collect_is_notebook(".ipynb", 6, head, 12));
	ASSERT_TRUE(!collect_is_notebook("a.json", 6, head, 12));
	ASSERT_TRUE(!collect_is_notebook("a.ipynb", 7, head, 5));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_notebook_is_the_sources_of_its_cells),
		cmocka_unit_test(test_notebook_may_be_of_any_depth),
		cmocka_unit_test(test_notebook_is_known_by_name_and_beginning),
	};

	return cmocka_run_group_tests_name("collect/notebook", tests, NULL,
					   NULL);
}
