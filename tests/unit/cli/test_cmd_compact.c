/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_compact.c - when a conversation is copied, when it is made shorter,
 *                      and what is left of it if that fails.
 */
#include "tests/support/test_command.h"

#include "cli/command_line.h"

/* A user's message of two tokens in cl100k_base, with the 4 around it. */
#define SHORT "[{\"role\":\"user\",\"content\":\"hello world\"}]"
#define IN_CL100K " --encoding cl100k_base --format openai-chat"

/* Ten turns, each of some hundred tokens. */
static const char *
long_talk(void)
{
	static char text[32768];
	size_t at = 0;

	for (int i = 0; i < 20; i++) {
		at += (size_t)snprintf(text + at, sizeof(text) - at,
				       "%s{\"role\":\"%s\",\"content\":\"%d:",
				       i == 0 ? "[" : ",",
				       i % 2 == 0 ? "user" : "assistant", i);
		for (int k = 0; k < 100; k++)
			at += (size_t)snprintf(text + at, sizeof(text) - at,
					       " word");
		at += (size_t)snprintf(text + at, sizeof(text) - at, "\"}");
	}
	snprintf(text + at, sizeof(text) - at, "]");
	return text;
}

/* 2 tokens, 4 around them and 3 before the answer: 9 of --limit. */
static void
test_compact_check_ends_by_how_full_it_is(void **state)
{
	static const struct {
		const char *limit;
		int code;
	} rows[] = {
		{ " --limit 100 --reserve-response 0", 0 },
		{ " --limit 12 --reserve-response 0", 0 },
		{ " --limit 11 --reserve-response 0", 10 },
		{ " --limit 10 --reserve-response 0", 10 },
		{ " --limit 9 --reserve-response 0", 11 },
		{ " --limit 19 --reserve-response 10", 11 },
		{ " --limit 100 --reserve-response 0 --stop-reason length",
		  11 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char words[256];
		json_t *all;

		snprintf(words, sizeof(words), "compact --check" IN_CL100K "%s",
			 rows[i].limit);
		ASSERT_RUN(cmd_compact, words, SHORT, rows[i].code, "");
		all = command_json();
		ASSERT_EQ(json_integer_value(
				  json_object_get(all, "message_tokens")),
			  9);
		json_decref(all);
	}
}

static void
test_compact_copies_what_is_not_due(void **state)
{
	ASSERT_RUN(cmd_compact, "compact --limit 1000" IN_CL100K, SHORT,
		   EXIT_COMPLETE, "");
	ASSERT_OUT(SHORT);
}

/* What stays is the end of it, and a note stands for the rest. */
static void
test_compact_leaves_the_oldest_out(void **state)
{
	const char *talk = long_talk();
	json_t *got;
	json_t *was = json_loads(talk, 0, NULL);
	size_t nr;

	ASSERT_RUN(cmd_compact,
		   "compact --limit 2000 --reserve-response 0" IN_CL100K, talk,
		   EXIT_COMPLETE, "\"compact");
	got = command_json();
	nr = json_array_size(got);
	ASSERT_TRUE(nr > 1 && nr < 20);
	for (size_t i = 1; i < nr; i++)
		ASSERT_TRUE(json_equal(json_array_get(got, nr - i),
				       json_array_get(was, 20 - i)));
	ASSERT_TRUE(!json_equal(json_array_get(got, 0),
				json_array_get(was, 20 - nr)));
	json_decref(got);
	json_decref(was);
}

/* In place, and the record goes to a file of its own. */
static void
test_compact_replaces_a_file(void **state)
{
	static char was[32768];
	json_t *record;

	snprintf(was, sizeof(was), "%s", long_talk());
	dir_write("talk.json", was);
	ASSERT_RUN(cmd_compact,
		   "compact --in-place talk.json --record log --limit 2000 "
		   "--reserve-response 0" IN_CL100K,
		   NULL, EXIT_COMPLETE, "");
	ASSERT_OUT("");
	ASSERT_TRUE(strlen(dir_read("talk.json")) < strlen(was));
	record = json_loads(dir_read("log"), 0, NULL);
	assert_non_null(record);
	json_decref(record);
	ASSERT_NAMES(".", "log talk.json");
}

static void
test_compact_refuses_before_it_writes(void **state)
{
	ASSERT_RUN(cmd_compact, "compact --in-place none.json", NULL,
		   EXIT_USAGE, "none.json");
	ASSERT_RUN(cmd_compact, "compact", "[{\"role\":\"nobody\"}]",
		   EXIT_USAGE, "BALE-CMP-");
	ASSERT_OUT("");
	ASSERT_RUN(cmd_compact, "compact --tier core --summarizer cat", SHORT,
		   EXIT_USAGE,
		   "BALE-CMP-015 the policy tier \"core\" does "
		   "not allow a summary");
	ASSERT_OUT("");
	/* a summarizer is asked for nothing here */
	ASSERT_RUN(cmd_compact,
		   "compact --tier core --summarizer cat --check --limit "
		   "1000" IN_CL100K,
		   SHORT, EXIT_COMPLETE, "");
}

/* Without a summary the rest is left out, and that is degraded. */
static void
test_compact_with_a_failed_summary_is_degraded(void **state)
{
	const char *talk = long_talk();

	ASSERT_RUN(cmd_compact,
		   "compact --summarizer false --limit 2000 --reserve-response "
		   "0" IN_CL100K,
		   talk, EXIT_DEGRADED, "BALE-WIN-012 the summari");
	ASSERT_TRUE(*command_out == '[');
	ASSERT_RUN(cmd_compact,
		   "compact --strict --summarizer false --limit 2000 "
		   "--reserve-response 0" IN_CL100K,
		   talk, EXIT_DEGRADED, "BALE-CMP-013 there is no summary");
	ASSERT_OUT("");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(compact_check_ends_by_how_full_it_is),
		COMMAND_TEST(compact_copies_what_is_not_due),
		COMMAND_TEST(compact_leaves_the_oldest_out),
		COMMAND_TEST(compact_replaces_a_file),
		COMMAND_TEST(compact_refuses_before_it_writes),
		COMMAND_TEST(compact_with_a_failed_summary_is_degraded),
	};

	return cmocka_run_group_tests_name("cli/cmd_compact", tests, NULL,
					   NULL);
}
