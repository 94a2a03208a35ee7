/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_cache.c - what is kept between runs, shown and removed.
 */
#include "tests/support/test_command.h"
#include "tests/support/test_survey_file.h"

#define PLACE "bale/surveys/"
#define NAME(digit) PLACE digit "0123456789abcdef0123456789abcde"

static int
set_up(void **state)
{
	static const char one[] = "o200k_base, markdown\0/src/one";
	static const char other[] = "o200k_base, xml\0/src/other\0/doc";

	if (dir_set_up(state) != 0)
		return 1;
	setenv("XDG_CACHE_HOME", dir_path, 1);
	mkdir("bale", 0700);
	mkdir(PLACE, 0700);
	survey_file_make(NAME("1"), one, sizeof(one), 1000000000);
	survey_file_make(NAME("2"), other, sizeof(other), 1100000000);
	return 0;
}

static void
test_cache_list_has_a_line_a_survey(void **state)
{
	ASSERT_RUN(cmd_cache, "cache list", NULL, EXIT_COMPLETE, "");
	assert_non_null(strstr(command_out, "2001-09-09 01:46"));
	assert_non_null(
		strstr(command_out, "/src/one (o200k_base, markdown)\n"));
	assert_non_null(
		strstr(command_out, "/src/other /doc (o200k_base, xml)\n"));
	assert_true(strstr(command_out, "other") < strstr(command_out, "one"));
}

static void
test_cache_list_as_json(void **state)
{
	json_t *all;
	const json_t *survey;

	ASSERT_RUN(cmd_cache, "cache list --json", NULL, EXIT_COMPLETE, "");
	all = command_json();
	ASSERT_EQ(json_integer_value(json_object_get(all, "version")), 1);
	ASSERT_EQ(json_array_size(json_object_get(all, "surveys")), 2);
	survey = json_array_get(json_object_get(all, "surveys"), 1);
	assert_string_equal(json_string_value(json_object_get(survey, "used")),
			    "2001-09-09T01:46:40Z");
	assert_string_equal(
		json_string_value(json_array_get(
			json_object_get(survey, "roots"), 0)),
		"/src/one");
	json_decref(all);
}

static void
test_cache_size_adds_up(void **state)
{
	ASSERT_RUN(cmd_cache, "cache size", NULL, EXIT_COMPLETE, "");
	assert_non_null(strstr(command_out, "in 2 surveys, in "));
	unlink(NAME("2"));
	ASSERT_RUN(cmd_cache, "cache size", NULL, EXIT_COMPLETE, "");
	assert_non_null(strstr(command_out, "in 1 survey, in "));
}

static void
test_cache_check_names_what_is_damaged_and_leaves_it(void **state)
{
	ASSERT_RUN(cmd_cache, "cache check", NULL, EXIT_COMPLETE, "");
	assert_null(strstr(command_out, "damaged"));
	ASSERT_EQ(truncate(NAME("1"), 5000), 0);
	ASSERT_RUN(cmd_cache, "cache check", NULL, EXIT_DEGRADED, "");
	assert_non_null(strstr(command_out, "damaged"));
	ASSERT_EQ(access(NAME("1"), F_OK), 0);
}

static void
test_cache_clear_removes_all_or_what_is_named(void **state)
{
	dir_write(PLACE "README", "not a survey");
	ASSERT_RUN(cmd_cache, "cache clear /src/on /elsewhere", NULL,
		   EXIT_COMPLETE, "");
	assert_string_equal(command_out, "removed 0 surveys, 0 B\n");
	ASSERT_RUN(cmd_cache, "cache clear /src/one", NULL, EXIT_COMPLETE, "");
	ASSERT_EQ(access(NAME("1"), F_OK), -1);
	ASSERT_EQ(access(NAME("2"), F_OK), 0);
	ASSERT_RUN(cmd_cache, "cache clear", NULL, EXIT_COMPLETE, "");
	ASSERT_EQ(access(NAME("2"), F_OK), -1);
	ASSERT_EQ(access(PLACE "README", F_OK), 0);
}

/* Nothing is kept so far, or nowhere. */
static void
test_cache_of_none(void **state)
{
	setenv("XDG_CACHE_HOME", "/nowhere", 1);
	ASSERT_RUN(cmd_cache, "cache list", NULL, EXIT_COMPLETE, "");
	assert_string_equal(command_out, "");
	ASSERT_RUN(cmd_cache, "cache clear", NULL, EXIT_COMPLETE, "");
	unsetenv("XDG_CACHE_HOME");
	setenv("HOME", "", 1);
	ASSERT_RUN(cmd_cache, "cache size", NULL, EXIT_USAGE,
		   "XDG_CACHE_HOME");
}

int
main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, dir_tear_down)
	const struct CMUnitTest tests[] = {
		CASE(test_cache_list_has_a_line_a_survey),
		CASE(test_cache_list_as_json),
		CASE(test_cache_size_adds_up),
		CASE(test_cache_check_names_what_is_damaged_and_leaves_it),
		CASE(test_cache_clear_removes_all_or_what_is_named),
		CASE(test_cache_of_none),
	};

	return cmocka_run_group_tests_name("cli/cmd_cache", tests, NULL, NULL);
}
