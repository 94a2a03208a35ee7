/* SPDX-License-Identifier: MIT */
/*
 * test_report_read.c - a report that was written before, and what is none.
 */
#include "tests/support/test_dir.h"

#include "report/report.h"
#include "report/report_read.h"

#define REPORT(version) \
	"{\"version\":" version ",\"selected\":[],\"excluded\":[]}"

static void
test_read_refuses_what_is_no_report(void **state)
{
	static const struct {
		const char *text;
		const char *why;
	} cases[] = {
		{ "", "not JSON: line 1, column 0: " },
		{ "{\"version\":1\n", "not JSON: line 2, column 0: " },
		{ "{}", "it is not a report of bale" },
		{ "[]", "it is not a report of bale" },
		{ REPORT("\"1\""), "it is not a report of bale" },
		{ "{\"version\":1,\"selected\":[],\"excluded\":{}}",
		  "it is not a report of bale" },
		{ REPORT("999"), "it is a report of version 999; this bale" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char why[200] = "";
		json_t *report;

		dir_write("r", cases[i].text);
		ASSERT_EQ(report_read("r", &report, why, sizeof(why)), -EPROTO);
		if (strncmp(why, cases[i].why, strlen(cases[i].why)) != 0)
			fail_msg("%s: got %s", cases[i].text, why);
	}
	{
		char why[200];
		json_t *report;

		ASSERT_EQ(report_read("none", &report, why, sizeof(why)),
			  -ENOENT);
		ASSERT_EQ(report_read(".", &report, why, sizeof(why)), -EISDIR);
	}
}

static void
test_read_values_are_found_by_their_keys(void **state)
{
	char text[200];
	char why[200];
	json_t *report;
	json_t *list;

	snprintf(text, sizeof(text),
		 "{\"version\":%d,\"selected\":[1,2],\"excluded\":[],\"a\":{"
		 "\"b\":{\"c\":7,\"d\":\"x\",\"e\":true},\"n\":-1,\"z\":null}}",
		 REPORT_VERSION);
	dir_write("r", text);
	ASSERT_EQ(report_read("r", &report, why, sizeof(why)), 0);
	ASSERT_EQ(report_u64(report, "a.b.c"), 7);
	ASSERT_EQ(report_u64(report, "a.n"), 0);
	ASSERT_EQ(report_u64(report, "a.b.d"), 0);
	ASSERT_EQ(report_u64(report, "b.c"), 0);
	ASSERT_EQ(report_u64(report, "a.b.c.d"), 0);
	ASSERT_TRUE(report_has(report, "a.n") && !report_has(report, "a.z"));
	ASSERT_TRUE(report_is(report, "a.b.e") && !report_is(report, "a.b.c"));
	assert_string_equal(report_text(report, "a.b.d"), "x");
	assert_string_equal(report_text(report, "a.b.c"), "");
	ASSERT_EQ(report_list(report, "selected", &list), 2);
	ASSERT_EQ(report_list(report, "a.b", &list), 0);
	json_decref(report);
}

/* A value in less than eight bytes, a hundred thousand times and more. */
static void
test_read_of_far_too_many_values_ends(void **state)
{
	FILE *file = fopen("many", "we");
	char why[200] = "";
	json_t *report;

	ASSERT_TRUE(file != NULL);
	fputs("[0", file);
	for (int i = 0; i < 150000; i++)
		fputs(",0", file);
	fputs("]", file);
	fclose(file);
	ASSERT_EQ(report_read("many", &report, why, sizeof(why)), -EPROTO);
	assert_string_equal(why, "it has far too many values");
}

int
main(void)
{
#define DIR_TEST(name) \
	cmocka_unit_test_setup_teardown(name, dir_set_up, dir_tear_down)
	const struct CMUnitTest tests[] = {
		DIR_TEST(test_read_refuses_what_is_no_report),
		DIR_TEST(test_read_values_are_found_by_their_keys),
		DIR_TEST(test_read_of_far_too_many_values_ends),
	};

	return cmocka_run_group_tests_name("report/report_read", tests, NULL,
					   NULL);
}
