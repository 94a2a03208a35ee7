/* SPDX-License-Identifier: MIT */
/*
 * test_source_json.c - lines of --sources.
 */
#include "tests/support/test_shm.h"

#include <stdio.h>

#include "sources/source.h"
#include "sources/source_parse.h"

struct example {
	const char *text;
	const char *want;
};

/* verifies: FR-016-16, FR-016-22, FR-016-23, FR-016-25, FR-016-26 */
static void
test_a_wish_has_all_that_a_source_has(void **state)
{
	static const char line[] =
		"{\"type\":\"search_result\",\"path\":\"a.c\",\"lines\":"
		"\"10-20\",\"relevance\":0.25,\"timestamp\":"
		"\"1970-01-01T01:00:05+01:00\",\"timeout\":1.5}";
	static const char text[] = "{\"type\":\"tool_results\",\"content\":"
				   "\"x\\ny\",\"name\":\"n\",\"timestamp\":2}";
	struct source_json wish;
	char error[128];

	ASSERT_EQ(source_parse_json(line, strlen(line), &wish, error,
				    sizeof(error)),
		  0);
	ASSERT_EQ(wish.category, CATEGORY_SEARCH);
	ASSERT_EQ(wish.place.line_first, 10);
	ASSERT_EQ(wish.place.line_last, 20);
	ASSERT_TRUE(wish.place.is_exact);
	ASSERT_EQ(wish.relevance, 250000);
	ASSERT_EQ(wish.time_ns, 5000000000);
	ASSERT_EQ(wish.timeout_ms, 1500);
	source_json_fini(&wish);
	ASSERT_EQ(source_parse_json(text, strlen(text), &wish, error,
				    sizeof(error)),
		  0);
	ASSERT_EQ(wish.category, CATEGORY_TOOL);
	ASSERT_EQ(wish.content_bytes, 3);
	ASSERT_TRUE(strcmp(wish.name, "n") == 0);
	ASSERT_EQ(wish.relevance, SOURCE_ONE);
	ASSERT_EQ(wish.time_ns, 2000000000);
	source_json_fini(&wish);
}

static void
test_a_wish_that_cannot_be_says_why(void **state)
{
	static const struct example examples[] = {
		{ "x", "it is not JSON" },
		{ "[]", "it is not a JSON object" },
		{ "{\"type\":\"tree\",\"path\":\"a\"}", "\"type\" is one of" },
		{ "{\"type\":\"open_file\"}", "it needs a \"path\"" },
		{ "{\"type\":\"open_file\",\"path\":\"a\",\"lines\":\"5-2\"}",
		  "\"lines\"" },
		{ "{\"type\":\"open_file\",\"path\":\"a\",\"lines\":[0,2]}",
		  "\"lines\"" },
		{ "{\"type\":\"open_file\",\"path\":\"a\",\"relevance\":1.5}",
		  "\"relevance\"" },
		{ "{\"type\":\"open_file\",\"path\":\"a\",\"relevance\":\"1\"}",
		  "\"relevance\"" },
		{ "{\"type\":\"open_file\",\"path\":\"a\",\"timestamp\":\"x\"}",
		  "\"timestamp\"" },
		/* in nanoseconds, no number that there is */
		{ "{\"type\":\"open_file\",\"path\":\"a\","
		  "\"timestamp\":\"9999-01-01\"}",
		  "\"timestamp\"" },
		{ "{\"type\":\"open_file\",\"path\":\"a\",\"timestamp\":1e10}",
		  "\"timestamp\"" },
		{ "{\"type\":\"open_file\",\"path\":\"a\",\"timeout\":0}",
		  "\"timeout\"" },
		{ "{\"type\":\"tool_result\",\"content\":5}", "\"content\"" },
	};

	for (size_t i = 0; i < ARRAY_LEN(examples); i++) {
		struct source_json wish;
		char error[128] = "";

		if (source_parse_json(examples[i].text,
				      strlen(examples[i].text), &wish, error,
				      sizeof(error)) == 0 ||
		    strstr(error, examples[i].want) == NULL)
			fail_msg("%s: got '%s'", examples[i].text, error);
		source_json_fini(&wish);
	}
}

/* Lines and times, however they are written. */
static void
test_lines_and_times_have_several_forms(void **state)
{
	static const struct {
		const char *json;
		uint64_t first;
		uint64_t last;
		bool is_exact;
		int64_t seconds;
	} forms[] = {
		{ "\"lines\":7", 7, 7, false, 0 },
		{ "\"lines\":\"7\"", 7, 7, false, 0 },
		{ "\"lines\":\"7-7\"", 7, 7, true, 0 },
		{ "\"lines\":[3,3]", 3, 3, true, 0 },
		{ "\"lines\":{\"start\":3,\"end\":4}", 3, 4, true, 0 },
		{ "\"timestamp\":\"1970-01-02\"", 0, 0, false, 86400 },
		{ "\"timestamp\":\"1970-01-01 00:00:07\"", 0, 0, false, 7 },
		{ "\"timestamp\":\"1970-01-01T02:00:07.25Z\"", 0, 0, false,
		  7207 },
		{ "\"timestamp\":\"1970-01-01T02:30:00-01:30\"", 0, 0, false,
		  14400 },
		{ "\"timestamp\":-86400", 0, 0, false, -86400 },
		/* a leap day, by the calendar */
		{ "\"timestamp\":\"1972-02-29T00:00:00Z\"", 0, 0, false,
		  (2 * 365 + 31 + 28) * 86400 },
	};

	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		struct source_json wish;
		char line[128];
		char error[128];
		int64_t want_ns = forms[i].seconds * 1000000000;

		snprintf(line, sizeof(line),
			 "{\"type\":\"reference\",\"path\":\"a\",%s}",
			 forms[i].json);
		if (forms[i].first > 0)
			want_ns = SOURCE_TIME_NONE;
		if (source_parse_json(line, strlen(line), &wish, error,
				      sizeof(error)) != 0 ||
		    wish.place.line_first != forms[i].first ||
		    wish.place.line_last != forms[i].last ||
		    wish.place.is_exact != forms[i].is_exact ||
		    wish.time_ns != want_ns)
			fail_msg("%s: lines %llu to %llu, time %lld", line,
				 (unsigned long long)wish.place.line_first,
				 (unsigned long long)wish.place.line_last,
				 (long long)wish.time_ns);
		ASSERT_EQ(wish.category, CATEGORY_REFERENCE);
		source_json_fini(&wish);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_wish_has_all_that_a_source_has),
		cmocka_unit_test(test_a_wish_that_cannot_be_says_why),
		cmocka_unit_test(test_lines_and_times_have_several_forms),
	};

	return cmocka_run_group_tests_name("sources/source_json", tests, NULL, NULL);
}
