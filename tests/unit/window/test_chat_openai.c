/* SPDX-License-Identifier: MIT */
/*
 * test_chat_openai.c - what messages of the chat completions interface are
 * made of, as its reference has them.
 */
#include "tests/support/test_pieces.h"

static const struct {
	const char *json;
	enum chat_role role;
	const char *want;
} messages[] = {
	{ "{\"role\":\"system\",\"content\":\"s\"}", ROLE_SYSTEM, "t s|" },
	{ "{\"role\":\"developer\",\"content\":\"s\"}", ROLE_SYSTEM, "t s|" },
	{ "{\"role\":\"user\",\"name\":\"n\",\"content\":\"u\"}", ROLE_USER,
	  "g n|t u|" },
	{ "{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"a\"},"
	  "{\"type\":\"image_url\",\"image_url\":{\"url\":\"https://x\","
	  "\"detail\":\"low\"}},{\"type\":\"text\",\"text\":\"b\"}]}",
	  ROLE_USER, "t a|i 85|t b|" },
	{ "{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{\"id\":"
	  "\"c1\",\"type\":\"function\",\"function\":{\"name\":\"f\","
	  "\"arguments\":\"{}\"}},{\"id\":\"c2\",\"type\":\"custom\","
	  "\"custom\":{\"name\":\"g\",\"input\":\"in\"}}]}",
	  ROLE_ASSISTANT, "c #c1 f|g {}|c #c2 g|g in|" },
	{ "{\"role\":\"assistant\",\"function_call\":{\"name\":\"now\","
	  "\"arguments\":\"{}\"}}",
	  ROLE_ASSISTANT, "c #now now|g {}|" },
	{ "{\"role\":\"assistant\",\"content\":[{\"type\":\"refusal\","
	  "\"refusal\":\"no\"}]}",
	  ROLE_ASSISTANT, "t no|" },
	{ "{\"role\":\"tool\",\"tool_call_id\":\"c1\",\"content\":\"r\"}",
	  ROLE_TOOL, "r #c1 |t r|" },
	{ "{\"role\":\"function\",\"name\":\"now\",\"content\":\"12\"}",
	  ROLE_TOOL, "r #now |t 12|" },
};

static void
test_openai_messages_are_taken_apart(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(messages); i++) {
		enum chat_role role;

		assert_string_equal(
			pieces_of(&openai_ops, messages[i].json, &role),
			messages[i].want);
		assert_int_equal(role, messages[i].role);
	}
}

static void
test_openai_messages_of_another_form_are_refused(void **state)
{
	static const char *const bad[][2] = {
		{ "[]", "! it is not an object" },
		{ "{\"role\":\"wizard\",\"content\":\"\"}", "! its role is " },
		{ "{\"role\":\"user\"}", "! it has no content" },
		{ "{\"role\":\"tool\",\"content\":\"r\"}",
		  "! a tool call or result has no id" },
		{ "{\"role\":\"assistant\",\"tool_calls\":{}}",
		  "! tool_calls is not an array" },
		{ "{\"role\":\"assistant\",\"tool_calls\":[{\"id\":\"c\"}]}",
		  "! a tool call has no function" },
		{ "{\"role\":\"assistant\",\"tool_calls\":[{\"function\":{"
		  "\"name\":\"f\"}}]}",
		  "! a tool call or result has no id" },
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_begins(pieces_of(&openai_ops, bad[i][0], NULL),
			      bad[i][1]);
}

static void
test_openai_messages_alone_are_known_by_calls_and_tools(void **state)
{
	static const struct {
		const char *json;
		bool is_mine;
	} cases[] = {
		{ "{\"role\":\"tool\"}", true },
		{ "{\"role\":\"function\"}", true },
		{ "{\"tool_calls\":[]}", true },
		{ "{\"function_call\":{}}", true },
		{ "{\"role\":\"assistant\",\"content\":\"tool_calls\"}",
		  false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		json_t *json = json_loads(cases[i].json, 0, NULL);

		assert_int_equal(openai_ops.is_mine(json), cases[i].is_mine);
		json_decref(json);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_openai_messages_are_taken_apart),
		cmocka_unit_test(
			test_openai_messages_of_another_form_are_refused),
		cmocka_unit_test(
			test_openai_messages_alone_are_known_by_calls_and_tools),
	};

	return cmocka_run_group_tests_name("window/chat_openai", tests, NULL,
					   NULL);
}
