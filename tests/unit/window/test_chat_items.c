/* SPDX-License-Identifier: MIT */
/*
 * test_chat_items.c - messages as items of a window.
 */
#include "tests/support/test_chat.h"

#include <jansson.h>

static struct window *window;

static int
set_up(void **state)
{
	const struct window_options options = window_defaults();

	return window_create(&window, &options, NULL);
}

static int
tear_down(void **state)
{
	window_destroy(window);
	return 0;
}

static int
add(const char *json, size_t *added, struct window_error *error)
{
	const struct window_messages messages = {
		.json = json,
		.bytes = strlen(json),
		.priority = 60,
		.pinned = true,
	};

	return window_add_messages(window, &messages, added, error);
}

/* "TYPE ROLE CONTENT METADATA" of all items, in the order of the window. */
static const char *
items(void)
{
	static char text[4096];
	struct window_list list;
	size_t at = 0;

	*text = '\0';
	assert_int_equal(window_list(window, NULL, &list), 0);
	for (size_t i = 0; i < list.nr; i++) {
		const struct window_item *item = &list.items[i];

		assert_int_equal(item->priority, 60);
		assert_true(item->pinned);
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "%s %s %.*s %s;",
				       window_type_name(item->type), item->role,
				       (int)item->content_bytes, item->content,
				       item->metadata);
	}
	window_list_free(&list);
	return text;
}

static void
test_messages_are_items_by_their_roles(void **state)
{
	size_t added;

	assert_int_equal(
		add("[{\"role\":\"developer\",\"content\":\"Be brief.\"}," USER
		    "," CALL("c") "," RESULT("c") "]",
		    &added, NULL),
		0);
	assert_int_equal(added, 4);
	assert_string_equal(
		items(),
		"system_prompt (null) Be brief. (null);"
		"tool_result tool [result of c]\nr {\"format\":"
		"\"openai-chat\",\"messages\":[" RESULT("c") "]};"
		"user_message user u (null);"
		"assistant_message assistant [calls f, c]\n{} {\"format\":"
		"\"openai-chat\",\"messages\":[" CALL("c") "]};");
}

/* A text is taken as it is, blanks and all; a part that is one as well. */
static void
test_messages_that_are_texts_have_no_metadata(void **state)
{
	size_t added;

	assert_int_equal(
		add("{\"system\":[{\"type\":\"text\",\"text\":\"a\"},{\"type\":"
		    "\"text\",\"text\":\"b\"}],\"messages\":[{\"role\":"
		    "\"user\",\"content\":[{\"type\":\"text\",\"text\":"
		    "\" x \\n\"}]},{\"role\":\"assistant\",\"content\":"
		    "\"\"}]}",
		    &added, NULL),
		0);
	assert_int_equal(added, 2);
	assert_string_equal(items(), "system_prompt (null) a\n\nb (null);"
				     "user_message user  x \n (null);");
}

/* A thought and what it led to, and their tokens as the interface counts. */
static void
test_messages_that_belong_together_are_one_item(void **state)
{
	struct window_stats stats;
	size_t added;

	assert_int_equal(add("[" THINK "," FCALL("c") "]", &added, NULL), 0);
	assert_int_equal(added, 1);
	window_stats(window, &stats);
	assert_int_equal(stats.tokens,
			 message_tokens_of("[" THINK "," FCALL("c") "]") -
				 CHAT_REPLY_TOKENS);
}

/* A part of a conversation is one as well: its other half may be elsewhere. */
static void
test_messages_may_be_parts_of_a_conversation(void **state)
{
	struct window_error error;
	size_t added;

	assert_int_equal(add("[" RESULT("c") "]", &added, &error), 0);
	assert_int_equal(add("[{\"role\":\"wizard\"}]", &added, &error),
			 -EBADMSG);
	assert_int_equal(strncmp(error.text, "BALE-CMP-002", 12), 0);
	assert_int_equal(add("{}", &added, &error), -EBADMSG);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(test_messages_are_items_by_their_roles),
		TEST(test_messages_that_are_texts_have_no_metadata),
		TEST(test_messages_that_belong_together_are_one_item),
		TEST(test_messages_may_be_parts_of_a_conversation),
	};

	return cmocka_run_group_tests_name("window/chat_items", tests, NULL,
					   NULL);
}
