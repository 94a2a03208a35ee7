/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_tools.c - arguments against the schemas that clients get.
 */
#include "tests/support/test_command.h"

#include "cli/mcp.h"

/* What is wrong with the arguments of a tool; "": nothing. */
static const char *
refusal(enum mcp_tool tool, const char *text)
{
	static char why[256];
	json_t *arguments = json_loads(text, 0, NULL);

	assert_non_null(arguments);
	mcp_tool_tidy(arguments);
	mcp_tool_refuses(tool, arguments, why, sizeof(why));
	json_decref(arguments);
	return why;
}

static void
test_mcp_tools_are_all_there_and_known_by_name(void **state)
{
	json_t *list = mcp_tools_list(&(struct mcp_scope){ .margin_percent = 0 }, false);
	const json_t *tools = json_object_get(list, "tools");

	assert_int_equal(json_array_size(tools), MCP_TOOL_COUNT);
	for (size_t i = 0; i < json_array_size(tools); i++) {
		const json_t *tool = json_array_get(tools, i);

		assert_true(json_is_object(
			json_object_get(tool, "inputSchema")));
		assert_int_equal(mcp_tool_named(json_string_value(
					 json_object_get(tool, "name"))),
				 i + 1);
	}
	assert_int_equal(mcp_tool_named("rm"), MCP_TOOL_NONE);
	json_decref(list);
}

static void
test_mcp_tools_take_what_their_schemas_say(void **state)
{
	char large[16500];

	assert_string_equal(refusal(MCP_TOOL_PACK, "{}"), "");
	assert_string_equal(refusal(MCP_TOOL_FIND, "{}"), "query is missing");
	assert_string_equal(refusal(MCP_TOOL_FIND,
				    "{\"query\":\"a\",\"limit\":200,"
				    "\"paths\":[\"b\"],\"max_tokens\":300}"),
			    "");
	assert_string_equal(refusal(MCP_TOOL_FIND,
				    "{\"query\":\"a\",\"limit\":201}"),
			    "limit: expected at most 200");
	assert_string_equal(refusal(MCP_TOOL_COUNT, "{\"max_tokens\":299}"),
			    "max_tokens: expected at least 300");
	assert_string_equal(refusal(MCP_TOOL_COUNT, "{\"max_tokens\":1.5}"),
			    "max_tokens: expected an integer");
	assert_string_equal(refusal(MCP_TOOL_PACK, "{\"format\":\"xml\"}"),
			    "");
	assert_string_equal(refusal(MCP_TOOL_PACK, "{\"format\":\"html\"}"),
			    "format: expected one of markdown, xml, json, "
			    "jsonl, plain");
	assert_string_equal(refusal(MCP_TOOL_COUNT, "{\"query\":\"a\"}"),
			    "query: no argument of this tool");
	assert_string_equal(refusal(MCP_TOOL_PACK, "{\"compress\":1}"),
			    "compress: expected true or false");
	assert_string_equal(refusal(MCP_TOOL_READ, "{\"path\":\"\"}"),
			    "path: expected a string that is not empty");
	assert_string_equal(
		refusal(MCP_TOOL_PACK, "{\"include\":[\"a\",2]}"),
		"include: expected an array of strings that are not empty");
	snprintf(large, sizeof(large), "{\"path\":\"%016400d\"}", 7);
	assert_string_equal(refusal(MCP_TOOL_READ, large),
			    "path: expected a string of at most 16384 bytes");
}

static void
test_mcp_tools_take_null_and_whole_numbers_of_any_form(void **state)
{
	json_t *arguments = json_loads(
		"{\"query\":\"a\",\"paths\":null,\"limit\":5.0,"
		"\"max_tokens\":3e2}",
		0, NULL);
	char *text;

	mcp_tool_tidy(arguments);
	text = json_dumps(arguments, JSON_COMPACT | JSON_SORT_KEYS);
	assert_string_equal(
		text, "{\"limit\":5,\"max_tokens\":300,\"query\":\"a\"}");
	free(text);
	json_decref(arguments);
	assert_string_equal(refusal(MCP_TOOL_FIND, "{\"query\":null}"),
			    "query is missing");
	assert_string_equal(refusal(MCP_TOOL_COUNT, "{\"max_tokens\":1e300}"),
			    "max_tokens: expected an integer");
	mcp_tool_tidy(NULL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_mcp_tools_are_all_there_and_known_by_name),
		cmocka_unit_test(test_mcp_tools_take_what_their_schemas_say),
		cmocka_unit_test(
			test_mcp_tools_take_null_and_whole_numbers_of_any_form),
	};

	return cmocka_run_group_tests_name("cli/mcp_tools", tests, NULL, NULL);
}
