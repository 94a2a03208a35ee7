/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_count.c - tokens of texts whose ids are published.
 *
 * source: tiktoken's README and tests: "hello world" is 15339 1917 in
 *         cl100k_base, 31373 995 in r50k_base
 */
#include "tests/support/test_command.h"

#include "cli/command_line.h"

static void
test_count_prints_a_line_for_each_file_and_their_total(void **state)
{
	dir_write("one", "hello world");
	dir_write("two", "hello world hello world");
	dir_write("empty", "");
	ASSERT_RUN(cmd_count, "count one two empty --encoding cl100k_base",
		   NULL, EXIT_COMPLETE, "");
	/* as wide as all bytes have digits: 34 */
	ASSERT_OUT(" 2 one\n 4 two\n 0 empty\n 6 total\n");
	ASSERT_RUN(cmd_count, "count one --encoding cl100k_base", NULL,
		   EXIT_COMPLETE, "");
	ASSERT_OUT(" 2 one\n");
}

static void
test_count_of_stdin_has_no_name_unless_it_is_asked_for(void **state)
{
	ASSERT_RUN(cmd_count, "count --encoding cl100k_base", "hello world",
		   EXIT_COMPLETE, "");
	ASSERT_OUT("2\n");
	ASSERT_RUN(cmd_count, "count - --encoding cl100k_base", "hello world",
		   EXIT_COMPLETE, "");
	ASSERT_OUT("      2 -\n");
}

static void
test_count_ids_are_those_that_are_published(void **state)
{
	ASSERT_RUN(cmd_count, "count --ids --encoding cl100k_base",
		   "hello world", EXIT_COMPLETE, "");
	ASSERT_OUT("15339\n1917\n");
	ASSERT_RUN(cmd_count, "count --ids --encoding r50k_base", "hello world",
		   EXIT_COMPLETE, "");
	ASSERT_OUT("31373\n995\n");
}

/* More than a block, so that it is cut, several times. */
static void
test_count_ids_of_many_blocks_are_as_many_as_are_counted(void **state)
{
	const size_t words = 60000;
	char *text = malloc(words * 12 + 1);
	size_t lines = 0;

	for (size_t i = 0; i < words; i++)
		memcpy(text + i * 12, " hello world", 12);
	text[words * 12] = '\0';
	dir_write("many", text);
	free(text);
	ASSERT_RUN(cmd_count, "count many --encoding cl100k_base", NULL,
		   EXIT_COMPLETE, "");
	ASSERT_OUT("120000 many\n");
	ASSERT_EQ(command_run(cmd_count,
			      "count many --ids --encoding cl100k_base", NULL),
		  EXIT_COMPLETE);
	/* as much of it as there is room for: ids of the same two words */
	for (const char *at = command_out; *at != '\0'; at++)
		lines += *at == '\n';
	for (size_t i = 0; i + 1 < lines / 2; i++)
		if (strncmp(command_out + i * 11, "24748\n1917\n", 11) != 0)
			fail_msg("got %.11s", command_out + i * 11);
}

static void
test_count_goes_on_after_a_file_that_is_not_there(void **state)
{
	dir_write("one", "hello world");
	ASSERT_RUN(cmd_count, "count none one . --encoding cl100k_base", NULL,
		   EXIT_DEGRADED, "bale: none: No such file or directory\n");
	ASSERT_OUT(" 2 one\n 2 total\n");
	ASSERT_TRUE(strstr(command_err, "bale: .: Is a directory; ") != NULL);
}

static void
test_count_as_json_has_errors_beside_tokens(void **state)
{
	static const char want[] =
		"{\"version\":1,\"encoding\":\"cl100k_base\","
		"\"estimated\":false,\"files\":["
		"{\"path\":\"one\",\"tokens\":2},"
		"{\"path\":\"none\",\"error\":\"No such file or directory\"}],"
		"\"tokens\":2}";
	json_t *got;
	json_t *all = json_loads(want, 0, NULL);

	dir_write("one", "hello world");
	ASSERT_RUN(cmd_count, "count one none --json --encoding cl100k_base",
		   NULL, EXIT_DEGRADED, "none: No such file");
	got = command_json();
	ASSERT_TRUE(json_equal(got, all));
	json_decref(got);
	json_decref(all);
	ASSERT_RUN(cmd_count, "count --ids --json --encoding cl100k_base",
		   "hello world", EXIT_COMPLETE, "");
	got = command_json();
	all = json_pack("{s:i,s:s,s:b,s:[{s:n,s:[i,i],s:i}],s:i}", "version", 1,
			"encoding", "cl100k_base", "estimated", 0, "files",
			"path", "ids", 15339, 1917, "tokens", 2, "tokens", 2);
	ASSERT_TRUE(json_equal(got, all));
	json_decref(got);
	json_decref(all);
}

/* A model's margin makes a count larger, rounded up: 35 % of 2. */
static void
test_count_for_a_closed_model_has_its_margin(void **state)
{
	ASSERT_RUN(cmd_count, "count --model claude", "hello world",
		   EXIT_COMPLETE,
		   "estimated with cl100k_base and a margin of "
		   "35 %");
	ASSERT_OUT("3\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(count_prints_a_line_for_each_file_and_their_total),
		COMMAND_TEST(count_of_stdin_has_no_name_unless_it_is_asked_for),
		COMMAND_TEST(count_ids_are_those_that_are_published),
		COMMAND_TEST(
			count_ids_of_many_blocks_are_as_many_as_are_counted),
		COMMAND_TEST(count_goes_on_after_a_file_that_is_not_there),
		COMMAND_TEST(count_as_json_has_errors_beside_tokens),
		COMMAND_TEST(count_for_a_closed_model_has_its_margin),
	};

	return cmocka_run_group_tests_name("cli/cmd_count", tests, NULL, NULL);
}
