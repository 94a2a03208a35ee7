/* SPDX-License-Identifier: MIT */
/*
 * Rounds of an analysis: the block that is handed on, and the book.
 */
#include "tests/support/test_window.h"

#include <jansson.h>
#include <unistd.h>

#include "tokenizer/tokenizer.h"
#include "window/rounds.h"

static struct rounds_block
compress(const char *json, uint64_t max_tokens)
{
	struct window_error error = { .text = "" };
	struct rounds_block block;

	if (rounds_compress(json, strlen(json),
			    &(struct rounds_limit){ NULL, max_tokens }, &block,
			    &error) != 0)
		fail_msg("rounds_compress: %s", error.text);
	return block;
}

static const char round_json[] =
	"{\"round\": 2, \"modules\": [{\"name\": \"shm\", \"purpose\": \"p\"}, "
	"\"window\"], \"findings\": [\"Rings are\\n  single producer.\", "
	"\"Slabs come back.\"], \"relationships\": [{\"from\": \"window\", "
	"\"to\": \"shm\", \"type\": \"includes\"}, \"a -> b\"], "
	"\"openQuestions\": [\"Who frees?\"], \"other\": [1, 2]}";

/* verifies: CTX-04.1 */
static void
test_rounds_block_is_extracted_from_the_fields(void **state)
{
	struct rounds_block block = compress(round_json, 1000);

	assert_string_equal(block.text,
			    "Modules: shm, window\n"
			    "- Rings are single producer.\n"
			    "- Slabs come back.\n"
			    "Relationships: window -> shm (includes); a -> b\n"
			    "Open questions: Who frees?");
	assert_int_equal(block.round, 2);
	assert_int_equal(block.kept[ROUNDS_FINDINGS], 2);
	rounds_block_free(&block);
	block = compress("{}", 10);
	assert_string_equal(block.text, "");
	assert_int_equal(block.tokens, 0);
	rounds_block_free(&block);
}

/* A round with many of everything. */
static char *
large_round(void)
{
	json_t *json = json_object();
	static const char *const keys[] = { "modules", "findings",
					    "relationships", "openQuestions" };
	char *text;

	for (size_t k = 0; k < ARRAY_LEN(keys); k++) {
		json_t *list = json_array();

		for (int i = 0; i < 30; i++)
			json_array_append_new(
				list,
				json_sprintf("%s number %d of it", keys[k], i));
		json_object_set_new(json, keys[k], list);
	}
	text = json_dumps(json, 0);
	json_decref(json);
	return text;
}

/* verifies: CTX-04.2 */
static void
test_rounds_block_is_under_every_limit(void **state)
{
	const struct tokenizer *tok;
	char *json = large_round();

	assert_int_equal(tokenizer_open(&tok, "o200k_base"), 0);
	for (uint64_t limit = 1; limit < 1000; limit += 7) {
		struct rounds_block block = compress(json, limit);

		assert_true(block.tokens <= limit);
		assert_int_equal(block.tokens,
				 tokenizer_count(tok, NULL,
						 (const uint8_t *)block.text,
						 block.text_bytes));
		for (int p = 0; p < ROUNDS_PART_NR; p++)
			assert_int_equal(block.kept[p] + block.left_out[p], 30);
		rounds_block_free(&block);
	}
	free(json);
}

/* verifies: CTX-04.2 */
static void
test_rounds_findings_end_at_eighty_per_cent(void **state)
{
	struct rounds_block block;
	json_t *json = json_pack("{s:[], s:[s]}", "findings", "openQuestions",
				 "a a a a a a a a a a a a");
	char *text;

	for (int i = 0; i < 100; i++)
		json_array_append_new(json_object_get(json, "findings"),
				      json_string("a a a a"));
	text = json_dumps(json, 0);
	block = compress(text, 100);
	/* "- a a a a\n" has six tokens: 13 of them fit into 80 */
	assert_int_equal(block.kept[ROUNDS_FINDINGS], 13);
	assert_int_equal(block.kept[ROUNDS_QUESTIONS], 1);
	assert_true(block.tokens > 80 && block.tokens <= 100);
	rounds_block_free(&block);
	free(text);
	json_decref(json);
}

static void
test_rounds_refuse_what_is_no_round(void **state)
{
	static const char *const bad[][2] = {
		{ "", "BALE-RND-001 " },
		{ "[]", "BALE-RND-001 " },
		{ "{\"modules\":", "BALE-RND-001 " },
		{ "{\"modules\": 7}", "BALE-RND-002 " },
		{ "{\"modules\": [{}]}", "BALE-RND-002 modules[0]" },
		{ "{\"findings\": [\"a\", 7]}", "BALE-RND-002 findings[1]" },
		{ "{\"relationships\": [{\"from\": \"a\"}]}",
		  "BALE-RND-002 relationships[0]" },
	};
	struct rounds_block block;
	struct window_error error;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		assert_int_equal(rounds_compress(
					 bad[i][0], strlen(bad[i][0]),
					 &(struct rounds_limit){ NULL, 100 },
					 &block, &error),
				 -EBADMSG);
		assert_begins(error.text, bad[i][1]);
	}
	assert_int_equal(rounds_compress("{}", 2,
					 &(struct rounds_limit){ "none", 100 },
					 &block, &error),
			 -ENOENT);
}

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
	assert_int_equal(rounds_report(path, &text, &error), 0);
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
	assert_int_equal(rounds_report(path, &text, &error), -ENOENT);
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
	assert_int_equal(rounds_report(path, &text, &error), 0);
	free(text);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		put_text(path, bad[i]);
		error.text[0] = '\0';
		if (rounds_report(path, &text, &error) != -EBADMSG)
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
			test_rounds_block_is_extracted_from_the_fields),
		cmocka_unit_test(test_rounds_block_is_under_every_limit),
		cmocka_unit_test(test_rounds_findings_end_at_eighty_per_cent),
		cmocka_unit_test(test_rounds_refuse_what_is_no_round),
		cmocka_unit_test(
			test_rounds_near_the_limit_are_those_from_85_per_cent_on),
		cmocka_unit_test(
			test_rounds_book_keeps_each_round_and_the_sums),
		cmocka_unit_test(test_rounds_book_of_another_form_is_refused),
	};

	return cmocka_run_group_tests_name("window/rounds", tests, NULL, NULL);
}
