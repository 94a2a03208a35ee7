/* SPDX-License-Identifier: MIT */
/*
 * test_chat_convert.c - messages of one interface as those of another.
 */
#include "tests/support/test_chat.h"

#include <jansson.h>

static json_t *
load(const char *json)
{
	json_t *root = json_loads(json, 0, NULL);

	if (root == NULL)
		fail_msg("no JSON: %s", json);
	return root;
}

/* Fails unless the message is these messages there. */
static void
expect(enum chat_format from, enum chat_format to, const char *message,
       const char *unpaired, const char *want)
{
	json_t *source = load(message);
	json_t *ids = unpaired == NULL ? NULL : load(unpaired);
	json_t *wanted = load(want);
	json_t *got = json_array();
	const struct chat_conversion how = { from, to, ids };

	assert_int_equal(chat_convert(&how, source, got), 0);
	if (!json_equal(got, wanted))
		fail_msg("%s of %s is %s", message, chat_format_name(to),
			 json_dumps(got, JSON_COMPACT));
	json_decref(source);
	json_decref(ids);
	json_decref(wanted);
	json_decref(got);
}

#define CHAT_CALL                                                             \
	"{\"role\":\"assistant\",\"content\":\"I look.\",\"tool_calls\":[{"   \
	"\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"read\"," \
	"\"arguments\":\"{\\\"path\\\":\\\"a\\\"}\"}}]}"
#define ANTHROPIC_CALL                                                      \
	"{\"role\":\"assistant\",\"content\":[{\"type\":\"text\",\"text\":" \
	"\"I look.\"},{\"type\":\"tool_use\",\"id\":\"c\",\"name\":"        \
	"\"read\",\"input\":{\"path\":\"a\"}}]}"
#define RESPONSES_CALL                                               \
	"{\"role\":\"assistant\",\"content\":\"I look.\"},{\"type\":" \
	"\"function_call\",\"call_id\":\"c\",\"name\":\"read\","     \
	"\"arguments\":\"{\\\"path\\\":\\\"a\\\"}\"}"

static void
test_convert_a_call_to_all_interfaces(void **state)
{
	expect(CHAT_OPENAI, CHAT_ANTHROPIC, CHAT_CALL, NULL,
	       "[" ANTHROPIC_CALL "]");
	expect(CHAT_OPENAI, CHAT_RESPONSES, CHAT_CALL, NULL,
	       "[" RESPONSES_CALL "]");
	expect(CHAT_ANTHROPIC, CHAT_OPENAI, ANTHROPIC_CALL, NULL,
	       "[" CHAT_CALL "]");
	expect(CHAT_ANTHROPIC, CHAT_RESPONSES, ANTHROPIC_CALL, NULL,
	       "[" RESPONSES_CALL "]");
	expect(CHAT_RESPONSES, CHAT_ANTHROPIC, FCALL("c"), NULL,
	       "[" USE("c") "]");
	expect(CHAT_RESPONSES, CHAT_OPENAI, FCALL("c"), NULL, "[" CALL("c") "]");
}

static void
test_convert_a_result_to_all_interfaces(void **state)
{
	expect(CHAT_OPENAI, CHAT_ANTHROPIC, RESULT("c"), NULL,
	       "[" USED("c") "]");
	expect(CHAT_OPENAI, CHAT_RESPONSES, RESULT("c"), NULL,
	       "[" FOUT("c") "]");
	expect(CHAT_RESPONSES, CHAT_OPENAI, FOUT("c"), NULL,
	       "[" RESULT("c") "]");
	expect(CHAT_ANTHROPIC, CHAT_OPENAI,
	       "{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\","
	       "\"tool_use_id\":\"c\",\"content\":[{\"type\":\"text\","
	       "\"text\":\"r\"}]},{\"type\":\"tool_result\","
	       "\"tool_use_id\":\"d\"},{\"type\":\"text\",\"text\":\"Go "
	       "on\"}]}",
	       NULL,
	       "[" RESULT("c") ",{\"role\":\"tool\",\"tool_call_id\":\"d\","
	       "\"content\":\"(no output)\"},{\"role\":\"user\",\"content\":"
	       "\"Go on\"}]");
}

/* Without its other half a call is none, and a result is a text. */
static void
test_convert_what_is_unpaired(void **state)
{
	expect(CHAT_OPENAI, CHAT_OPENAI, CHAT_CALL, "{\"c\":true}",
	       "[{\"role\":\"assistant\",\"content\":\"I look.\"}]");
	expect(CHAT_OPENAI, CHAT_OPENAI, CALL("c"), "{\"c\":true}", "[]");
	expect(CHAT_OPENAI, CHAT_ANTHROPIC, RESULT("c"), "{\"c\":true}",
	       "[{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":"
	       "\"[result of c]\\nr\"}]}]");
}

/* Thoughts are for their model; a picture stays, or is named. */
static void
test_convert_other_parts(void **state)
{
	static const char message[] =
		"{\"role\":\"user\",\"content\":[{\"type\":\"thinking\","
		"\"thinking\":\"t\"},{\"type\":\"text\",\"text\":\"a\"},{"
		"\"type\":\"image\",\"source\":{}}]}";

	expect(CHAT_ANTHROPIC, CHAT_OPENAI, message, NULL,
	       "[{\"role\":\"user\",\"content\":\"a\\n\\n[image]\"}]");
	expect(CHAT_ANTHROPIC, CHAT_ANTHROPIC, message, NULL,
	       "[{\"role\":\"user\",\"content\":[{\"type\":\"thinking\","
	       "\"thinking\":\"t\"},{\"type\":\"text\",\"text\":\"a\"},{"
	       "\"type\":\"image\",\"source\":{}}]}]");
}

/* Arguments that are no object, and the interface of 2023. */
static void
test_convert_old_and_odd_calls(void **state)
{
	expect(CHAT_OPENAI, CHAT_ANTHROPIC,
	       "{\"role\":\"assistant\",\"content\":null,\"function_call\":{"
	       "\"name\":\"f\",\"arguments\":\"half {\"}}",
	       NULL,
	       "[{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\","
	       "\"id\":\"f\",\"name\":\"f\",\"input\":{\"input\":\"half "
	       "{\"}}]}]");
	expect(CHAT_OPENAI, CHAT_OPENAI,
	       "{\"role\":\"function\",\"name\":\"f\",\"content\":\"r\"}", NULL,
	       "[" RESULT("f") "]");
	expect(CHAT_RESPONSES, CHAT_OPENAI,
	       "{\"type\":\"local_shell_call\",\"call_id\":\"c\",\"action\":{"
	       "\"a\":1}}",
	       NULL,
	       "[{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{"
	       "\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":"
	       "\"local_shell_call\",\"arguments\":\"{\\\"a\\\":1}\"}}]}]");
	expect(CHAT_RESPONSES, CHAT_OPENAI, THINK, NULL, "[]");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_convert_a_call_to_all_interfaces),
		cmocka_unit_test(test_convert_a_result_to_all_interfaces),
		cmocka_unit_test(test_convert_what_is_unpaired),
		cmocka_unit_test(test_convert_other_parts),
		cmocka_unit_test(test_convert_old_and_odd_calls),
	};

	return cmocka_run_group_tests_name("window/chat_convert", tests, NULL,
					   NULL);
}
