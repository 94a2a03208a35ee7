/* SPDX-License-Identifier: MIT */
/*
 * test_rounds_usage.c - the book of what the rounds cost.
 */
#include "tests/support/test_window.h"

#include <jansson.h>
#include <unistd.h>

#include "window/rounds.h"

/* verifies: CTX-04.4 */
static void
test_rounds_near_the_limit_are_those_from_85_per_cent_on(void **state)
{
	assert_false(rounds_is_near_limit(&(struct rounds_usage){
		.input_tokens = 849, .budget_tokens = 1000 }));
	assert_true(rounds_is_near_limit(&(struct rounds_usage){
		.input_tokens = 850, .budget_tokens = 1000 }));
	assert_true(rounds_is_near_limit(&(struct rounds_usage){
		.input_tokens = 1, .budget_tokens = 1 }));
	assert_false(rounds_is_near_limit(&(struct rounds_usage){
		.input_tokens = 1, .budget_tokens = 0 }));
}

/* verifies: CTX-04.3 */
static void
test_rounds_book_keeps_each_round_and_the_sums(void **state)
{
	char path[SCRATCH_BYTES];
	struct rounds_usage usage = { .round = 2,
				      .input_tokens = 900,
				      .output_tokens = 50,
				      .context_tokens = 100,
				      .file_tokens = 700,
				      .budget_tokens = 1000 };
	struct window_error error = { .text = "" };
	json_t *report;
	json_t *total;
	char *text;
	int fd = mkstemp(scratch_name(path, "rounds"));

	close(fd);
	unlink(path);
	assert_int_equal(rounds_record(path, &usage, &error), 0);
	usage.round = 1;
	usage.input_tokens = 100;
	assert_int_equal(rounds_record(path, &usage, &error), 0);
	usage.input_tokens = 200; /* once more: it takes the place */
	assert_int_equal(rounds_record(path, &usage, &error), 0);
	assert_int_equal(rounds_report(path, ROUNDS_JSON, &text, &error), 0);
	report = json_loads(text, 0, NULL);
	total = json_object_get(report, "total");
	assert_int_equal(json_integer_value(json_object_get(total, "rounds")),
			 2);
	assert_int_equal(
		json_integer_value(json_object_get(total, "input_tokens")),
		1100);
	assert_int_equal(
		json_integer_value(json_object_get(total, "output_tokens")),
		100);
	assert_int_equal(
		json_integer_value(json_object_get(total, "context_tokens")),
		200);
	assert_int_equal(
		json_integer_value(json_object_get(total, "file_tokens")),
		1400);
	total = json_array_get(json_object_get(report, "rounds"), 0);
	assert_int_equal(json_integer_value(json_object_get(total, "round")),
			 1);
	assert_true(json_is_false(json_object_get(total, "near_limit")));
	total = json_array_get(json_object_get(report, "rounds"), 1);
	assert_true(json_is_true(json_object_get(total, "near_limit")));
	json_decref(report);
	free(text);
	usage.round = 0;
	assert_int_equal(rounds_record(path, &usage, &error), -EINVAL);
	unlink(path);
	assert_int_equal(rounds_report(path, ROUNDS_JSON, &text, &error), -ENOENT);
}

static void
put_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

#define BOOK_ROUND(round, input)                          \
	"{\"round\": " round ", \"input_tokens\": " input \
	", \"output_tokens\": 0, \"context_tokens\": 0, " \
	"\"file_tokens\": 0, \"budget_tokens\": 9}"

/* What is refused is left as it is. */
static void
test_rounds_book_of_another_form_is_refused(void **state)
{
	static const char *const good =
		"{\"version\": 1, \"rounds\": [" BOOK_ROUND("1", "7") "]}";
	static const char *const bad[] = {
		"",
		"[]",
		"{\"rounds\": []}",
		"{\"version\": 0, \"rounds\": []}",
		"{\"version\": 2, \"rounds\": []}",
		"{\"version\": \"1\", \"rounds\": []}",
		"{\"version\": 1}",
		"{\"version\": 1, \"rounds\": {}}",
		"{\"version\": 1, \"rounds\": [{\"round\": 1}]}",
		"{\"version\": 1, \"rounds\": [" BOOK_ROUND("1", "-1") "]}",
		"{\"version\": 1, \"rounds\": [" BOOK_ROUND("1", "2.5") "]}",
		"{\"version\": 1, \"rounds\": [" BOOK_ROUND(
			"1", "1000000000001") "]}",
		"{\"version\": 1, \"version\": 1, \"rounds\": []}",
	};
	const struct rounds_usage usage = { .round = 1, .budget_tokens = 1 };
	struct window_error error = { .text = "" };
	char path[SCRATCH_BYTES];
	char *text;
	int fd = mkstemp(scratch_name(path, "book"));

	close(fd);
	put_text(path, good);
	assert_int_equal(rounds_report(path, ROUNDS_JSON, &text, &error), 0);
	free(text);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		put_text(path, bad[i]);
		error.text[0] = '\0';
		if (rounds_report(path, ROUNDS_JSON, &text, &error) != -EBADMSG)
			fail_msg("taken for a book: %s", bad[i]);
		assert_begins(error.text, "BALE-RND-003 ");
		assert_int_equal(rounds_record(path, &usage, &error), -EBADMSG);
	}
	unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_rounds_near_the_limit_are_those_from_85_per_cent_on),
		cmocka_unit_test(
			test_rounds_book_keeps_each_round_and_the_sums),
		cmocka_unit_test(test_rounds_book_of_another_form_is_refused),
	};

	return cmocka_run_group_tests_name("window/rounds_usage", tests, NULL,
					   NULL);
}
