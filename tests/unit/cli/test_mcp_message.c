/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_message.c - messages by the specification's own words.
 */
#include "tests/support/test_command.h"

#include "cli/mcp.h"

#define META                                                \
	"\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"%s\"," \
	"\"io.modelcontextprotocol/clientCapabilities\":{}}"

static struct mcp_request request;

/* The code of the error that a message gets; 0: it is a request. */
static int
read_code(const char *text)
{
	json_t *answer = mcp_request_read(&request,
					  json_loads(text, 0, NULL));
	int code = answer == NULL
			   ? 0
			   : (int)json_integer_value(json_object_get(
				     json_object_get(answer, "error"), "code"));

	json_decref(answer);
	return code;
}

static void
test_mcp_message_reads_requests_of_both_eras(void **state)
{
	char text[512];

	assert_int_equal(read_code("{\"jsonrpc\":\"2.0\",\"id\":\"a\","
				   "\"method\":\"ping\"}"),
			 0);
	assert_string_equal(request.method, "ping");
	assert_false(request.is_modern);
	json_decref(request.message);
	snprintf(text, sizeof(text),
		 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\","
		 "\"params\":{" META "}}",
		 "2026-07-28");
	assert_int_equal(read_code(text), 0);
	assert_true(request.is_modern);
	json_decref(request.message);
	snprintf(text, sizeof(text),
		 "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\","
		 "\"params\":{" META "}}",
		 "2031-01-01");
	assert_int_equal(read_code(text), MCP_UNSUPPORTED_VERSION);
	json_decref(request.message);
}

/* JSON that is no text is answered all the same; a backslash may be escaped. */
static void
test_mcp_message_has_no_characters_that_are_none(void **state)
{
	static const struct {
		const char *text;
		const char *want; /* NULL: no JSON */
	} cases[] = {
		{ "\"a\\u0000b\"", "a\ufffdb" },
		{ "\"\\ud83d\\ude00\\u0000\"", "\U0001f600\ufffd" },
		{ "\"\\ud83d\"", "\ufffd" },
		{ "\"\\ude00\\ud83d\\ud83d\\ude00\"",
		  "\ufffd\ufffd\U0001f600" },
		{ "\"\\\\u0000\\u0000\"", "\\u0000\ufffd" },
		{ "\"\\uD83Dx\"", "\ufffdx" },
		{ "\"\\u00\"", NULL },
		{ "\"\\", NULL },
		{ "\"\\u000", NULL },
		{ "\\u0000", NULL },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		size_t bytes = strlen(cases[i].text);
		/* no byte behind it may be looked at */
		char *line = malloc(bytes);
		json_t *message =
			mcp_message_parse(memcpy(line, cases[i].text, bytes),
					  bytes);

		if (cases[i].want == NULL)
			assert_null(message);
		else
			assert_string_equal(json_string_value(message),
					    cases[i].want);
		json_decref(message);
		free(line);
	}
}

static void
test_mcp_message_refuses_what_is_no_request(void **state)
{
	static const struct {
		const char *text;
		int code;
	} cases[] = {
		{ "{\"jsonrpc\":\"2.0\",\"id\":1}", MCP_INVALID_REQUEST },
		{ "{\"id\":1,\"method\":\"ping\"}", MCP_INVALID_REQUEST },
		{ "{\"jsonrpc\":\"2.0\",\"id\":[],\"method\":\"ping\"}",
		  MCP_INVALID_REQUEST },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\","
		  "\"params\":[]}",
		  MCP_INVALID_PARAMS },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,"
		  "\"method\":\"server/discover\"}",
		  MCP_INVALID_PARAMS },
		{ "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", 0 },
		{ "{\"jsonrpc\":\"2.0\",\"method\":\"a\"}", 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		assert_int_equal(read_code(cases[i].text), cases[i].code);
		json_decref(request.message);
	}
}

static void
test_mcp_message_marks_results_of_the_modern_era_alone(void **state)
{
	json_t *legacy = mcp_tool_error(false, "no %d", 7);
	json_t *modern = mcp_tool_error(true, "no %d", 7);

	assert_null(json_object_get(legacy, "resultType"));
	assert_string_equal(
		json_string_value(json_object_get(modern, "resultType")),
		"complete");
	assert_string_equal(
		json_string_value(json_object_get(
			json_array_get(json_object_get(legacy, "content"), 0),
			"text")),
		"no 7");
	json_decref(legacy);
	json_decref(modern);
}

/* A text that is cut in the middle of a character is cut before it. */
static void
test_mcp_message_cuts_errors_between_characters(void **state)
{
	char text[600];
	json_t *answer;

	for (size_t i = 0; i < 599; i += 2)
		memcpy(text + i, "\303\274", 2);
	text[598] = '\0';
	answer = mcp_error(NULL, MCP_INTERNAL_ERROR, "x%s", text);
	assert_non_null(answer);
	assert_int_equal(json_string_length(json_object_get(
				 json_object_get(answer, "error"), "message")),
			 511);
	json_decref(answer);
	answer = mcp_error(NULL, MCP_INTERNAL_ERROR, "%s", text);
	assert_non_null(answer);
	assert_int_equal(json_string_length(json_object_get(
				 json_object_get(answer, "error"), "message")),
			 510);
	json_decref(answer);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mcp_message_reads_requests_of_both_eras),
		cmocka_unit_test(
			test_mcp_message_has_no_characters_that_are_none),
		cmocka_unit_test(test_mcp_message_refuses_what_is_no_request),
		cmocka_unit_test(
			test_mcp_message_marks_results_of_the_modern_era_alone),
		cmocka_unit_test(
			test_mcp_message_cuts_errors_between_characters),
	};

	return cmocka_run_group_tests_name("cli/mcp_message", tests, NULL,
					   NULL);
}
