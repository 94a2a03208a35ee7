/* SPDX-License-Identifier: MIT */
/*
 * test_chat_responses.c - what messages of the responses interface are made of.
 */
#include "tests/support/test_chat.h"

#include "window/image.h"

#define SCREEN(output)                                                   \
	"[{\"type\":\"computer_call\",\"call_id\":\"c\",\"action\":{}}," \
	"{\"type\":\"computer_call_output\",\"call_id\":\"c\","          \
	"\"output\":" output "}]"

#define PICTURE(type) \
	"{\"type\":\"" type "\",\"image_url\":\"https://example.org/a\"}"

/* A screenshot is a picture, wherever it stands, and no JSON. */
static void
test_chat_screenshots_are_pictures(void **state)
{
	uint64_t none = message_tokens_of(SCREEN("[]"));
	uint64_t one =
		message_tokens_of(SCREEN("[" PICTURE("input_image") "]"));

	assert_int_equal(one - none, image_tokens_openai(0, 0, false));
	assert_int_equal(message_tokens_of(SCREEN(
				 "[" PICTURE("computer_screenshot") "]")),
			 one);
	assert_int_equal(
		message_tokens_of(SCREEN(PICTURE("computer_screenshot"))), one);
	assert_true(message_tokens_of(SCREEN(PICTURE("other"))) < none + 100);
}

/* All that a thought consists of is counted. */
static void
test_chat_thoughts_count_with_all_their_parts(void **state)
{
#define THOUGHT(more)                                                         \
	"[{\"type\":\"reasoning\",\"id\":\"r\",\"summary\":[]" more "}," USER \
	"]"
#define OF_A_HUNDRED(type, text) \
	"[{\"type\":\"" type "\",\"text\":\"" text "\"}]"
	static const char ten[] = " a a a a a a a a a a";
	char hundred[10 * sizeof(ten)] = "";
	char json[1000];
	uint64_t none = message_tokens_of(THOUGHT(""));

	for (int i = 0; i < 10; i++)
		strcat(hundred, ten);
	snprintf(json, sizeof(json),
		 THOUGHT(",\"content\":" OF_A_HUNDRED("reasoning_text", "%s")),
		 hundred);
	assert_int_equal(message_tokens_of(json) - none, 100);
	snprintf(
		json, sizeof(json),
		"[{\"type\":\"reasoning\",\"id\":\"r\",\"summary\":" OF_A_HUNDRED(
			"summary_text", "%s") "}," USER "]",
		hundred);
	assert_int_equal(message_tokens_of(json) - none, 100);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chat_screenshots_are_pictures),
		cmocka_unit_test(test_chat_thoughts_count_with_all_their_parts),
	};

	return cmocka_run_group_tests_name("window/chat_responses", tests, NULL,
					   NULL);
}
