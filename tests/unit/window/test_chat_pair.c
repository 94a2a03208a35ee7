/* SPDX-License-Identifier: MIT */
/*
 * test_chat_pair.c - calls and their results, and where may be cut.
 */
#include "tests/support/test_chat.h"

/* verifies: CMP-05 */
static void
test_chat_refuses_calls_and_results_that_do_not_match(void **state)
{
	static const char *const bad[] = {
		"[" RESULT("x") "]",
		"[" CALL("x") "," USER "]",
		"[" CALL("x") "," RESULT("x") "," RESULT("x") "]",
		"[" CALL("x") "," CALL("x") "]",
		"[" USED("x") "]",
		"[" USE("x") "," USER "]",
		"[" USE("x") "," USED("y") "]",
		"[" USE("x") "," USE("y") "," USED("y") "," USE("z") "]",
		"[" FOUT("x") "]",
		"[" FCALL("x") "," USER "]",
		"[" FCALL("x") "," FOUT("x") "," FOUT("x") "]",
	};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		const char *why = refusal(bad[i], strlen(bad[i]));

		if (strncmp(why, "BALE-CMP-003 ", 13) != 0)
			fail_msg("%s: %s", bad[i], why);
	}
	assert_begins(refusal(bad[1], strlen(bad[1])),
		      "BALE-CMP-003 message 1: the tool call \"x\" has no "
		      "result before the conversation goes on;");
}

/*
 * '1' where a message hangs on the one before it, '0' where may be cut.
 *
 * verifies: CMP-05
 */
static void
test_chat_cuts_never_part_a_call_from_its_results(void **state)
{
	static const char *const cases[][2] = {
		/* one call, parallel calls, calls one after the other */
		{ USER "," CALL("a") "," RESULT("a") "," USER, "0010" },
		{ USER "," CALL("a\",\"type\":\"function\",\"function\":{"
				"\"name\":\"g\",\"arguments\":\"{}\"}},{\"id\":"
				"\"b") "," RESULT("b") "," RESULT("a") "," USER,
		  "00110" },
		{ CALL("a") "," RESULT("a") "," CALL("a") "," RESULT("a"),
		  "0101" },
		/* a call at the end waits for its result */
		{ USER "," CALL("a"), "00" },
		{ USER "," USE("a") "," USED("a") "," USER, "0010" },
		/* results in two messages of one turn */
		{ "{\"role\":\"assistant\",\"content\":[{\"type\":\"tool_use\","
		  "\"id\":\"a\",\"name\":\"f\",\"input\":{}},{\"type\":"
		  "\"tool_use\",\"id\":\"b\",\"name\":\"f\",\"input\":{}}]}," USED(
			  "b") "," USED("a") "," USER,
		  "0110" },
		/* nested: b is called and answered while a is open */
		{ FCALL("a") "," FCALL("b") "," FOUT("b") "," FOUT(
			  "a") "," USER,
		  "01110" },
		{ FCALL("a") "," FOUT("a") "," FCALL("b") "," FOUT("b"),
		  "0101" },
		/* reasoning stands with what it led to */
		{ USER "," THINK "," FCALL("a") "," FOUT(
			  "a") "," THINK
			       ",{\"type\":\"message\",\"role\":\"assistant\",\"content\":"
			       "\"done\"}",
		  "001101" },
		/* the interface's own tools answer in the same message */
		{ "{\"role\":\"assistant\",\"content\":[{\"type\":"
		  "\"server_tool_use\",\"id\":\"s\",\"name\":\"web_search\","
		  "\"input\":{}},{\"type\":\"web_search_tool_result\","
		  "\"tool_use_id\":\"s\",\"content\":[]}]}," USER,
		  "00" },
	};
	const struct chat_options options = chat_defaults();

	for (size_t c = 0; c < ARRAY_LEN(cases); c++) {
		struct chat *chat;
		char json[4096];
		char got[32] = "";

		snprintf(json, sizeof(json), "[%s]", cases[c][0]);
		chat = open_with(json, &options);
		for (size_t i = 0; i < chat->nr; i++)
			got[i] = chat->messages[i].is_glued ? '1' : '0';
		if (strcmp(got, cases[c][1]) != 0)
			fail_msg("case %zu: got %s, want %s", c, got,
				 cases[c][1]);
		chat_close(chat);
	}
}

static void
test_chat_old_function_calls_are_paired_by_name(void **state)
{
	const struct chat_options options = chat_defaults();
	struct chat *chat = open_with(
		"[{\"role\":\"assistant\",\"content\":null,\"function_call\":{"
		"\"name\":\"now\",\"arguments\":\"{}\"}},{\"role\":"
		"\"function\",\"name\":\"now\",\"content\":\"12:00\"}]",
		&options);

	assert_true(chat->messages[1].is_glued);
	chat_close(chat);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_chat_refuses_calls_and_results_that_do_not_match),
		cmocka_unit_test(
			test_chat_cuts_never_part_a_call_from_its_results),
		cmocka_unit_test(
			test_chat_old_function_calls_are_paired_by_name),
	};

	return cmocka_run_group_tests_name("window/chat_pair", tests, NULL,
					   NULL);
}
