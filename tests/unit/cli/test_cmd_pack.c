/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_pack.c - whole runs over a small tree: what they make and how they
 *                   end.
 */
#include "tests/support/test_command.h"

#include "cli/command_line.h"

#define QUIET " --no-last --no-history --quiet --workers 1"

static void
make_tree(void)
{
	ASSERT_EQ(mkdir("src", 0755), 0);
	dir_write("src/a.c", "int a;\n\nint b;\n");
	dir_write("src/b.txt", "hello world\n");
	dir_write("src/c.txt", "hello world\n");
	dir_write("src/nul", "x");
	ASSERT_EQ(truncate("src/nul", 9), 0);
}

/* All texts of a line of JSON lines, one behind the other. */
static void
texts_of(const json_t *line, char *out)
{
	const json_t *chunks = json_object_get(line, "chunks");

	*out = '\0';
	for (size_t i = 0; i < json_array_size(chunks); i++)
		strcat(out, json_string_value(json_object_get(
				    json_array_get(chunks, i), "text")));
}

/* Each file once, in order, as it is; duplicates by their names. */
static void
test_pack_writes_each_file(void **state)
{
	static const char *const paths[] = { "a.c", "b.txt", "c.txt" };
	static const char *const files[] = { "src/a.c", "src/b.txt" };
	const char *at = command_out;

	make_tree();
	ASSERT_RUN(cmd_pack, "pack src --budget all --format jsonl --no-preamble" QUIET, NULL,
		   EXIT_COMPLETE, "");
	for (size_t i = 0; i < ARRAY_LEN(paths); i++) {
		size_t bytes = strcspn(at, "\n");
		json_t *line = json_loadb(at, bytes, 0, NULL);
		char text[256];

		assert_non_null(line);
		assert_string_equal(
			json_string_value(json_object_get(line, "path")),
			paths[i]);
		texts_of(line, text);
		if (i < 2)
			ASSERT_TEXT(files[i], text);
		else
			assert_string_equal(json_string_value(json_object_get(
						    line, "same_as")),
					    paths[1]);
		json_decref(line);
		at += bytes + 1;
	}
	assert_string_equal(at, "{\"end\":3}\n");
}

static void
test_pack_replaces_its_output_as_a_whole(void **state)
{
	make_tree();
	dir_write("out.md", "as it was");
	ASSERT_RUN(cmd_pack, "pack src -o out.md --include *.none" QUIET, NULL,
		   EXIT_NOTHING, "BALE-CTX-004: nothing to pack");
	ASSERT_TEXT("out.md", "as it was");
	ASSERT_RUN(cmd_pack, "pack src/b.txt -o out.md --hashes off" QUIET,
		   NULL, EXIT_COMPLETE, "");
	ASSERT_OUT("");
	ASSERT_TEXT("out.md",
		    "Packed by bale: all of a source tree: 1 file.\n"
		    "Each file begins with a line `## File: path (lines)`.\n"
		    "\n"
		    "## File: src/b.txt (lines 1-1)\n```text\n"
		    "hello world\n```\n\n");
	ASSERT_RUN(cmd_pack, "pack src -o no/out.md" QUIET, NULL, EXIT_OUTPUT,
		   "cannot write no/out.md: No such file or directory");
	ASSERT_RUN(cmd_pack, "pack src -o new.md --report no/r.json" QUIET,
		   NULL, EXIT_OUTPUT, "cannot write no/r.json");
	ASSERT_RUN(cmd_pack, "pack src -o /dev/full" QUIET, NULL, EXIT_OUTPUT,
		   "cannot write /dev/full: No space left on device");
	ASSERT_NAMES(".", "out.md src");
}

static void
test_pack_of_what_is_not_there_is_a_usage_error(void **state)
{
	ASSERT_RUN(cmd_pack, "pack none" QUIET, NULL, EXIT_USAGE, "none");
	ASSERT_OUT("");
}

/* The plan of a run: tokens, what became of it, and where. */
static void
test_preview_and_tree_write_no_context(void **state)
{
	make_tree();
	ASSERT_RUN(cmd_pack, "preview src --encoding cl100k_base" QUIET, NULL,
		   EXIT_COMPLETE, "");
	ASSERT_SAYS("\tpacked\tb.txt:1-1\n");
	ASSERT_SAYS("\tbinary\tnul\n");
	ASSERT_SAYS("\tduplicate\tc.txt:1-1\n");
	/* hello world and its end of line: 3 tokens, twice */
	ASSERT_RUN(cmd_pack,
		   "tree src/b.txt src/c.txt --encoding cl100k_base "
		   "--workers 1",
		   NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("6  100.0 %  total\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(pack_writes_each_file),
		COMMAND_TEST(pack_replaces_its_output_as_a_whole),
		COMMAND_TEST(pack_of_what_is_not_there_is_a_usage_error),
		COMMAND_TEST(preview_and_tree_write_no_context),
	};

	return cmocka_run_group_tests_name("cli/cmd_pack", tests, NULL, NULL);
}
