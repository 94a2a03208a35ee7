/* SPDX-License-Identifier: MIT */
/*
 * test_conversation_input.c - what others of the commands write, as messages.
 */
#include "tests/support/test_command.h"

#include "cli/conversation.h"

static void
expect(enum chat_format format, const char *given, bool is_other,
       const char *want)
{
	struct window_error error = { .text = "" };
	size_t bytes = strlen(given);
	char *text = strdup(given);
	bool other;

	if (conversation_as_messages(format, &text, &bytes, &other, &error) !=
	    0)
		fail_msg("%s: %s", given, error.text);
	assert_int_equal(other, is_other);
	assert_string_equal(text, want);
	assert_int_equal(bytes, strlen(want));
	free(text);
}

static void
test_input_of_windows_and_blocks_is_messages(void **state)
{
	expect(CHAT_AUTO,
	       "{\"version\":1,\"max_tokens\":2,\"items\":[{\"type\":"
	       "\"user_message\",\"content\":\"longer than it may be\"}]}",
	       true,
	       "{\"messages\":[{\"role\":\"user\",\"content\":\"longer than it "
	       "may be\"}]}");
	expect(CHAT_ANTHROPIC,
	       "{\"text\":\"Modules: a\",\"kept\":{},\"left_out\":{}}", true,
	       "{\"messages\":[{\"role\":\"user\",\"content\":[{\"type\":"
	       "\"text\",\"text\":\"Modules: a\"}]}]}");
}

static void
test_input_of_messages_stays_as_it_is(void **state)
{
	static const char *const texts[] = {
		"[{\"role\":\"user\",\"content\":\"u\"}] ",
		"{\"items\":[],\"messages\":[]}", "no JSON", ""
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		expect(CHAT_AUTO, texts[i], false, texts[i]);
}

static void
test_input_that_is_no_window_is_an_error(void **state)
{
	struct window_error error = { .text = "" };
	char *text = strdup("{\"items\":[]}");
	size_t bytes = strlen(text);
	bool other;

	assert_int_equal(conversation_as_messages(CHAT_AUTO, &text, &bytes,
						  &other, &error),
			 -EBADMSG);
	assert_int_equal(strncmp(error.text, "BALE-WIN-014 ", 13), 0);
	free(text);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_input_of_windows_and_blocks_is_messages),
		cmocka_unit_test(test_input_of_messages_stays_as_it_is),
		cmocka_unit_test(test_input_that_is_no_window_is_an_error),
	};

	return cmocka_run_group_tests_name("cli/conversation_input", tests,
					   NULL, NULL);
}
