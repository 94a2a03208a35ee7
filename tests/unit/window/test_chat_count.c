/* SPDX-License-Identifier: MIT */
/*
 * test_chat_count.c - tokens of a conversation.
 */
#include "tests/support/test_chat.h"

/* verifies: CMP-03 */
static void
test_chat_counts_text_exactly_and_says_what_is_estimated(void **state)
{
	struct chat_options options = options_for("gpt-4o");
	struct chat_budget budget;
	struct chat *chat;

	/* " a a a" is 3 tokens, 4 around each message, 3 for the reply */
	chat = open_with("[{\"role\":\"system\",\"content\":\" a\"},{\"role\":"
			 "\"user\",\"content\":\" a a a\"},{\"role\":\"user\","
			 "\"content\":[{\"type\":\"text\",\"text\":\" a\"},{"
			 "\"type\":\"text\",\"text\":\" a a\"}]}]",
			 &options);
	chat_budget(chat, &budget);
	assert_int_equal(budget.system, 5);
	assert_int_equal(budget.messages, 3 + 7 + 7);
	assert_int_equal(budget.margin, 0);
	assert_false(budget.estimated);
	chat_close(chat);
	chat = open_with("[" CALL("c") "]", &options);
	chat_budget(chat, &budget);
	assert_true(budget.estimated);
	assert_true(budget.messages > 3 + 4 + 2);
	chat_close(chat);
	options.model = "claude-opus-4-1";
	chat = open_with("[" USER "]", &options);
	chat_budget(chat, &budget);
	assert_true(budget.estimated);
	assert_true(budget.margin > 0);
	chat_close(chat);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chat_counts_text_exactly_and_says_what_is_estimated),
	};

	return cmocka_run_group_tests_name("window/chat_count", tests, NULL,
					   NULL);
}
