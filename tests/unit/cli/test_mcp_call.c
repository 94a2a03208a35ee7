/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_call.c - calls of tools, from their arguments to their results.
 */
#include "tests/support/test_command.h"

#include "cli/mcp.h"
#include "tokenizer/tokenizer.h"

static char root[PATH_MAX];

/* TOOL ARGUMENTS TOKENS: the texts of the answer, on stdout. */
static int
call_main(int argc, char **argv)
{
	const char *roots[] = { root };
	struct mcp_scope scope = {
		.roots = roots,
		.root_nr = 1,
		.memory_bytes = 96u << 20,
		.cache_limit_bytes = 1u << 30,
		.sandbox = SANDBOX_OFF,
	};
	char id[MCP_PACK_ID_BYTES];
	struct mcp_call call = { .scope = &scope, .pack_id = id };
	const json_t *content;
	const json_t *result;

	if (argc != 4 || tokenizer_open(&scope.tokenizer, "o200k_base") != 0)
		return 99;
	call.tool = mcp_tool_named(argv[1]);
	call.arguments = json_loads(argv[2], 0, NULL);
	call.tokens = strtoull(argv[3], NULL, 10);
	call.pack_fd = open("pack", O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	result = mcp_call_run(&call);
	content = json_object_get(result, "content");
	for (size_t i = 0; i < json_array_size(content); i++)
		puts(json_string_value(
			json_object_get(json_array_get(content, i), "text")));
	return json_object_get(result, "isError") != NULL;
}

static int
set_up(void **state)
{
	command_main = call_main;
	if (command_set_up(state) != 0 || mkdir("in", 0755) != 0 ||
	    realpath("in", root) == NULL)
		return 1;
	dir_write("in/hello.c", "int hello(void)\n{\n\treturn 0;\n}\n");
	return 0;
}

#define CALL(words, code, said)                          \
	do {                                             \
		ASSERT_RUN(NULL, words, NULL, code, ""); \
		ASSERT_SAYS(said);                       \
	} while (0)

static void
test_mcp_call_gives_what_each_tool_is_for(void **state)
{
	CALL("count {} 900", 0, "{\"path\":\".\",\"tokens\":");
	CALL("find {\"query\":\"hello\"} 900", 0, "\"defines\":[\"hello\"]");
	CALL("pack {\"budget\":600} 900", 0, "int hello(void)");
}

/* Each path has all that is below it, whatever else is named. */
static void
test_mcp_call_counts_paths_within_each_other(void **state)
{
	CALL("count {\"paths\":[\".\",\"hello.c\",\"hello.c\"]} 900", 0,
	     "\"paths\":[{\"path\":\".\",\"tokens\":10},{\"path\":"
	     "\"hello.c\",\"tokens\":10},{\"path\":\"hello.c\","
	     "\"tokens\":10}]");
}

static void
test_mcp_call_fails_with_a_sentence(void **state)
{
	CALL("count {\"paths\":[\"nowhere\"]} 900", 1,
	     "there is no such path below");
	CALL("count {\"paths\":[\"..\"]} 900", 1,
	     "there is no such path below");
	CALL("count {\"paths\":[\"helo.c\"]} 900", 1, "did you mean hello.c?");
	CALL("count {\"paths\":[\"../call\"]} 900", 1,
	     "find finds a file by its name");
	assert_int_equal(rename("in", "away"), 0);
	CALL("count {} 900", 1, "No such file or directory");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_mcp_call_gives_what_each_tool_is_for, set_up,
			dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_mcp_call_counts_paths_within_each_other, set_up,
			dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_mcp_call_fails_with_a_sentence, set_up,
			dir_tear_down),
	};

	return cmocka_run_group_tests_name("cli/mcp_call", tests, NULL, NULL);
}
