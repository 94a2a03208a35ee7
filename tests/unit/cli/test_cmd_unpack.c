/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_unpack.c - outputs written by hand, and the files that come of them.
 */
#include "tests/support/test_command.h"

#include "cli/command_line.h"

#define FILE_OF(path, text) \
	"## File: " path " (lines 1-1)\n```\n" text "\n```\n\n"

static void
test_unpack_writes_the_files_of_an_output(void **state)
{
	dir_write("out.md",
		  FILE_OF("src/a.c",
			  "int a;") "## File: src/b.c (same as src/a.c)\n\n"
				    "## File: empty (empty)\n\n");
	ASSERT_RUN(cmd_unpack, "unpack out.md -C to", NULL, EXIT_COMPLETE,
		   "files 3 written, 0 incomplete, 0 refused\n");
	ASSERT_TEXT("to/src/a.c", "int a;\n");
	ASSERT_TEXT("to/src/b.c", "int a;\n");
	ASSERT_NAMES("to", "empty src");
	ASSERT_RUN(cmd_unpack, "unpack out.md -C to --quiet", NULL, EXIT_OUTPUT,
		   "it is there already; --force replaces it");
	dir_write("to/src/a.c", "other\n");
	ASSERT_RUN(cmd_unpack, "unpack out.md -C to --quiet --force", NULL,
		   EXIT_COMPLETE, "");
	ASSERT_TEXT("to/src/a.c", "int a;\n");
}

static void
test_unpack_reads_stdin(void **state)
{
	ASSERT_RUN(cmd_unpack, "unpack - --quiet", FILE_OF("a", "one"),
		   EXIT_COMPLETE, "");
	ASSERT_NAMES(".", "a");
}

/* A part of a file is none; nor is a path that leads elsewhere. */
static void
test_unpack_is_degraded_by_parts_and_fails_for_names(void **state)
{
	dir_write("part.md",
		  "## File: a (lines 1-1 of 2)\n```\none\n```\n\n" FILE_OF(
			  "b", "two"));
	ASSERT_RUN(cmd_unpack, "unpack part.md -C to", NULL, EXIT_DEGRADED,
		   "files 1 written, 1 incomplete, 0 refused\n");
	ASSERT_NAMES("to", "b");
	dir_write("up.md", FILE_OF("../a", "one"));
	ASSERT_RUN(cmd_unpack, "unpack up.md -C new", NULL, EXIT_OUTPUT,
		   "../a: leads out of the directory with ..: not written");
	/* a directory that was made and stayed empty is gone */
	ASSERT_NAMES(".", "part.md to up.md");
}

/* Two parts of one output, in whatever order; and not the third. */
static void
test_unpack_puts_parts_in_order(void **state)
{
	static const char json[] =
		"{\"bale\":1,\"part\":%d,\"of\":%d,\"files\":["
		"{\"path\":\"%s\",\"lines\":[1,1],"
		"\"chunks\":[{\"line\":1,\"text\":\"x\\n\"}]"
		"}]}";
	char text[512];

	snprintf(text, sizeof(text), json, 1, 2, "a");
	dir_write("1.json", text);
	snprintf(text, sizeof(text), json, 2, 2, "b");
	dir_write("2.json", text);
	ASSERT_RUN(cmd_unpack, "unpack 2.json 1.json -C to", NULL,
		   EXIT_COMPLETE, "files 2 written");
	ASSERT_RUN(cmd_unpack, "unpack 2.json -C half", NULL, EXIT_DEGRADED,
		   "missing parts: 1 of 2, the first is part 1");
	ASSERT_NAMES("half", "b");
	ASSERT_RUN(cmd_unpack, "unpack 2.json 2.json -C no", NULL, EXIT_USAGE,
		   "2.json is part 2 of 2, and 2.json is part 2 of 2: give "
		   "each part once");
	snprintf(text, sizeof(text), json, 3, 3, "c");
	dir_write("3.json", text);
	ASSERT_RUN(cmd_unpack, "unpack 1.json 3.json -C no", NULL, EXIT_USAGE,
		   "they are parts of different outputs");
	dir_write("a.md", FILE_OF("a", "one"));
	ASSERT_RUN(cmd_unpack, "unpack 1.json a.md -C no", NULL, EXIT_USAGE,
		   "a.md is no part, and 1.json is part 1 of 2");
	ASSERT_EQ(access("no", F_OK), -1);
}

static void
test_unpack_says_why_it_cannot_read(void **state)
{
	dir_write("none.md", "just text\n");
	ASSERT_RUN(cmd_unpack, "unpack none.md", NULL, EXIT_USAGE,
		   "none.md: line 1: not an output of bale pack; what "
		   "--template wrote cannot be read back");
	ASSERT_RUN(cmd_unpack, "unpack missing.md", NULL, EXIT_USAGE,
		   "missing.md: No such file or directory");
	dir_write("a.md", FILE_OF("a", "one") FILE_OF("b", "two"));
	ASSERT_RUN(cmd_unpack, "unpack a.md --max-output 6 -C to", NULL,
		   EXIT_RESOURCES, "its files are larger than --max-output");
	ASSERT_NAMES("to", "a");
	dir_write("file", "");
	ASSERT_RUN(cmd_unpack, "unpack a.md -C file", NULL, EXIT_OUTPUT,
		   "file: Not a directory");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(unpack_writes_the_files_of_an_output),
		COMMAND_TEST(unpack_reads_stdin),
		COMMAND_TEST(unpack_is_degraded_by_parts_and_fails_for_names),
		COMMAND_TEST(unpack_puts_parts_in_order),
		COMMAND_TEST(unpack_says_why_it_cannot_read),
	};

	return cmocka_run_group_tests_name("cli/cmd_unpack", tests, NULL, NULL);
}
