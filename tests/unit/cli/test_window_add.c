/* SPDX-License-Identifier: MIT */
/*
 * test_window_add.c - what may be on the stdin of an add.
 */
#include "tests/support/test_command.h"

#include "cli/command_line.h"

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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(window_add_of_messages_says_how_many),
		COMMAND_TEST(window_add_of_messages_that_are_none),
		COMMAND_TEST(window_add_takes_one_kind_of_input),
		COMMAND_TEST(window_add_of_a_block),
	};

	return cmocka_run_group_tests_name("cli/window_add", tests, NULL, NULL);
}
