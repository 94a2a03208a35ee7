/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_result.c - results, their tokens, and as much as fits.
 */
#include "tests/support/test_command.h"

#include "cli/mcp.h"
#include "tokenizer/tokenizer.h"

static struct mcp_scope scope;

static int
set_up(void **state)
{
	return tokenizer_open(&scope.tokenizer, "o200k_base") != 0 ||
	       command_set_up(state) != 0;
}

/* In o200k_base "hello world" has 2 tokens, and a line break, a quote with one
 * behind it as well; escaped, as in JSON, the latter would have 3. */
static void
test_mcp_result_counts_texts_as_they_are(void **state)
{
	struct mcp_call call = { .scope = &scope };
	json_t *empty = mcp_text_result(&call, "", 0);
	json_t *text = mcp_text_result(&call, "hello world", 11);
	json_t *lines = mcp_text_result(&call, "\n\"\n", 3);

	assert_true(mcp_result_tokens(&scope, empty) > 5);
	assert_int_equal(mcp_result_tokens(&scope, text),
			 mcp_result_tokens(&scope, empty) + 2);
	assert_int_equal(mcp_result_tokens(&scope, lines),
			 mcp_result_tokens(&scope, empty) + 2);
	json_decref(empty);
	json_decref(text);
	json_decref(lines);
}

/* Whatever is in it, though each byte were a token. */
static void
test_mcp_result_errors_fit_the_least_that_can_be_asked_for(void **state)
{
	char text[2000];
	json_t *error;

	for (size_t i = 0; i < sizeof(text) - 1; i++)
		text[i] = (char)(33 + i * 7 % 90);
	text[sizeof(text) - 1] = '\0';
	error = mcp_tool_error(true, "%s", text);
	assert_in_range(mcp_result_tokens(&scope, error), 100, MCP_TOKENS_LEAST);
	json_decref(error);
	error = mcp_tool_error(true, "%s", "");
	assert_in_range(mcp_result_tokens(&scope, error) + MCP_ERROR_BYTES, 0,
			MCP_TOKENS_LEAST);
	json_decref(error);
}

/* Words of one token each; how often they were made is at *context. */
static json_t *
words(const struct mcp_call *call, void *context, size_t nr)
{
	char text[4096];

	assert_true(5 * nr <= sizeof(text));
	for (size_t i = 0; i < nr; i++)
		memcpy(text + 5 * i, " word", 5);
	++*(int *)context;
	return mcp_text_result(call, text, 5 * nr);
}

static void
test_mcp_result_has_as_many_parts_as_fit(void **state)
{
	struct mcp_call call = { .scope = &scope, .tokens = 1000 };
	json_t *empty = mcp_text_result(&call, "", 0);
	uint64_t frame = mcp_result_tokens(&scope, empty);

	json_decref(empty);
	for (size_t fit = 0; fit <= 600; fit += 50) {
		int nr = 0;
		json_t *result;

		call.tokens = frame + fit;
		result = mcp_fit(&call, 0, 500, words, &nr);
		assert_int_equal(mcp_result_tokens(&scope, result),
				 frame + min_size(fit, 500));
		assert_in_range(nr, 1, fit >= 500 ? 1 : 11);
		json_decref(result);
		result = mcp_fit(&call, 400, 500, words, &nr);
		assert_int_equal(result == NULL, fit < 400);
		json_decref(result);
	}
	call.tokens = frame - 1;
	assert_null(mcp_fit(&call, 0, 500, words, &(int){ 0 }));
}

/* Parts of one word, and of nine from the one at *context on. */
static json_t *
uneven(const struct mcp_call *call, void *context, size_t nr)
{
	size_t few = min_size(nr, *(size_t *)context);
	int made = 0;

	return words(call, &made, few + (nr - few) * 9);
}

/* Wherever the long parts begin, it is the most that fit. */
static void
test_mcp_result_has_as_many_parts_as_fit_of_unlike_ones(void **state)
{
	struct mcp_call call = { .scope = &scope, .tokens = 400 };
	json_t *empty = mcp_text_result(&call, "", 0);
	uint64_t room = call.tokens - mcp_result_tokens(&scope, empty);

	json_decref(empty);
	for (size_t from = 0; from <= 60; from++) {
		size_t want = min_size(from + (room - from) / 9, 80);
		json_t *result = mcp_fit(&call, 0, 80, uneven, &from);
		json_t *same = uneven(&call, &from, want);

		assert_true(json_equal(result, same));
		json_decref(result);
		json_decref(same);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_mcp_result_counts_texts_as_they_are, set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(test_mcp_result_errors_fit_the_least_that_can_be_asked_for, set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(test_mcp_result_has_as_many_parts_as_fit, set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(test_mcp_result_has_as_many_parts_as_fit_of_unlike_ones, set_up, dir_tear_down),
	};

	return cmocka_run_group_tests_name("cli/mcp_result", tests, NULL, NULL);
}
