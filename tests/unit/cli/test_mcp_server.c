/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_server.c - sessions with the server, from the first line to the last.
 */
#include "tests/support/test_command.h"

#define HELLO                                                           \
	"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\","      \
	"\"params\":{\"protocolVersion\":\"2025-06-18\"}}\n"            \
	"{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n"
#define CALL(id, name, arguments)                                        \
	"{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\","  \
	"\"params\":{\"name\":\"" name "\",\"arguments\":{" arguments "}}}\n"

static void
test_mcp_server_answers_calls_of_tools(void **state)
{
	ASSERT_EQ(mkdir("src", 0755), 0);
	dir_write("src/a.c", "int needle(void)\n{\n\treturn 1;\n}\n");
	ASSERT_RUN(cmd_mcp, "mcp --root src",
		   HELLO CALL("1", "find", "\"query\":\"needle\"")
			   CALL("2", "read", "\"path\":\"a.c\""), EXIT_COMPLETE,
		   "");
	ASSERT_SAYS("{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{"
		    "\"protocolVersion\":\"2025-06-18\"");
	ASSERT_SAYS("\"structuredContent\":{\"confidence\":");
	ASSERT_SAYS("\"places\":[{\"path\":\"a.c\",\"lines\":\"1-4\"");
	ASSERT_SAYS("a.c lines 1-4 of 4, hash ");
}

/* The last line needs no end; a call that is cancelled has no answer. */
static void
test_mcp_server_says_nothing_of_what_is_cancelled(void **state)
{
	ASSERT_RUN(cmd_mcp, "mcp --root .",
		   HELLO CALL("1", "count", "")
		   "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
		   "cancelled\",\"params\":{\"requestId\":1}}\n"
		   "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"ping\"}\n",
		   EXIT_COMPLETE, "");
	assert_null(strstr(command_out, "\"id\":1"));
	ASSERT_SAYS("{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(mcp_server_answers_calls_of_tools),
		COMMAND_TEST(mcp_server_says_nothing_of_what_is_cancelled),
	};

	return cmocka_run_group_tests_name("cli/mcp_server", tests, NULL, NULL);
}
