/* SPDX-License-Identifier: MIT */
/*
 * test_rounds_find.c - rounds in conversations.
 */
#include "tests/support/test_window.h"

#include "window/rounds.h"

#define ANSWER(text) "{\"role\":\"assistant\",\"content\":\"" text "\"}"
#define ROUND(module) "{\\\"modules\\\":[\\\"" module "\\\"]}"

/* Fails unless the round of a conversation has this module. */
static void
expect(const char *json, const char *module)
{
	struct window_error error = { .text = "" };
	char want[64];
	char *found;

	assert_true(rounds_is_conversation(json, strlen(json)));
	if (rounds_find(json, strlen(json), &found, &error) != 0)
		fail_msg("%s", error.text);
	snprintf(want, sizeof(want), "{\"modules\":[\"%s\"]}", module);
	assert_string_equal(found, want);
	free(found);
}

static void
test_rounds_are_in_the_newest_answer_with_one(void **state)
{
	expect("[" ANSWER(ROUND("a")) "]", "a");
	expect("[" ANSWER(ROUND("a")) "," ANSWER(ROUND("b")) "," ANSWER("So.")
	       ",{\"role\":\"user\",\"content\":\"" ROUND("c") "\"}]",
	       "b");
	expect("{\"messages\":[" ANSWER("In {braces}, {\\\"x\\\":1}:\\n```json"
					"\\n" ROUND("a") "\\n```\\nDone.") "]}",
	       "a");
	expect("{\"input\":[{\"type\":\"message\",\"role\":\"assistant\","
	       "\"content\":[{\"type\":\"output_text\",\"text\":\"" ROUND(
		       "a") "\"}]}]}",
	       "a");
}

static void
test_rounds_are_in_windows(void **state)
{
#define ITEM(type, ms, module)                                            \
	"{\"type\":\"" type "\",\"added_ms\":" ms ",\"content\":\"" ROUND( \
		module) "\"}"
	expect("{\"version\":1,\"items\":[" ITEM("assistant_message", "9",
						 "new") ","
	       ITEM("assistant_message", "5", "old") ","
	       ITEM("user_message", "11", "user") "]}",
	       "new");
}

static void
test_rounds_are_not_in_conversations_without_one(void **state)
{
	static const char json[] = "[" ANSWER("{\\\"modules\\\":1}") "]";
	struct window_error error;
	char *found;

	assert_int_equal(rounds_find(json, strlen(json), &found, &error),
			 -EBADMSG);
	assert_int_equal(strncmp(error.text, "BALE-RND-007 ", 13), 0);
	assert_null(found);
}

/* Models put JSON between fences, and a sentence before them. */
static void
test_rounds_are_in_the_text_of_an_answer(void **state)
{
	static const char text[] = "Here {it} is:\n```json\n{\"modules\":[\"a\"]}"
				   "\n```\n";
	struct window_error error;
	char *found;

	assert_true(rounds_is_conversation(text, strlen(text)));
	assert_int_equal(rounds_find(text, strlen(text), &found, &error), 0);
	assert_string_equal(found, "{\"modules\":[\"a\"]}");
	free(found);
	assert_false(rounds_is_conversation(text, 20));
}

/* What is a round stays one, whatever else it has; no JSON is nothing. */
static void
test_rounds_themselves_are_no_conversations(void **state)
{
	static const char *const texts[] = {
		"{\"modules\":[]}", "{\"findings\":[],\"messages\":[]}", "[]",
		"[1]", "{", "{\"items\":{}}",
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		assert_false(rounds_is_conversation(texts[i],
						    strlen(texts[i])));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rounds_are_in_the_newest_answer_with_one),
		cmocka_unit_test(test_rounds_are_in_windows),
		cmocka_unit_test(
			test_rounds_are_not_in_conversations_without_one),
		cmocka_unit_test(test_rounds_are_in_the_text_of_an_answer),
		cmocka_unit_test(test_rounds_themselves_are_no_conversations),
	};

	return cmocka_run_group_tests_name("window/rounds_find", tests, NULL,
					   NULL);
}
