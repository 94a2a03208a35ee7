/* SPDX-License-Identifier: MIT */
/*
 * test_tokenizer_models.c - names of models, and estimates.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "tokenizer/models.h"
#include "tokenizer/tokenizer.h"

/* verifies: FR-016c-03 */
static void
test_model_names_give_their_encoding(void **state)
{
	static const struct {
		const char *name, *encoding;
		uint64_t window_tokens;
	} want[] = {
		{ "gpt-4o", "o200k_base", 128000 },
		{ "gpt-4o-2024-08-06", "o200k_base", 128000 },
		{ "gpt-4.1-mini", "o200k_base", 1047576 },
		{ "gpt-5", "o200k_base", 400000 },
		{ "gpt-4-0613", "cl100k_base", 8192 },
		{ "gpt-4-turbo-preview", "cl100k_base", 128000 },
		{ "gpt-3.5-turbo-0125", "cl100k_base", 16385 },
		{ "o3-mini", "o200k_base", 200000 },
		{ "o1-mini-2024-09-12", "o200k_base", 128000 },
		{ "claude-opus-4-1", "cl100k_base", 200000 },
		{ "gpt2", "gpt2", 1024 },
	};
	size_t i;

	for (i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const struct tokenizer_model *model =
			tokenizer_model(want[i].name);

		assert_non_null(model);
		assert_string_equal(model->encoding, want[i].encoding);
		assert_int_equal(model->window_tokens, want[i].window_tokens);
	}
	assert_null(tokenizer_model("gpt-4oh"));
	assert_null(tokenizer_model(""));
}

static void
test_model_encodings_all_exist(void **state)
{
	const struct tokenizer_model *model;
	size_t i;

	for (i = 0; (model = tokenizer_model_at(i)) != NULL; i++) {
		const struct tokenizer *tok;

		assert_int_equal(tokenizer_open(&tok, model->encoding), 0);
		assert_ptr_equal(tokenizer_model(model->name), model);
	}
	assert_true(i > 30);
}

/* verifies: FR-016c-44, NFR-016c-08 */
static void
test_model_estimates_are_rounded_up(void **state)
{
	const struct tokenizer_model *claude = tokenizer_model("claude-3");

	assert_true(claude->margin_percent > 0);
	assert_int_equal(claude->tokenizer, MODEL_CLOSED);
	assert_int_equal(tokenizer_model("qwen3-8b")->tokenizer,
			 MODEL_PUBLISHED);
	assert_int_equal(tokenizer_model("gpt-5")->tokenizer, MODEL_BUILT_IN);
	assert_int_equal(tokenizer_estimate(0), 0);
	assert_int_equal(tokenizer_estimate(1), 1);
	assert_int_equal(tokenizer_estimate(8), 2);
	assert_int_equal(tokenizer_estimate(9), 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_model_names_give_their_encoding),
		cmocka_unit_test(test_model_encodings_all_exist),
		cmocka_unit_test(
			test_model_estimates_are_rounded_up),
	};

	return cmocka_run_group_tests_name("tokenizer/models", tests, NULL,
					   NULL);
}
