/* SPDX-License-Identifier: MIT */
/*
 * Conversations: what is read, what is refused, and when compaction is due.
 */
#include "tests/support/test_chat.h"

static void
test_chat_formats_are_told_by_what_they_hold(void **state)
{
	assert_int_equal(format_of("[{\"role\":\"user\",\"content\":\"hi\"}]"),
			 CHAT_OPENAI);
	assert_int_equal(
		format_of("{\"system\":\"x\",\"messages\":[{\"role\":\"user\","
			  "\"content\":\"hi\"}]}"),
		CHAT_ANTHROPIC);
	assert_int_equal(
		format_of("[{\"role\":\"user\",\"content\":[{\"type\":"
			  "\"image\",\"source\":{\"type\":\"url\",\"url\":"
			  "\"u\"}}]}]"),
		CHAT_ANTHROPIC);
	assert_int_equal(
		format_of("[{\"role\":\"user\",\"content\":[{\"type\":"
			  "\"image_url\",\"image_url\":{\"url\":\"u\"}}]}]"),
		CHAT_OPENAI);
	assert_int_equal(format_of("{\"input\":[{\"role\":\"user\",\"content\":"
				   "\"hi\"}]}"),
			 CHAT_RESPONSES);
	assert_int_equal(format_of("[{\"role\":\"user\",\"content\":[{\"type\":"
				   "\"input_text\",\"text\":\"hi\"}]}]"),
			 CHAT_RESPONSES);
}

/* Where the messages do not say it, the model of their request does. */
static void
test_chat_formats_are_told_by_the_model_of_a_request(void **state)
{
	static const struct {
		const char *json;
		const char *model; /* that is asked for */
		enum chat_format format;
	} cases[] = {
		{ "{\"model\":\"claude-sonnet-4-5\",\"messages\":[{\"role\":"
		  "\"user\",\"content\":\"hi\"}]}",
		  NULL, CHAT_ANTHROPIC },
		{ "{\"model\":\"claude-sonnet-4-5\",\"messages\":[{\"role\":"
		  "\"user\",\"content\":\"hi\"}]}",
		  "gpt-4o", CHAT_OPENAI },
		{ "{\"model\":\"claude-sonnet-4-5\",\"messages\":[{\"role\":"
		  "\"system\",\"content\":\"hi\"}]}",
		  NULL, CHAT_OPENAI },
		{ "{\"model\":\"gpt-4o\",\"messages\":[{\"role\":\"user\","
		  "\"content\":\"hi\"}]}",
		  NULL, CHAT_OPENAI },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct chat_options options = chat_defaults();
		struct chat *chat;

		options.model = cases[i].model;
		chat = open_with(cases[i].json, &options);
		assert_int_equal(chat->format, cases[i].format);
		chat_close(chat);
	}
}

/* Each of them says of itself whose it is. */
static void
test_chat_formats_are_told_by_each_kind_of_part(void **state)
{
	static const char *const anthropic[] = {
		"{\"role\":\"assistant\",\"content\":[{\"type\":\"mcp_tool_use\","
		"\"id\":\"m\",\"name\":\"f\",\"input\":{}}]}",
		"{\"role\":\"assistant\",\"content\":[{\"type\":"
		"\"server_tool_use\",\"id\":\"m\",\"name\":\"f\",\"input\":{}}]}",
		"{\"role\":\"assistant\",\"content\":[{\"type\":\"thinking\","
		"\"thinking\":\"t\"}]}",
		"{\"role\":\"assistant\",\"content\":[{\"type\":"
		"\"redacted_thinking\",\"data\":\"d\"}]}",
		"{\"role\":\"user\",\"content\":[{\"type\":\"document\","
		"\"source\":{\"type\":\"text\",\"data\":\"d\"}}]}",
		"{\"role\":\"user\",\"content\":[{\"type\":\"search_result\","
		"\"content\":[]}]}",
		"{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\","
		"\"id\":\"m\",\"name\":\"f\",\"input\":{}}]}",
		"{\"role\":\"user\",\"content\":[{\"type\":"
		"\"container_upload\",\"file_id\":\"f\"}]}",
		"{\"role\":\"assistant\",\"content\":[{\"type\":\"compaction\","
		"\"content\":\"c\"}]}",
	};
	static const char *const responses[] = {
		"{\"role\":\"user\",\"content\":[{\"type\":\"input_image\","
		"\"image_url\":\"u\"}]}",
		"{\"role\":\"user\",\"content\":[{\"type\":\"input_file\","
		"\"file_data\":\"u\"}]}",
		"{\"role\":\"assistant\",\"content\":[{\"type\":"
		"\"output_text\",\"text\":\"u\"}]}",
		"{\"type\":\"message\",\"role\":\"user\",\"content\":\"u\"}",
		"{\"type\":\"computer_call\",\"call_id\":\"c\",\"action\":{}}",
	};
	char json[400];

	for (size_t i = 0; i < ARRAY_LEN(anthropic); i++) {
		snprintf(json, sizeof(json), "[%s]", anthropic[i]);
		assert_int_equal(format_of(json), CHAT_ANTHROPIC);
	}
	for (size_t i = 0; i < ARRAY_LEN(responses); i++) {
		snprintf(json, sizeof(json), "[%s]", responses[i]);
		assert_int_equal(format_of(json), CHAT_RESPONSES);
	}
}

static void
test_chat_refuses_what_is_no_conversation(void **state)
{
	static const char *const bad[][2] = {
		{ "", "BALE-CMP-001 " },
		{ "hello", "BALE-CMP-001 " },
		{ "[{\"role\":\"user\"", "BALE-CMP-001 " },
		{ "{\"prompt\":\"x\"}", "BALE-CMP-001 " },
		{ "{\"messages\":[],\"messages\":[]}", "BALE-CMP-001 " },
		{ "[{\"role\":\"user\",\"content\":\"\xff\"}]",
		  "BALE-CMP-001 " },
		{ "[{\"role\":\"wizard\",\"content\":\"x\"}]",
		  "BALE-CMP-002 message 0 " },
		{ "[1]", "BALE-CMP-002 message 0 " },
		{ "[{\"role\":\"user\",\"content\":7}]",
		  "BALE-CMP-002 message 0 " },
		{ "[{\"role\":\"user\",\"content\":[{\"type\":\"hologram\"}]}]",
		  "BALE-CMP-002 message 0 " },
		{ "[{\"type\":\"message\",\"role\":\"user\",\"content\":\"x\"},"
		  "{\"type\":\"telepathy\"}]",
		  "BALE-CMP-002 message 1 " },
		{ "[{\"role\":\"tool\",\"content\":\"x\"}]",
		  "BALE-CMP-002 message 0 " },
		{ "[{\"type\":\"function_call\",\"call_id\":\"c\",\"name\":"
		  "\"f\",\"arguments\":\"{}\"},{\"role\":\"tool\","
		  "\"tool_call_id\":\"c\",\"content\":\"x\"}]",
		  "BALE-CMP-005 message 1 " },
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_begins(refusal(bad[i][0], strlen(bad[i][0])), bad[i][1]);
}

/* verifies: CMP-01 */
static void
test_chat_budget_adds_up(void **state)
{
	struct chat_options options = options_for("gpt-4");
	char *text = text_of_tokens(6000);
	char *json = NULL;
	struct chat_budget budget;
	struct chat *chat;

	assert_true(asprintf(&json,
			     "{\"instructions\":\" a a\",\"input\":[{\"role\":"
			     "\"user\",\"content\":\"%s\"}]}",
			     text) > 0);
	chat = open_with(json, &options);
	chat_budget(chat, &budget);
	assert_int_equal(budget.limit, 8192);
	/* 16384 are not there: a quarter */
	assert_int_equal(budget.reserve, 2048);
	assert_int_equal(budget.room, 6144);
	assert_int_equal(budget.system, 2);
	assert_int_equal(budget.messages, 6007);
	assert_int_equal(budget.used, 6009);
	assert_int_equal(budget.available, 135);
	assert_int_equal(budget.overflow, 0);
	assert_true(budget.utilization > 0.978 && budget.utilization < 0.9781);
	assert_true(budget.due && budget.critical);
	chat_close(chat);
	options.system_tokens = 200;
	chat = open_with(json, &options);
	chat_budget(chat, &budget);
	assert_int_equal(budget.available, 0);
	assert_int_equal(budget.overflow, 65);
	chat_close(chat);
	free(json);
	free(text);
}

/* verifies: CMP-04 */
static void
test_chat_is_due_above_the_thresholds_only(void **state)
{
	static const struct {
		size_t tokens; /* of a room of 1000 */
		const char *stop;
		bool due;
		bool critical;
	} cases[] = {
		{ 800, NULL, false, false },
		{ 801, NULL, true, false },
		{ 950, NULL, true, false },
		{ 951, NULL, true, true },
		{ 100, "max_tokens", true, true },
		{ 100, "length", true, true },
		{ 100, "max_output_tokens", true, true },
		{ 100, "end_turn", false, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct chat_options options = options_for("gpt-4o");
		char *text = text_of_tokens(cases[i].tokens - 7);
		char *json = NULL;
		struct chat_budget budget;
		struct chat *chat;

		options.limit_tokens = 1100;
		options.reserve_tokens = 100;
		options.reserve_given = true;
		options.stop_reason = cases[i].stop;
		assert_true(asprintf(&json,
				     "[{\"role\":\"user\",\"content\":\"%s\"}]",
				     text) > 0);
		chat = open_with(json, &options);
		chat_budget(chat, &budget);
		assert_int_equal(budget.used, cases[i].tokens);
		assert_int_equal(budget.due, cases[i].due);
		assert_int_equal(budget.critical, cases[i].critical);
		chat_close(chat);
		free(json);
		free(text);
	}
}

static void
test_chat_options_that_contradict_are_refused(void **state)
{
	struct chat_options options = chat_defaults();
	struct window_error error;
	struct chat *chat;

	options.threshold = 0.99;
	assert_int_equal(chat_open(&chat, "[]", 2, &options, &error), -EINVAL);
	assert_begins(error.text, "BALE-CMP-004 ");
	options = chat_defaults();
	options.preserve = 0.9;
	assert_int_equal(chat_open(&chat, "[]", 2, &options, &error), -EINVAL);
	options = chat_defaults();
	options.limit_tokens = 100;
	options.reserve_tokens = 100;
	options.reserve_given = true;
	assert_int_equal(chat_open(&chat, "[]", 2, &options, &error), -EINVAL);
	options = chat_defaults();
	options.encoding = "none";
	assert_int_equal(chat_open(&chat, "[]", 2, &options, &error), -EINVAL);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chat_formats_are_told_by_each_kind_of_part),
		cmocka_unit_test(test_chat_formats_are_told_by_what_they_hold),
		cmocka_unit_test(
			test_chat_formats_are_told_by_the_model_of_a_request),
		cmocka_unit_test(test_chat_refuses_what_is_no_conversation),
		cmocka_unit_test(test_chat_budget_adds_up),
		cmocka_unit_test(test_chat_is_due_above_the_thresholds_only),
		cmocka_unit_test(test_chat_options_that_contradict_are_refused),
	};

	return cmocka_run_group_tests_name("window/chat", tests, NULL, NULL);
}
