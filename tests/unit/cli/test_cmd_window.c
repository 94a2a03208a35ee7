/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_window.c - each action on a window in a file: what it prints, what
 *                     it leaves in the file, how it fails.
 */
#include "tests/support/test_command.h"

#include "cli/command_line.h"

#define WINDOW "window w.json "
#define RUN(words, input, code, said) \
	ASSERT_RUN(cmd_window, WINDOW words, input, code, said)

/* Three items, of 1, 2 and 1 tokens in o200k_base. */
static void
add_three(void)
{
	RUN("add --jsonl",
	    "{\"id\":\"a\",\"type\":\"other\",\"content\":\"hello\"}\n"
	    "{\"id\":\"b\",\"type\":\"user_message\",\"role\":\"user\","
	    "\"pinned\":true,\"content\":\"hello world\"}\n"
	    "{\"id\":\"c\",\"type\":\"other\",\"priority\":70,"
	    "\"source_ref\":\"s.c\",\"content\":\"hello\"}\n",
	    EXIT_COMPLETE, "");
	ASSERT_OUT("3\n");
}

#define LINE_A "a\tother\t50\t1\t-\thello\n"
#define LINE_B "b\tuser_message\t50\t2\tpinned\thello world\n"
#define LINE_C "c\tother\t70\t1\t-\thello\n"

/* By type, then priority. */
static void
test_window_list_is_a_line_an_item(void **state)
{
	add_three();
	RUN("list", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT(LINE_B LINE_C LINE_A);
	RUN("list --pinned", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT(LINE_B);
	RUN("list --type other", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT(LINE_C LINE_A);
}

/* Of a long text, 40 bytes, cut between characters; no control among them. */
static void
test_window_list_shows_the_beginning_of_a_text(void **state)
{
	RUN("add --id a", "a\tb\n23456789012345678901234567890123456é and more",
	    EXIT_COMPLETE, "");
	RUN("list", NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("\ta b 23456789012345678901234567890123456\n");
}

static void
test_window_list_as_json_has_all_of_it(void **state)
{
	json_t *all;
	const json_t *item;

	add_three();
	RUN("list --json", NULL, EXIT_COMPLETE, "");
	all = command_json();
	ASSERT_EQ(json_array_size(all), 3);
	item = json_array_get(all, 1);
	assert_string_equal(
		json_string_value(json_object_get(item, "source_ref")), "s.c");
	assert_string_equal(json_string_value(json_object_get(item, "content")),
			    "hello");
	ASSERT_TRUE(json_is_null(json_object_get(item, "role")));
	ASSERT_EQ(json_integer_value(json_object_get(item, "priority")), 70);
	json_decref(all);
}

static void
test_window_actions_on_an_item_need_one(void **state)
{
	add_three();
	RUN("pin a", NULL, EXIT_COMPLETE, "");
	RUN("unpin b", NULL, EXIT_COMPLETE, "");
	RUN("priority c 9", NULL, EXIT_COMPLETE, "");
	RUN("list", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT("b\tuser_message\t50\t2\t-\thello world\n"
		   "a\tother\t50\t1\tpinned\thello\n"
		   "c\tother\t9\t1\t-\thello\n");
	RUN("remove b", NULL, EXIT_COMPLETE, "");
	RUN("remove b", NULL, EXIT_USAGE, "BALE-WIN-006 there is no item b");
	RUN("pin b", NULL, EXIT_USAGE, "BALE-WIN-006");
	RUN("priority b 1", NULL, EXIT_USAGE, "BALE-WIN-006");
	RUN("priority a 1x", NULL, EXIT_USAGE, "BALE-WIN-002");
	RUN("priority a 99999999999999999999", NULL, EXIT_USAGE,
	    "BALE-WIN-002");
}

static void
test_window_clear_keeps_what_is_pinned(void **state)
{
	add_three();
	RUN("clear", NULL, EXIT_COMPLETE, "");
	RUN("list", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT(LINE_B);
	RUN("clear --with-pinned", NULL, EXIT_COMPLETE, "");
	RUN("list", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT("");
}

static void
test_window_add_of_lines_says_how_many(void **state)
{
	static const char lines[] =
		"{\"id\":\"a\",\"type\":\"other\",\"content\":\"1\"}\n\n"
		"{\"id\":\"a\",\"type\":\"other\",\"content\":\"2\"}\n"
		"{\"id\":\"b\",\"type\":\"other\",\"content\":\"3\"}";

	RUN("add --jsonl --strict", lines, EXIT_USAGE,
	    "BALE-WIN-019 1 lines could not be added, so none was");
	RUN("add --jsonl", lines, EXIT_DEGRADED, "line 3: ");
	ASSERT_OUT("2\n");
	RUN("list", NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("\t1\nb\t");
}

/* The context, byte for byte; and with what it has as JSON. */
static void
test_window_build_prints_the_context(void **state)
{
	json_t *all;

	RUN("add --id s --type system_prompt --content Brief.", NULL,
	    EXIT_COMPLETE, "");
	RUN("add --id u --type user_message --role user --content Hi", NULL,
	    EXIT_COMPLETE, "");
	RUN("build", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT("Brief.\n\n---\n\n[user]: Hi");
	RUN("build --json --no-history", NULL, EXIT_COMPLETE, "");
	all = command_json();
	assert_string_equal(json_string_value(json_object_get(all, "content")),
			    "Brief.");
	ASSERT_EQ(json_array_size(json_object_get(all, "included_ids")), 1);
	ASSERT_TRUE(json_is_false(json_object_get(all, "was_compacted")));
	json_decref(all);
}

/* 200 tokens with a limit of 300; to a half of it: two of four go. */
static void
test_window_compact_makes_room(void **state)
{
	char lines[512] = "";
	json_t *all;

	for (char id = 'a'; id < 'e'; id++)
		sprintf(lines + strlen(lines),
			"{\"id\":\"%c\",\"type\":\"other\",\"content\":\"x\","
			"\"tokens\":50}\n",
			id);
	RUN("add --jsonl --max-tokens 300 --strategy remove_oldest", lines,
	    EXIT_COMPLETE, "");
	RUN("compact --target 40", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT("100\n");
	RUN("list", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT("c\tother\t50\t50\t-\tx\nd\tother\t50\t50\t-\tx\n");
	RUN("stats --json", NULL, EXIT_COMPLETE, "");
	all = command_json();
	ASSERT_EQ(json_integer_value(json_object_get(all, "tokens")), 100);
	ASSERT_EQ(json_integer_value(json_object_get(all, "tokens_freed")),
		  100);
	ASSERT_EQ(json_integer_value(json_object_get(all, "available")), 200);
	json_decref(all);
	RUN("stats", NULL, EXIT_COMPLETE, "");
	ASSERT_SAYS("items        2, 0 pinned\n"
		    "tokens       100 of 300, 33.3 %, 200 available\n"
		    "compactions  1, 100 tokens freed\n");
	/* 105 of 110 are more than 85 per cent: the oldest makes room */
	RUN("limits --max-tokens 110", NULL, EXIT_COMPLETE, "");
	RUN("add --id e --content x --tokens 5", NULL, EXIT_COMPLETE,
	    "BALE-WIN-020 no room below the threshold: 1 item (50 "
	    "tokens) removed by remove_oldest: usage was 90.9%");
}

static void
test_window_limits_change_what_is_given(void **state)
{
	json_t *all;

	add_three();
	RUN("limits --max-tokens 777", NULL, EXIT_COMPLETE, "");
	RUN("limits --threshold 50", NULL, EXIT_COMPLETE, "");
	RUN("stats --json", NULL, EXIT_COMPLETE, "");
	all = command_json();
	ASSERT_EQ(json_integer_value(json_object_get(all, "max_tokens")), 777);
	ASSERT_EQ(json_real_value(json_object_get(all, "threshold")), 50);
	json_decref(all);
	RUN("add --content hello --model nobody-9", NULL, EXIT_COMPLETE,
	    "BALE-WIN-018 unknown model");
}

static void
test_window_restores_a_snapshot(void **state)
{
	static char snapshot[COMMAND_OUT_BYTES];
	json_t *was;
	json_t *is;

	add_three();
	RUN("snapshot", NULL, EXIT_COMPLETE, "");
	memcpy(snapshot, command_out, sizeof(snapshot));
	was = command_json();
	ASSERT_RUN(cmd_window, "window copy.json restore", snapshot,
		   EXIT_COMPLETE, "");
	ASSERT_RUN(cmd_window, "window copy.json snapshot", NULL, EXIT_COMPLETE,
		   "");
	is = command_json();
	ASSERT_TRUE(json_equal(json_object_get(was, "items"),
			       json_object_get(is, "items")));
	json_decref(was);
	json_decref(is);
	RUN("restore", "{}", EXIT_USAGE, "BALE-WIN-");
	RUN("list --pinned", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT(LINE_B);
}

/* A line for each thing that happened, in a file. */
static void
test_window_events_are_appended(void **state)
{
	size_t lines = 0;

	RUN("add --id a --content x --events log", NULL, EXIT_COMPLETE, "");
	RUN("remove a --events log", NULL, EXIT_COMPLETE, "");
	for (const char *at = dir_read("log"); *at != '\0'; at++)
		lines += *at == '\n';
	ASSERT_EQ(lines, 2);
	RUN("add --content x --events no/log", NULL, EXIT_OUTPUT,
	    "BALE-WIN-017 the events cannot be written to no/log: No such");
}

static void
test_window_that_is_not_there_is_made_by_some_actions(void **state)
{
	RUN("list", NULL, EXIT_USAGE,
	    "; `add`, `restore` and `record` make one\n");
	dir_write("w.json", "[]");
	RUN("list", NULL, EXIT_USAGE, " w.json:");
	ASSERT_OUT("");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(window_list_is_a_line_an_item),
		COMMAND_TEST(window_list_shows_the_beginning_of_a_text),
		COMMAND_TEST(window_list_as_json_has_all_of_it),
		COMMAND_TEST(window_actions_on_an_item_need_one),
		COMMAND_TEST(window_clear_keeps_what_is_pinned),
		COMMAND_TEST(window_add_of_lines_says_how_many),
		COMMAND_TEST(window_build_prints_the_context),
		COMMAND_TEST(window_compact_makes_room),
		COMMAND_TEST(window_limits_change_what_is_given),
		COMMAND_TEST(window_restores_a_snapshot),
		COMMAND_TEST(window_events_are_appended),
		COMMAND_TEST(window_that_is_not_there_is_made_by_some_actions),
	};

	return cmocka_run_group_tests_name("cli/cmd_window", tests, NULL, NULL);
}
