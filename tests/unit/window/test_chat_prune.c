/* SPDX-License-Identifier: MIT */
/*
 * test_chat_prune.c - old results of tools, made shorter.
 */
#include "tests/support/test_compact.h"

/* verifies: CMP-10 */
static void
test_compact_prunes_old_results_and_stops_if_that_is_enough(void **state)
{
	struct warnings warnings;
	struct chat_options options = options_of(16000, &warnings);
	struct chat_report report;
	char *json = exchanges(12, 6000);
	json_t *before = load(json);
	char *out;
	json_t *after;

	options.keep_recent = 3;
	options.summarizer = "echo must not run; exit 1";
	out = compact(json, &options, &report);
	assert_int_equal(report.method, CHAT_PRUNED);
	assert_int_equal(report.pruned, 9);
	assert_true(report.before.due && !report.after.due);
	after = load(out);
	assert_int_equal(json_array_size(after), json_array_size(before));
	for (size_t i = 0; i < 12; i++) {
		size_t place = 3 + 4 * i;
		const char *was = json_string_value(json_object_get(
			json_array_get(before, place), "content"));
		const char *is = json_string_value(json_object_get(
			json_array_get(after, place), "content"));

		if (i >= 9) {
			assert_string_equal(is, was);
			continue;
		}
		assert_true(strlen(is) <= 1000);
		assert_memory_equal(is, was, 500);
		assert_contains(is, "characters of an old tool result");
		assert_string_equal(is + strlen(is) - 200,
				    was + strlen(was) - 200);
	}
	assert_int_equal(warnings.nr, 0);
	json_decref(before);
	json_decref(after);
	free(out);
	free(json);
}

/* Characters, not bytes: none is cut in the middle. verifies: CMP-10 */
static void
test_compact_prunes_at_characters(void **state)
{
	struct warnings warnings;
	struct chat_options options = options_of(2000, &warnings);
	struct chat_report report;
	char *json;
	char *out;
	size_t bytes;
	FILE *text = open_memstream(&json, &bytes);

	fputs("[{\"type\":\"function_call\",\"call_id\":\"c\","
			       "\"name\":\"f\",\"arguments\":\"\"},{\"type\":"
			       "\"function_call_output\",\"call_id\":\"c\","
			       "\"output\":\"", text);
	for (int i = 0; i < 3000; i++)
		fputs(i % 2 == 0 ? "\xe6\xbc\xa2" : "\xf0\x9f\x98\x80", text);
	fputs("\"},{\"role\":\"user\",\"content\":\"x\"}]", text);
	assert_non_null(text_end(text, &json));
	options.keep_recent = 0;
	out = compact(json, &options, &report);
	assert_int_equal(report.pruned, 1);
	assert_true(utf8_is_valid(out, strlen(out), NULL));
	free(out);
	free(json);
}

/* How many results are pruned of one of so many characters: half of ten stay,
 * and what is said about the others has 61, with a number of two digits. */
static size_t
pruned_of(int chars)
{
	struct warnings warnings;
	struct chat_options options = options_of(1000, &warnings);
	struct chat_report report;
	char *json;
	size_t bytes;
	FILE *out = open_memstream(&json, &bytes);

	fputs("[{\"role\":\"user\",\"content\":\"", out);
	for (int i = 0; i < 3000; i++)
		fputs("x ", out);
	fputs("\"},{\"type\":\"function_call\",\"call_id\":"
			       "\"c\",\"name\":\"f\",\"arguments\":\"\"},"
			       "{\"type\":\"function_call_output\","
			       "\"call_id\":\"c\",\"output\":\"", out);
	/* of more tokens than what is said about it */
	for (int i = 0; i < chars; i++)
		fprintf(out, "%c", i % 2 == 0 ? 'A' + i * 7 % 26 : ';');
	fputs("\"},{\"role\":\"user\",\"content\":\"x\"}]", out);
	assert_non_null(text_end(out, &json));
	options.keep_recent = 0;
	options.prune_over = 10;
	free(compact(json, &options, &report));
	free(json);
	return report.pruned;
}

static void
test_compact_prunes_only_what_gets_shorter_by_it(void **state)
{
	assert_int_equal(pruned_of(5 + 61), 0);
	assert_int_equal(pruned_of(5 + 61 + 1), 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_compact_prunes_old_results_and_stops_if_that_is_enough),
		cmocka_unit_test(test_compact_prunes_at_characters),
		cmocka_unit_test(
			test_compact_prunes_only_what_gets_shorter_by_it),
	};

	return cmocka_run_group_tests_name("window/chat_prune", tests, NULL,
					   NULL);
}
