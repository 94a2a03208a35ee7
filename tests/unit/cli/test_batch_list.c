/* SPDX-License-Identifier: MIT */
/*
 * test_batch_list.c - what lines of a list name, and what is wrong with them.
 */
#include "tests/support/test_shm.h"

#include "cli/batch.h"

static struct batch_list list;

static void
read_list(const char *text)
{
	batch_list_fini(&list);
	ASSERT_EQ(batch_list_read(&list, text, strlen(text), ".md"), 0);
}

static int
tear_down(void **state)
{
	batch_list_fini(&list);
	return 0;
}

static void
test_batch_list_reads_paths_and_objects(void **state)
{
	read_list("a/one\r\n\n/two/\n"
		  "{\"path\":\"bare.git\",\"rev\":\"v1\",\"budget\":5000,"
		  "\"query\":\"why?\",\"include\":[\"src/**\",\"*.h\"],"
		  "\"output\":\"x/y.md\"}");
	ASSERT_EQ(list.nr, 3);
	assert_string_equal(list.items[0].path, "a/one");
	ASSERT_EQ(list.items[0].number, 1);
	assert_string_equal(list.items[1].path, "/two/");
	ASSERT_EQ(list.items[1].number, 3);
	assert_string_equal(list.items[2].path, "bare.git");
	assert_string_equal(list.items[2].name, "x/y.md");
	ASSERT_EQ(list.items[2].setting_nr, 5);
	ASSERT_EQ(list.items[2].settings[1].option, OPTION_BUDGET);
	assert_string_equal(list.items[2].settings[1].text, "5000");
	ASSERT_EQ(list.items[2].settings[4].option, OPTION_INCLUDE);
	assert_string_equal(list.items[2].settings[4].text, "*.h");
	for (size_t i = 0; i < list.nr; i++) {
		assert_null(list.items[i].error);
		assert_ptr_equal(batch_list_find(&list, list.items[i].id),
				 &list.items[i]);
	}
	assert_null(batch_list_find(&list, list.items[0].id + 1));
}

/* The same wherever it stands, and another for what says something else. */
static void
test_batch_list_names_outputs_by_what_lines_say(void **state)
{
	char one[NAME_MAX];
	uint64_t id;

	read_list("a/one\nb/one\n{\"path\":\"a/one\",\"budget\":7}\n"
		  "a/w\xc3\xbc st\n.\n");
	snprintf(one, sizeof(one), "%s", list.items[0].name);
	id = list.items[0].id;
	ASSERT_EQ(strncmp(one, "one-", 4), 0);
	ASSERT_EQ(strlen(one), strlen("one-01234567.md"));
	assert_string_not_equal(list.items[1].name, one);
	assert_string_not_equal(list.items[2].name, one);
	ASSERT_EQ(strncmp(list.items[3].name, "w___st-", 7), 0);
	ASSERT_EQ(strncmp(list.items[4].name, "tree-", 5), 0);
	read_list("x\n\n{\"path\": \"a/one\"}\n");
	assert_string_equal(list.items[1].name, one);
	ASSERT_EQ(list.items[1].id, id);
}

static void
assert_refused(const char *text, const char *error)
{
	read_list(text);
	ASSERT_EQ(list.nr, 1);
	assert_non_null(list.items[0].error);
	if (strstr(list.items[0].error, error) == NULL)
		fail_msg("%s: %s", text, list.items[0].error);
}

static void
test_batch_list_refuses_what_names_nothing(void **state)
{
	assert_refused("{bad", "BALE-BAT-001 no JSON");
	assert_refused("{\"rev\":\"v1\"}", "there is no \"path\"");
	assert_refused("{\"path\":\"\"}", "the value of \"path\" is no text");
	assert_refused("{\"path\":7}", "the value of \"path\" is no text");
	assert_refused("{\"path\":\"a\",\"rev\":[1]}",
		       "the value of \"rev\" is no text");
	assert_refused("{\"path\":\"a\",\"foo\":1}", "unknown key foo");
	assert_refused("{\"path\":\"a\",\"path\":\"b\"}", "BALE-BAT-001");
}

static void
test_batch_list_keeps_outputs_in_their_directory(void **state)
{
	static const char *const names[] = {
		"../x", "/x", "a/../x", "a//x", ".x", "a/.x", "x/", "",
		"manifest.jsonl", "stats.json", "completions/00000", "manifests/a",
		"logs/a",
	};
	char line[64];

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		snprintf(line, sizeof(line),
			 "{\"path\":\"a\",\"output\":\"%s\"}", names[i]);
		assert_refused(line, "BALE-BAT-001");
	}
}

/* Of lines with the same output the first is packed; each has its own id. */
static void
test_batch_list_gives_an_output_to_one_line(void **state)
{
	read_list("a\nb\na\na\n{bad\n{bad\n");
	ASSERT_EQ(list.nr, 6);
	assert_null(list.items[0].error);
	assert_null(list.items[1].error);
	assert_string_equal(list.items[2].error,
			    "BALE-BAT-002 line 1 has the same output");
	assert_non_null(list.items[3].error);
	for (size_t i = 0; i < list.nr; i++)
		for (size_t k = 0; k < i; k++)
			assert_true(list.items[i].id != list.items[k].id);
}

#define LIST_TEST(test) cmocka_unit_test_teardown(test, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		LIST_TEST(test_batch_list_reads_paths_and_objects),
		LIST_TEST(test_batch_list_names_outputs_by_what_lines_say),
		LIST_TEST(test_batch_list_refuses_what_names_nothing),
		LIST_TEST(test_batch_list_keeps_outputs_in_their_directory),
		LIST_TEST(test_batch_list_gives_an_output_to_one_line),
	};

	return cmocka_run_group_tests_name("cli/batch_list", tests, NULL, NULL);
}
