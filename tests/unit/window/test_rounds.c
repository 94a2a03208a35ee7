/* SPDX-License-Identifier: MIT */
/*
 * Rounds of an analysis: the block that is handed on.
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
		assert_int_equal(
			rounds_compress(bad[i][0], strlen(bad[i][0]),
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

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_rounds_block_is_extracted_from_the_fields),
		cmocka_unit_test(test_rounds_block_is_under_every_limit),
		cmocka_unit_test(test_rounds_findings_end_at_eighty_per_cent),
		cmocka_unit_test(test_rounds_refuse_what_is_no_round),
	};

	return cmocka_run_group_tests_name("window/rounds", tests, NULL, NULL);
}
