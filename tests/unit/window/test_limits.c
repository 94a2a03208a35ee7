/* SPDX-License-Identifier: MIT */
/*
 * test_limits.c - what is known of a model, and of one that is not.
 */
#include "tests/support/test_shm.h"

#include "window/limits.h"

static void
test_limits_of_an_unknown_model_are_the_default(void **state)
{
	static const char *const models[] = { NULL, "", "no-such-model" };

	for (size_t i = 0; i < ARRAY_LEN(models); i++) {
		struct model_limits limits = limits_find(models[i], NULL, 0);

		ASSERT_TRUE(!limits.is_known);
		ASSERT_EQ(limits.context_tokens, LIMITS_DEFAULT_TOKENS);
		ASSERT_EQ(limits.margin_percent, LIMITS_DEFAULT_MARGIN);
		assert_string_equal(limits.encoding, LIMITS_DEFAULT_ENCODING);
	}
}

static void
test_limits_pass_over_the_provider(void **state)
{
	struct model_limits plain = limits_find("gpt-4o", NULL, 0);
	struct model_limits named = limits_find("openai/gpt-4o", NULL, 0);

	ASSERT_TRUE(plain.is_known && named.is_known);
	assert_string_equal(plain.encoding, "o200k_base");
	ASSERT_EQ(plain.margin_percent, 0);
	ASSERT_EQ(named.context_tokens, plain.context_tokens);
}

static void
test_limits_margin_is_rounded_up_and_wraps_no_sum(void **state)
{
	const struct model_limits none = { .margin_percent = 0 };
	const struct model_limits ten = { .margin_percent = 10 };

	ASSERT_EQ(limits_margin(&none, 1234), 0);
	for (uint64_t tokens = 0; tokens < 1000; tokens++) {
		uint64_t margin = limits_margin(&ten, tokens);

		ASSERT_TRUE(margin * 10 >= tokens && margin * 10 < tokens + 10);
	}
	ASSERT_TRUE(limits_margin(&ten, UINT64_MAX / 2) <= UINT64_MAX / 2);
}

/* verifies: CMP-02 */
static void
test_limits_of_models_with_betas_and_without(void **state)
{
	static const char *const beta[] = { "context-1m-2025-08-07" };
	static const struct {
		const char *model;
		size_t betas;
		uint64_t tokens;
		bool known;
	} cases[] = {
		{ "gpt-4o-2024-08-06", 0, 128000, true },
		{ "openai/gpt-4.1-mini", 0, 1047576, true },
		{ "claude-sonnet-4-5", 0, 200000, true },
		{ "claude-sonnet-4-5", 1, 1000000, true },
		{ "us.anthropic.claude-sonnet-4-20250514-v1:0", 1, 1000000,
		  true },
		{ "claude-3-5-haiku-latest", 1, 200000, true },
		{ "some-model", 1, LIMITS_DEFAULT_TOKENS, false },
		{ NULL, 0, LIMITS_DEFAULT_TOKENS, false },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct model_limits limits =
			limits_find(cases[i].model, beta, cases[i].betas);

		if (limits.context_tokens != cases[i].tokens ||
		    limits.is_known != cases[i].known)
			fail_msg("%s: got %llu, want %llu", cases[i].model,
				 (unsigned long long)limits.context_tokens,
				 (unsigned long long)cases[i].tokens);
	}
	assert_true(limits_find(NULL, NULL, 0).margin_percent > 0);
	assert_int_equal(limits_find("gpt-4o", NULL, 0).margin_percent, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_limits_of_an_unknown_model_are_the_default),
		cmocka_unit_test(test_limits_pass_over_the_provider),
		cmocka_unit_test(
			test_limits_margin_is_rounded_up_and_wraps_no_sum),
		cmocka_unit_test(test_limits_of_models_with_betas_and_without),
	};

	return cmocka_run_group_tests_name("window/limits", tests, NULL, NULL);
}
