/* SPDX-License-Identifier: MIT */
/*
 * test_dialogue.c - the items of a window as a request.
 *
 * Random windows are built and checked by tests/support/strict_window.py; here
 * are the cases by themselves.
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

static void
add_messages(const char *json)
{
	const struct window_messages messages = { .json = json,
						  .bytes = strlen(json) };
	size_t added;

	assert_int_equal(window_add_messages(window, &messages, &added, NULL),
			 0);
}

static void
add(enum window_type type, const char *id, const char *content)
{
	const struct window_item item = {
		.type = type,
		.id = id,
		.content = content,
		.content_bytes = strlen(content),
	};

	assert_int_equal(window_add(window, &item, NULL, NULL), 0);
}

static void
expect_within(enum chat_format format, uint32_t history, const char *want)
{
	struct window_build_options options = window_build_defaults();
	struct window_error error = { .text = "" };
	struct window_built built;
	json_t *got;
	json_t *wanted = json_loads(want, 0, NULL);

	options.format = format;
	options.history_max = history;
	if (window_build(window, &options, &built, &error) != 0)
		fail_msg("%s", error.text);
	got = json_loads(built.content, 0, NULL);
	assert_non_null(wanted);
	if (!json_equal(got, wanted))
		fail_msg("%s", built.content);
	json_decref(got);
	json_decref(wanted);
	window_built_free(&built);
}

static void
expect(enum chat_format format, const char *want)
{
	expect_within(format, 100, want);
}

#define TEXT(text) "{\"type\":\"text\",\"text\":\"" text "\"}"
#define CUT "[Earlier parts of this context were left out to make room.]"

/* What frames a conversation is the system's, what is not said by anybody the
 * user's. */
static void
test_dialogue_has_the_system_prompt_where_it_belongs(void **state)
{
	add(WINDOW_USER_MESSAGE, "u", "Why?");
	add(WINDOW_RETRIEVED_DOCUMENT, "d", "a.c");
	add(WINDOW_INSTRUCTION, "i", "Think.");
	add(WINDOW_SYSTEM_PROMPT, "s", "Be brief.");
	add(WINDOW_ASSISTANT_MESSAGE, "a", "So.");
	add(WINDOW_TOOL_RESULT, "t", "diff");
	expect(CHAT_OPENAI,
	       "{\"messages\":[{\"role\":\"system\",\"content\":\"Be "
	       "brief.\\n\\nThink.\"},{\"role\":\"user\",\"content\":\"a.c"
	       "\\n\\nWhy?\"},{\"role\":\"assistant\",\"content\":\"So.\"},{"
	       "\"role\":\"user\",\"content\":\"diff\"}]}");
	expect(CHAT_ANTHROPIC,
	       "{\"system\":\"Be brief.\\n\\nThink.\",\"messages\":[{\"role\":"
	       "\"user\",\"content\":[" TEXT("a.c") "," TEXT("Why?")
	       "]},{\"role\":\"assistant\",\"content\":[" TEXT("So.")
	       "]},{\"role\":\"user\",\"content\":[" TEXT("diff") "]}]}");
	expect(CHAT_RESPONSES,
	       "{\"instructions\":\"Be brief.\\n\\nThink.\",\"input\":[{"
	       "\"role\":\"user\",\"content\":\"a.c\\n\\nWhy?\"},{\"role\":"
	       "\"assistant\",\"content\":\"So.\"},{\"role\":\"user\","
	       "\"content\":\"diff\"}]}");
}

/* Results stand behind their calls, whatever was added in between. */
#define CACHED ",\"cache_control\":{\"type\":\"ephemeral\"}"

/* A provider's cache begins with the system prompt: its marks stay. */
static void
test_dialogue_keeps_the_parts_of_a_system_prompt(void **state)
{
	add_messages("{\"system\":[{\"type\":\"text\",\"text\":\"a\"" CACHED
		     "},{\"type\":\"text\",\"text\":\"b\"}],\"messages\":[{"
		     "\"role\":\"user\",\"content\":\"x\"}]}");
	add(WINDOW_INSTRUCTION, "i", "c");
	expect(CHAT_ANTHROPIC,
	       "{\"system\":[{\"type\":\"text\",\"text\":\"a\"" CACHED
	       "},{\"type\":\"text\",\"text\":\"b\"},{\"type\":\"text\","
	       "\"text\":\"c\"}],\"messages\":[{\"role\":\"user\",\"content\":[{"
	       "\"type\":\"text\",\"text\":\"x\"}]}]}");
	expect(CHAT_OPENAI,
	       "{\"messages\":[{\"role\":\"system\",\"content\":"
	       "\"a\\n\\nb\\n\\nc\"},{\"role\":\"user\",\"content\":\"x\"}]}");
}

/* What is in a file of a stranger's is a text, unless it can be sent. */
static void
test_dialogue_takes_no_strange_system_prompt(void **state)
{
	static const char *const strange[] = {
		"{\"format\":\"anthropic\",\"system\":[1]}",
		"{\"format\":\"anthropic\",\"system\":[{\"type\":\"text\"}]}",
		"{\"format\":\"anthropic\",\"system\":[{\"type\":\"text\","
		"\"text\":\" \"}]}",
		"{\"format\":\"anthropic\",\"system\":[{\"type\":\"image\","
		"\"text\":\"a\"}]}",
		"{\"format\":\"openai-chat\",\"system\":[{\"type\":\"text\","
		"\"text\":\"z\"}]}",
	};

	for (size_t i = 0; i < ARRAY_LEN(strange); i++) {
		const struct window_item item = {
			.type = WINDOW_SYSTEM_PROMPT,
			.id = "s",
			.content = "a",
			.content_bytes = 1,
			.metadata = strange[i],
		};

		assert_int_equal(window_add(window, &item, NULL, NULL), 0);
		if (i == 0)
			add_messages("[{\"role\":\"user\",\"content\":\"x\"}]");
		expect(CHAT_ANTHROPIC,
		       "{\"system\":\"a\",\"messages\":[{\"role\":\"user\","
		       "\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}]}");
		assert_int_equal(window_remove(window, "s"), 0);
	}
}

static void
test_dialogue_keeps_pairs_together(void **state)
{
	add_messages("[" USER "," CALL("c") "]");
	add(WINDOW_USER_MESSAGE, "u", "Hurry!");
	add_messages("[" CALL("d") "," RESULT("d") "," RESULT("c") "]");
	expect(CHAT_OPENAI,
	       "{\"messages\":[" USER "," CALL("c") "," RESULT("c")
	       ",{\"role\":\"user\",\"content\":\"Hurry!\"}," CALL("d")
	       "," RESULT("d") "]}");
}

/* Where there is no room for a call, its result is no answer to anything. */
static void
test_dialogue_leaves_pairs_out_together(void **state)
{
	add_messages("[" USER "," CALL("c") "," RESULT("c")
		     ",{\"role\":\"assistant\",\"content\":\"So.\"}]");
	expect_within(CHAT_OPENAI, 1,
		      "{\"messages\":[{\"role\":\"user\",\"content\":\"" CUT
		      "\"},{\"role\":\"assistant\",\"content\":\"So.\"}]}");
}

/* Halves whose others are gone for good, and ids that are used again. */
static void
test_dialogue_has_no_half_of_a_pair(void **state)
{
	add_messages("[" RESULT("c") "," CALL("c") "," RESULT("c") "," USER
		     "," CALL("c") "]");
	expect(CHAT_OPENAI,
	       "{\"messages\":[{\"role\":\"user\",\"content\":\"[result of c]"
	       "\\nr\"}," CALL("c") "," RESULT("c") "," USER "]}");
}

/* Pinned: the whole pair stays, in front. */
static void
test_dialogue_pins_pairs_together(void **state)
{
	struct window_list list;

	add_messages("[" USER "," CALL("c") "," RESULT("c")
		     ",{\"role\":\"assistant\",\"content\":\"So.\"},{\"role\":"
		     "\"user\",\"content\":\"And?\"}]");
	assert_int_equal(window_list(window, NULL, &list), 0);
	for (size_t i = 0; i < list.nr; i++)
		if (list.items[i].type == WINDOW_TOOL_RESULT)
			window_set_pin(window, list.items[i].id, true);
	window_list_free(&list);
	expect_within(CHAT_OPENAI, 1,
		      "{\"messages\":[{\"role\":\"user\",\"content\":\"" CUT
		      "\"}," CALL("c") "," RESULT("c")
		      ",{\"role\":\"user\",\"content\":\"And?\"}]}");
}

/* Anthropic: results are in front of the text of their message. */
static void
test_dialogue_has_results_first(void **state)
{
	add_messages("[" USER "," USE("c") "," USE("d") ",{\"role\":\"user\","
		     "\"content\":[{\"type\":\"tool_result\",\"tool_use_id\":"
		     "\"c\",\"content\":\"r\"}," TEXT("and") ",{\"type\":"
		     "\"tool_result\",\"tool_use_id\":\"d\",\"content\":"
		     "\"r\"}]}]");
	expect(CHAT_ANTHROPIC,
	       "{\"messages\":[{\"role\":\"user\",\"content\":[" TEXT("u")
	       "]},{\"role\":\"assistant\",\"content\":[{\"type\":"
	       "\"tool_use\",\"id\":\"c\",\"name\":\"f\",\"input\":{}},{"
	       "\"type\":\"tool_use\",\"id\":\"d\",\"name\":\"f\",\"input\":{"
	       "}}]},{\"role\":\"user\",\"content\":[{\"type\":"
	       "\"tool_result\",\"tool_use_id\":\"c\",\"content\":\"r\"},{"
	       "\"type\":\"tool_result\",\"tool_use_id\":\"d\",\"content\":"
	       "\"r\"}," TEXT("and") "]}]}");
}

static void
test_dialogue_without_a_message_is_an_error(void **state)
{
	struct window_build_options options = window_build_defaults();
	struct window_error error;
	struct window_built built;

	add(WINDOW_SYSTEM_PROMPT, "s", "Be brief.");
	options.format = CHAT_ANTHROPIC;
	assert_int_equal(window_build(window, &options, &built, &error),
			 -ENODATA);
	assert_int_equal(strncmp(error.text, "BALE-WIN-023 ", 13), 0);
}

/* Metadata of a user's own, or one that is no message, is not of a message. */
static void
test_dialogue_takes_no_strange_metadata(void **state)
{
	static const char *const metadata[] = {
		"{}",
		"{\"format\":\"openai-chat\",\"messages\":[{\"role\":1}]}",
		"{\"format\":\"openai-chat\",\"messages\":{}}",
		"{\"format\":\"auto\",\"messages\":[" USER "]}",
		"{\"format\":\"x\",\"messages\":[" USER "]}",
	};

	for (size_t i = 0; i < ARRAY_LEN(metadata); i++) {
		const struct window_item item = {
			.type = WINDOW_USER_MESSAGE,
			.content = "x",
			.content_bytes = 1,
			.metadata = metadata[i],
		};

		assert_int_equal(window_add(window, &item, NULL, NULL), 0);
	}
	expect(CHAT_OPENAI, "{\"messages\":[{\"role\":\"user\",\"content\":"
			    "\"x\\n\\nx\\n\\nx\\n\\nx\\n\\nx\"}]}");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
		TEST(test_dialogue_has_the_system_prompt_where_it_belongs),
		TEST(test_dialogue_keeps_the_parts_of_a_system_prompt),
		TEST(test_dialogue_takes_no_strange_system_prompt),
		TEST(test_dialogue_keeps_pairs_together),
		TEST(test_dialogue_leaves_pairs_out_together),
		TEST(test_dialogue_has_no_half_of_a_pair),
		TEST(test_dialogue_pins_pairs_together),
		TEST(test_dialogue_has_results_first),
		TEST(test_dialogue_without_a_message_is_an_error),
		TEST(test_dialogue_takes_no_strange_metadata),
	};

	return cmocka_run_group_tests_name("window/dialogue", tests, NULL,
					   NULL);
}
