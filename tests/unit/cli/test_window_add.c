/* SPDX-License-Identifier: MIT */
/*
 * test_window_add.c - what may be on the stdin of an add.
 */
#include "tests/support/test_command.h"

#include "cli/command_line.h"

/* In two pieces, so that nobody takes this file for one that has a secret. */
#define SECRET \
	"ghp_" \
	"aZ4kQ9vT2xW7mB1nR8sL5cD3fG6hJ0pYuEoI"

#define RUN(words, input, code, said) \
	ASSERT_RUN(cmd_window, "window w.json " words, input, code, said)

static void
test_window_add_of_messages_says_how_many(void **state)
{
	RUN("add --messages --priority 70",
	    "[{\"role\":\"user\",\"content\":\"one\"},{\"role\":\"assistant\","
	    "\"content\":\"two\"}]",
	    EXIT_COMPLETE, "");
	ASSERT_OUT("2\n");
	RUN("list", NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("\tuser_message\t70\t1\t-\tone\n");
	ASSERT_SAYS("\tassistant_message\t70\t1\t-\ttwo\n");
	RUN("build --format openai-chat", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT("{\"messages\":[{\"role\":\"user\",\"content\":\"one\"},"
		   "{\"role\":\"assistant\",\"content\":\"two\"}]}\n");
}

/* All of them or none. */
static void
test_window_add_of_messages_that_are_none(void **state)
{
	RUN("add --messages --max-tokens 10", "no", EXIT_USAGE, "BALE-CMP-001");
	RUN("add --messages --max-tokens 10",
	    "[{\"role\":\"user\",\"content\":\"one\"},{\"role\":\"user\","
	    "\"content\":\"a b c d e f g h i j k l m n o p\"}]",
	    EXIT_FRAME, "BALE-WIN-004");
	RUN("list", NULL, EXIT_USAGE, "BALE-WIN-015");
}

static void
test_window_add_takes_one_kind_of_input(void **state)
{
	RUN("add --messages --jsonl", "[]", EXIT_USAGE,
	    "--jsonl, --pack or --messages: the input is one of them");
	RUN("add --pack --jsonl", "", EXIT_USAGE, "the input is one of them");
}

/* A block of rounds is memory. */
static void
test_window_add_of_a_block(void **state)
{
	RUN("add --jsonl",
	    "{\"round\":1,\"text\":\"Modules: a\",\"tokens\":3,\"kept\":{},"
	    "\"left_out\":{}}\n",
	    EXIT_COMPLETE, "");
	RUN("list", NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("\tworking_memory\t50\t3\t-\tModules: a\n");
}

/* Numbers, NUL and names of speakers: as they were, through any interface. */
static void
test_window_add_of_messages_gives_them_back(void **state)
{
	RUN("add --messages",
	    "[{\"role\":\"user\",\"content\":\"hi\"},{\"role\":\"assistant\","
	    "\"content\":[{\"type\":\"tool_use\",\"id\":\"t\",\"name\":\"at\","
	    "\"input\":{\"ts\":1732835002.123456,\"p\":0.1,\"q\":"
	    "0.30000000000000004}}]},{\"role\":\"user\",\"content\":[{\"type\":"
	    "\"tool_result\",\"tool_use_id\":\"t\",\"content\":\"a\\u0000b\"}]}]",
	    EXIT_COMPLETE, "");
	RUN("build --format anthropic", NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("{\"ts\":1732835002.123456,\"p\":0.1,\"q\":"
		    "0.30000000000000004}");
	ASSERT_SAYS("a\\u0000b");
	RUN("build --format openai-chat", NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("{\\\"ts\\\":1732835002.123456,\\\"p\\\":0.1,");
}

static void
test_window_add_keeps_speakers_apart(void **state)
{
#define TWO                                                                 \
	"{\"messages\":[{\"role\":\"user\",\"name\":\"alice\",\"content\":" \
	"\"a\"},{\"role\":\"user\",\"name\":\"bob\",\"content\":\"b\"}]}\n"
	RUN("add --messages", TWO, EXIT_COMPLETE, "");
	RUN("build --format openai-chat", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT(TWO);
}

/* A text beside results, which another interface has behind them. */
static void
test_window_add_of_results_with_texts(void **state)
{
	RUN("add --messages",
	    "[{\"role\":\"user\",\"content\":\"q\"},{\"role\":\"assistant\","
	    "\"content\":[{\"type\":\"tool_use\",\"id\":\"a\",\"name\":\"f\","
	    "\"input\":{}},{\"type\":\"tool_use\",\"id\":\"b\",\"name\":\"f\","
	    "\"input\":{}}]},{\"role\":\"user\",\"content\":[{\"type\":\"text\","
	    "\"text\":\"and\"},{\"type\":\"tool_result\",\"tool_use_id\":\"a\","
	    "\"content\":\"1\"},{\"type\":\"text\",\"text\":\"so\"},{\"type\":"
	    "\"tool_result\",\"tool_use_id\":\"b\",\"content\":\"2\"}]}]",
	    EXIT_COMPLETE, "");
	RUN("build --format openai-chat", NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("{\"role\":\"tool\",\"tool_call_id\":\"a\",\"content\":"
		    "\"1\"},{\"role\":\"tool\",\"tool_call_id\":\"b\","
		    "\"content\":\"2\"},{\"role\":\"user\",\"content\":"
		    "\"and\\n\\nso\"}");
	RUN("build --format openai-responses", NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("\"output\":\"2\"},{\"role\":\"user\"");
}

/* Calls of one turn are one message of --history, however they are written. */
static void
test_window_add_of_many_calls_is_one_message(void **state)
{
	static char input[4096] = "[{\"role\":\"user\",\"content\":\"q\"}";
	size_t at = strlen(input);

	for (int i = 0; i < 24; i++)
		at += (size_t)snprintf(
			input + at, sizeof(input) - at,
			i < 12 ? ",{\"type\":\"function_call\",\"call_id\":"
				 "\"%d\",\"name\":\"f\",\"arguments\":\"{}\"}"
			       : ",{\"type\":\"function_call_output\","
				 "\"call_id\":\"%d\",\"output\":\"o\"}",
			i % 12);
	strcpy(input + at, "]");
	RUN("add --messages", input, EXIT_COMPLETE, "");
	RUN("build --format openai-responses --history 2", NULL, EXIT_COMPLETE,
	    "");
	ASSERT_SAYS("\"content\":\"q\"");
	ASSERT_SAYS("\"call_id\":\"11\"");
	RUN("build --format openai-responses --history 1", NULL, EXIT_COMPLETE,
	    "");
	ASSERT_SAYS("{\"input\":[{\"role\":\"user\",\"content\":\"[Earlier ");
}

/* What a user says of an item's tokens may be wrong by any factor. */
static void
test_window_add_of_items_that_say_too_few_tokens(void **state)
{
	static char input[100 * 700];
	size_t at = 0;

	for (int i = 0; i < 100; i++) {
		at += (size_t)sprintf(input + at,
				      "{\"type\":\"retrieved_document\","
				      "\"tokens\":1,\"content\":\"%d",
				      i);
		for (int k = 0; k < 100; k++)
			at += (size_t)sprintf(input + at, " word");
		at += (size_t)sprintf(input + at, "\"}\n");
	}
	RUN("add --jsonl --max-tokens 6000", input, EXIT_COMPLETE, "");
	RUN("build --json --format openai-chat --reserve-response 1000", NULL,
	    EXIT_COMPLETE, "");
	ASSERT_SAYS("\"total_tokens\":48");
}

/* verifies: WIN-07 */
static void
test_window_add_cleans_what_options_say(void **state)
{
	RUN("add --content x --metadata {\"k\":\"" SECRET
	    "\"} --source " SECRET,
	    NULL, EXIT_COMPLETE, "");
	RUN("snapshot", NULL, EXIT_COMPLETE, "");
	assert_null(strstr(command_out, SECRET));
	RUN("add --content x --secrets exclude --source " SECRET, NULL,
	    EXIT_DEGRADED, "the item has a secret");
	RUN("add --content x --secrets fail --source " SECRET, NULL,
	    EXIT_SECRET, "BALE-SEC-001 --source:1");
}

/* A file that could not be read again is not written. */
static void
test_window_add_of_what_could_not_be_read_again(void **state)
{
	static char input[9000] = "{\"type\":\"other\",\"content\":\"x\","
				  "\"metadata\":{\"a\":";
	size_t at = strlen(input);

	memset(input + at, '[', 2046);
	memset(input + at + 2046, ']', 2046);
	strcpy(input + at + 4092, "}}\n");
	RUN("add --content precious", NULL, EXIT_COMPLETE, "");
	RUN("add --jsonl", input, EXIT_OUTPUT, "is nested too deep");
	RUN("list", NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("\tprecious\n");
}

static void
test_window_add_with_events_in_its_own_file(void **state)
{
	RUN("add --content a", NULL, EXIT_COMPLETE, "");
	RUN("add --content b --events ./w.json", NULL, EXIT_USAGE,
	    "BALE-CLI-005");
	RUN("list", NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("\ta\n");
}

/* All that was removed is told of, not the last of it. */
static void
test_window_add_tells_of_all_that_went(void **state)
{
	static char input[8192] = "[";
	size_t at = 1;
	char want[64];

	for (int i = 0; i < 40; i++)
		at += (size_t)sprintf(
			input + at,
			"%s{\"role\":\"%s\",\"content\":\"one two "
			"three four five six seven eight\"}",
			i == 0 ? "" : ",", i % 2 == 0 ? "user" : "assistant");
	strcpy(input + at, "]");
	ASSERT_EQ(command_run(cmd_window,
			      "window w.json add --messages --max-tokens 100",
			      input),
		  EXIT_COMPLETE);
	strcpy(input, command_err);
	RUN("list", NULL, EXIT_COMPLETE, "");
	at = 40;
	for (const char *line = command_out; *line != '\0'; line++)
		at -= *line == '\n';
	snprintf(want, sizeof(want), ": %zu items (%zu tokens) removed",
		 at, 8 * at);
	assert_non_null(strstr(input, want));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(window_add_of_messages_says_how_many),
		COMMAND_TEST(window_add_of_messages_that_are_none),
		COMMAND_TEST(window_add_takes_one_kind_of_input),
		COMMAND_TEST(window_add_of_a_block),
		COMMAND_TEST(window_add_of_messages_gives_them_back),
		COMMAND_TEST(window_add_keeps_speakers_apart),
		COMMAND_TEST(window_add_of_results_with_texts),
		COMMAND_TEST(window_add_of_many_calls_is_one_message),
		COMMAND_TEST(window_add_of_items_that_say_too_few_tokens),
		COMMAND_TEST(window_add_cleans_what_options_say),
		COMMAND_TEST(window_add_of_what_could_not_be_read_again),
		COMMAND_TEST(window_add_with_events_in_its_own_file),
		COMMAND_TEST(window_add_tells_of_all_that_went),
	};

	return cmocka_run_group_tests_name("cli/window_add", tests, NULL, NULL);
}
