/* SPDX-License-Identifier: MIT */
/*
 * test_options_values.c - single values: numbers, choices, and what is said of others.
 */
#include "tests/support/test_options.h"

#include "window/chat.h"

static void
test_options_numbers_are_read_by_their_unit(void **state)
{
	static const struct {
		const char *line;
		uint64_t want;
	} rows[] = {
		{ "pack --budget 1M", 1000000 },
		{ "pack --budget 200K", 200000 },
		{ "pack --budget 1000000000000", 1000000000000 },
	};
	static const struct {
		const char *line;
		uint64_t want;
	} sizes[] = {
		{ "pack --max-file-size 1", 1 },
		{ "pack --max-file-size 3k", 3072 },
		{ "pack --max-file-size 3KiB", 3072 },
		{ "pack --max-file-size 2T", 2ull << 40 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		parses(rows[i].line);
		assert_int_equal(options.pack.budget_tokens, rows[i].want);
	}
	for (size_t i = 0; i < ARRAY_LEN(sizes); i++) {
		parses(sizes[i].line);
		assert_int_equal(options.pack.max_file_bytes, sizes[i].want);
	}
}

/* verifies: FR-016c-39, NFR-016c-13 */
static void
test_options_bad_values_are_named_with_what_is_allowed(void **state)
{
	static const struct {
		const char *line;
		const char *words;
	} rows[] = {
		{ "pack --budget -5",
		  "--budget: invalid value -5: expected 'all' or a "
		  "number" },
		{ "pack --budget 0",
		  "BALE-CLI-002 --budget: invalid value 0: expected" },
		{ "pack --budget 1.5k", "invalid value 1.5k: expected" },
		{ "pack --budget 12kk", "invalid value 12kk: expected" },
		{ "pack --budget +1", "invalid value +1: expected" },
		{ "pack --budget 0x10", "invalid value 0x10: expected" },
		{ "pack --budget ALL", "invalid value ALL: expected 'all'" },
		{ "pack --budget=", "invalid value \"\"" },
		{ "pack --budget 18446744073709551616", "expected 'all'" },
		{ "pack --budget 18446744073709552k", "expected 'all'" },
		{ "pack --reserve-system 1001G", "from 0 to 1000000000000" },
		{ "pack --max-file-size 1MB", "in bytes or with K, M, G or T" },
		{ "pack --workers 0", "a whole number from 1 to 64" },
		{ "pack --workers 65", "a whole number from 1 to 64" },
		{ "pack --workers 2k", "invalid value 2k: expected" },
		{ "pack --memory 1M", "a size from 8M to 1T" },
		{ "pack --stage-timeout 0", "from 1 to 86400" },
		{ "pack --io aio", "aio: expected one of auto, uring, read" },
		{ "pack --io rea", "did you mean read?" },
		{ "pack --io auto|uring", "expected one of" },
		{ "pack --log-level verbose",
		  "expected one of error, warning, info, debug" },
		{ "pack --strict=perhaps", "perhaps: expected yes or no" },
		{ "pack --output=",
		  "--output: invalid value \"\": must not be empty" },
		{ "pack --report", "BALE-CLI-003 --report needs a value" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		refuses(rows[i].line, rows[i].words);
}

/* Choices are enums of window/, in their order. */
static void
check_choice(enum option_id id, const char *line, unsigned number,
	     const char *name)
{
	char words[128];
	char printed[64];

	snprintf(words, sizeof(words), "%s --%s %s", line,
		 option_table[id].name, name);
	parses(words);
	option_print(&given, &option_table[id], printed, sizeof(printed));
	assert_string_equal(printed, name);
	assert_int_equal(*(const unsigned *)((const char *)&given +
					     option_table[id].offset),
			 number);
}

static void
test_choices_are_in_the_order_of_their_enums(void **state)
{
	for (unsigned i = 0; i < WINDOW_TYPE_NR; i++)
		check_choice(OPTION_ITEM_TYPE, "window f list", i,
			     window_type_name((enum window_type)i));
	for (unsigned i = 0; i < WINDOW_STRATEGY_NR; i++)
		check_choice(OPTION_WINDOW_STRATEGY, "window f compact", i,
			     window_strategy_name((enum window_strategy)i));
	for (unsigned i = 0; i < WINDOW_TIER_NR; i++)
		check_choice(OPTION_TIER, "compact", i,
			     window_tier_name((enum window_tier)i));
	for (unsigned i = 0; i < CHAT_FORMAT_NR; i++)
		check_choice(OPTION_CHAT_FORMAT, "compact", i,
			     chat_format_name((enum chat_format)i));
}

static void
test_values_of_closed_sets_suggest_the_nearest(void **state)
{
	static const struct {
		const char *line;
		const char *words;
	} rows[] = {
		{ "pack --format mardown", "did you mean markdown?" },
		{ "pack --model gpt5", "did you mean gpt-5?" },
		{ "pack --chunk line:5", "did you mean lines?" },
		{ "pack --categories tool_result=100",
		  "did you mean tool_results?" },
		{ "pack --source-priority open_file=1",
		  "did you mean open_files?" },
		{ "pack --strict=ye", "did you mean yes?" },
		{ "config shwo", "expected one of show, validate, init; did "
				 "you mean show?" },
		{ "window f lits", "did you mean list?" },
		{ "window f list --type tool_resul",
		  "BALE-WIN-003 --type: invalid value tool_resul" },
		{ "window f compact --strategy selectiv",
		  "did you mean selective?" },
		{ "compact --format antropic", "did you mean anthropic?" },
		{ "compact --trigger manuel", "did you mean manual?" },
		{ "compact --tier team", "did you mean teams?" },
		{ "rounds compres", "did you mean compress?" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		refuses(rows[i].line, rows[i].words);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(options_numbers_are_read_by_their_unit),
		TEST(options_bad_values_are_named_with_what_is_allowed),
		TEST(choices_are_in_the_order_of_their_enums),
		TEST(values_of_closed_sets_suggest_the_nearest),
	};

	return cmocka_run_group_tests_name("cli/options_values", tests, NULL,
					   NULL);
}
