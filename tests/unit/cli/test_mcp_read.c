/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_read.c - lines and definitions of files, by calls of the tool.
 */
#include "tests/support/test_command.h"

#include "cli/mcp.h"
#include "tokenizer/tokenizer.h"

static char root[PATH_MAX];

/* The text of the answer to these arguments, on stdout. */
static int
read_main(int argc, char **argv)
{
	const char *roots[] = { root };
	struct mcp_scope scope = {
		.roots = roots,
		.root_nr = 1,
		.memory_bytes = 96u << 20,
		.sandbox = SANDBOX_OFF,
	};
	json_t *arguments = json_loads(argv[1], 0, NULL);
	const struct mcp_call call = {
		.scope = &scope,
		.tool = MCP_TOOL_READ,
		.arguments = arguments,
		.tokens = (uint64_t)json_integer_value(
			json_object_get(arguments, "max_tokens")),
	};
	json_t *result;

	if (tokenizer_open(&scope.tokenizer, "o200k_base") != 0)
		return 1;
	result = mcp_call_run(&call);

	fputs(json_string_value(json_object_get(
		      json_array_get(json_object_get(result, "content"), 0),
		      "text")),
	      stdout);
	return json_object_get(result, "isError") != NULL;
}

static int
set_up(void **state)
{
	command_main = read_main;
	return command_set_up(state) != 0 || realpath(".", root) == NULL;
}

#define READ(words, code, said)                          \
	do {                                             \
		ASSERT_RUN(NULL, words, NULL, code, ""); \
		ASSERT_SAYS(said);                       \
	} while (0)

static void
test_mcp_read_gives_lines_and_definitions(void **state)
{
	dir_write("a.py", "import os\n\n\ndef one(a):\n    return a\n\n\n"
			  "def two(b):\n    return b\n");
	READ("{\"path\":\"a.py\",\"max_tokens\":900}", 0,
	     "a.py lines 1-9 of 9, hash ");
	READ("{\"path\":\"a.py\",\"lines\":\"4-5\",\"max_tokens\":900}", 0,
	     "\n```\ndef one(a):\n    return a\n```");
	READ("{\"path\":\"a.py\",\"lines\":\"9\",\"max_tokens\":900}", 0,
	     "\n```\n    return b\n```");
	READ("{\"path\":\"a.py\",\"definition\":\"a.two\",\"max_tokens\":900}",
	     0, "\n```\ndef two(b):\n    return b\n```");
	READ("{\"path\":\"a.py\",\"definition\":\"three\",\"max_tokens\":900}",
	     1, "no definition of three is known in this file; ask for lines");
	READ("{\"path\":\"a.py\",\"definition\":\"tow\",\"max_tokens\":900}", 1,
	     "no definition of tow is known in this file; did you mean two?");
	dir_write("b.ts",
		  "let limit = 2;\nfunction f() {\n  const LEVELS = 1;\n}\n"
		  "export const LEVELS = {\n  low: 1,\n\n  high: 2,\n};\n"
		  "g(LEVELS);\n");
	READ("{\"path\":\"b.ts\",\"definition\":\"LEVELS\",\"max_tokens\":900}",
	     0,
	     "\n```\nexport const LEVELS = {\n  low: 1,\n\n  high: 2,\n};\n```");
	READ("{\"path\":\"b.ts\",\"definition\":\"high\",\"max_tokens\":900}",
	     0, "\n```\n  high: 2,\n```");
	READ("{\"path\":\"b.ts\",\"definition\":\"g\",\"max_tokens\":900}", 1,
	     "no definition of g");
	dir_write("c.ts", "say('Server.level');\nclass Server {\n"
			  "  static level = 2;\n}\n");
	READ("{\"path\":\"c.ts\",\"definition\":\"Server.level\","
	     "\"max_tokens\":900}",
	     0, "\n```\n  static level = 2;\n```");
	dir_write("d.yml", "level: 1\nserver.level: 2\n");
	READ("{\"path\":\"d.yml\",\"definition\":\"server.level\","
	     "\"max_tokens\":900}",
	     0, "\n```\nserver.level: 2\n```");
	READ("{\"path\":\"a.py\",\"lines\":\"5-4\",\"max_tokens\":900}", 1,
	     "expected lines as 10-40");
	READ("{\"path\":\"a.py\",\"lines\":\"10\",\"max_tokens\":900}", 1,
	     "lines: the file has only 9");
	READ("{\"path\":\"a.py\",\"lines\":\"8-\",\"max_tokens\":900}", 0,
	     "a.py lines 8-9 of 9");
	READ("{\"path\":\"a.py\",\"lines\":\"-9\",\"max_tokens\":900}", 1,
	     "expected lines as 10-40");
	/* where it goes on: not the definition again */
	READ("{\"path\":\"a.py\",\"definition\":\"two\",\"lines\":\"9-9\","
	     "\"max_tokens\":900}",
	     0, "\n```\n    return b\n```");
	READ("{\"path\":\".\",\"max_tokens\":900}", 1, "is a directory");
}

static void
test_mcp_read_says_where_definitions_of_one_name_are(void **state)
{
	dir_write("a.py", "class A:\n    def run(self):\n        return 1\n\n\n"
			  "class B:\n    def run(self):\n        return 2\n");
	READ("{\"path\":\"a.py\",\"definition\":\"run\",\"max_tokens\":900}",
	     0,
	     "One of 2 definitions of that name; others: lines 7-8.\n```\n"
	     "    def run(self):\n        return 1\n```");
	READ("{\"path\":\"a.py\",\"definition\":\"B.run\",\"max_tokens\":900}",
	     0,
	     "no instruction.\n```\n    def run(self):\n        return 2\n```");
}

/* A header is of C++ by what it has, as where it is cut into chunks. */
static void
test_mcp_read_knows_the_definitions_of_a_header(void **state)
{
	dir_write("a.h", "namespace n {\n\nclass Pick {\n public:\n"
			 "  int Best() const { return best_; }\n};\n\n}\n");
	READ("{\"path\":\"a.h\",\"definition\":\"Pick::Best\","
	     "\"max_tokens\":900}",
	     0, "a.h lines 5-5 of 8");
	READ("{\"path\":\"a.h\",\"definition\":\"n::Pick\",\"max_tokens\":900}",
	     0, "a.h lines 3-6 of 8");
}

static void
test_mcp_read_fences_whatever_is_in_a_file(void **state)
{
	dir_write("a.md", "`````\nnot the end\n");
	READ("{\"path\":\"a.md\",\"max_tokens\":900}", 0,
	     "\n``````\n`````\nnot the end\n``````");
	dir_write("none.md", "no newline");
	READ("{\"path\":\"none.md\",\"max_tokens\":900}", 0,
	     "\n```\nno newline\n```");
}

static void
test_mcp_read_cuts_at_a_line(void **state)
{
	char text[4096] = "";

	for (int i = 0; i < 200; i++)
		sprintf(text + strlen(text), "line number %d\n", i + 1);
	dir_write("a.txt", text);
	READ("{\"path\":\"a.txt\",\"max_tokens\":300}", 0,
	     "Cut: go on with lines ");
}

/* A file of one line, as programs write them, is not one that cannot be read. */
static void
test_mcp_read_cuts_a_line_that_is_too_long(void **state)
{
	char text[4096] = "";

	for (int i = 0; i < 150; i++)
		sprintf(text + strlen(text), "\xe2\x82\xac line number %d ", i);
	strcat(text, "\nlast\n");
	dir_write("b.txt", text);
	READ("{\"path\":\"b.txt\",\"max_tokens\":300}", 0,
	     "b.txt lines 1-1 of 2, hash ");
	ASSERT_SAYS(" of 2891 bytes of the line; pack the file with a budget, "
		    "and page has the rest.\nCut: go on with lines 2-2.\n```\n"
		    "\xe2\x82\xac line number 0 ");
	READ("{\"path\":\"b.txt\",\"lines\":\"2\",\"max_tokens\":300}", 0,
	     "no instruction.\n```\nlast\n```");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_mcp_read_gives_lines_and_definitions, set_up,
			dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_mcp_read_fences_whatever_is_in_a_file, set_up,
			dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_mcp_read_says_where_definitions_of_one_name_are,
			set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_mcp_read_knows_the_definitions_of_a_header, set_up,
			dir_tear_down),
		cmocka_unit_test_setup_teardown(test_mcp_read_cuts_at_a_line,
						set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_mcp_read_cuts_a_line_that_is_too_long, set_up,
			dir_tear_down),
	};

	return cmocka_run_group_tests_name("cli/mcp_read", tests, NULL, NULL);
}
