/* SPDX-License-Identifier: MIT */
/*
 * test_config_key.c - which option a path of a configuration means.
 */
#include "tests/support/test_config.h"

static void
test_config_sections_in_front_may_be_left_away(void **state)
{
	struct command_line out;
	double shares[CATEGORY_NR];
	double sum;

	loads("categories:\n  tool_results: 60\n  open_files: 20\n"
	      "  search_results: 15\n  references: 5\n");
	assert_true(config_categories(&config, shares, &sum) && sum == 100);
	loads("budget:\n  total_tokens: 8192\n  system_prompt_reserve: 1000\n"
	      "  response_reserve: 2000\ndedup:\n  enabled: true\n");
	apply(&out, "pack");
	assert_int_equal(out.run.pack.budget_tokens, 8192);
	assert_int_equal(out.run.pack.response_reserve_tokens, 2000);
	command_line_fini(&out);
}

static void
test_config_camel_case_is_snake_case(void **state)
{
	static const char *const rows[][2] = {
		{ "maxTokens", "max_tokens" },
		{ "max_tokens", "max_tokens" },
		{ "max-tokens", "max_tokens" },
		{ "Max", "max" },
		{ "HTTPServer", "httpserver" },
		{ "a.b", "a/b" },
		{ "", "" },
	};
	struct command_line out;

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char got[64];

		config_snake_case(got, sizeof(got), rows[i][0]);
		assert_string_equal(got, rows[i][1]);
	}
	loads("context:\n  maxTokens: 50000\n  budget:\n"
	      "    systemPromptReserve: 1\n    responseReserve: 2\n"
	      "policy: {tier: core}\n");
	is_set(OPTION_TIER, "core");
	apply(&out, "pack");
	assert_int_equal(out.run.pack.budget_tokens, 50000);
	assert_int_equal(out.run.pack.system_reserve_tokens, 1);
	assert_int_equal(out.run.pack.response_reserve_tokens, 2);
	command_line_fini(&out);
}

static void
test_config_commands_hooks_and_paths_are_refused(void **state)
{
	static const char *const rows[][2] = {
		{ "summarizer: rm -rf x", "cannot name a command" },
		{ "context:\n  command: x", "cannot name a command" },
		{ "compaction:\n  hook_pre: x", "cannot name a hook" },
		{ "compaction: {hookPost: x}", "cannot name a hook" },
		{ "hooks:\n  pre: x", "cannot name a hook" },
		{ "window:\n  events: x", "cannot name an output path" },
		{ "context:\n  output: /x", "cannot name an output path" },
		{ "output_path: x", "cannot name an output path" },
		{ "context:\n  report: x", "give --report on the command" },
		{ "context:\n  no_sandbox: yes", "give --no-sandbox on" },
		{ "no_ignore: yes", "beyond the ignore rules" },
		{ "force_include: ['**']", "beyond the ignore rules" },
		{ "context: {files-from: x}", "it names a path" },
		{ "config: x", "it names a path" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(load(rows[i][0]), -EINVAL);
		assert_string_equal(config.problems[0].code, "BALE-CFG-004");
		if (strstr(config.problems[0].fault.text, rows[i][1]) == NULL)
			fail_msg("got %s, want %s",
				 config.problems[0].fault.text, rows[i][1]);
	}
	/* in sections of other programs they are none of our business */
	warns("other: {command: x, output: y}", "unknown section other");
}

static void
test_config_unknown_keys_name_the_nearest(void **state)
{
	warns("contxt:\n  budget:\n    total: 5\n", "did you mean context?");
	warns("context:\n  budget:\n    total_token: 5\n",
	      "unknown key context.budget.total_token ignored; did you "
	      "mean context.budget.total_tokens?");
	warns("context: {total_tokens: 5}", "context.budget.total_tokens?");
	warns("dedup: {overlap_treshold: 0.5}",
	      "did you mean context.dedup.overlap_threshold?");
	warns("agent: {name: x, list: [{a: b}, {a: c}]}",
	      "unknown section agent ignored; did you mean");
	/* by a word that both have, then the same section, then letters */
	warns("context: {ranking: {relevance: 0.5}}",
	      "did you mean context.ranking.relevance_weight?");
	warns("budget: {reserve_response: 5}",
	      "did you mean context.budget.response_reserve?");
	warns("dedup: {threshold: 0.5}",
	      "unknown key dedup.threshold ignored; did you mean "
	      "context.dedup.overlap_threshold?");
	warns("dedup: {xyz: 5}", "did you mean context.dedup.");
	warns("context: {budget: {categories: {docs: 5}}}",
	      "did you mean context.budget.categories.");
	warns("\"a\\tb\\e[2J\": 1", "unknown key \"a\\tb\\033[2_j\"");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(config_sections_in_front_may_be_left_away),
		TEST(config_camel_case_is_snake_case),
		TEST(config_commands_hooks_and_paths_are_refused),
		TEST(config_unknown_keys_name_the_nearest),
	};

	return cmocka_run_group_tests_name("cli/config_key", tests, NULL, NULL);
}
