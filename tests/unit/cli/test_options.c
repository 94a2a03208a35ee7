/* SPDX-License-Identifier: MIT */
/*
 * The command line, the environment and the help, all of one table.
 */
#include "cli/command_line.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/help.h"
#include "cli/cli_text.h"
#include "stages/job.h"

#define WORDS_MAX 16

static struct command_line given;
#define options given.run

/* Parses "bale " + line, split at blanks. */
static int
parse(const char *words)
{
	static char copy[1024];
	static char program[] = "bale";
	char *argv[WORDS_MAX + 2] = { program };
	int argc = 1;
	char *state;
	int result;

	command_line_fini(&given);
	snprintf(copy, sizeof(copy), "%s", words);
	for (char *word = strtok_r(copy, " ", &state); word != NULL;
	     word = strtok_r(NULL, " ", &state)) {
		assert_true(argc <= WORDS_MAX);
		argv[argc++] = word;
	}
	argv[argc] = NULL;
	result = command_line_parse(argc, argv, &given);
	return result != 0
		       ? result
		       : command_line_complete(&given);
}

static void
parses(const char *words)
{
	if (parse(words) != 0)
		fail_msg("bale %s: %s", words, given.error);
}

static void
refuses(const char *words, const char *want)
{
	int got = parse(words);

	if (got != -EINVAL)
		fail_msg("bale %s: got %d, want -EINVAL", words, got);
	if (strstr(given.error, want) == NULL)
		fail_msg("bale %s: got '%s', want '%s'", words, given.error, want);
}

/* Those of the one who runs the tests must not matter. */
static void
clear_variables(void)
{
	char name[64];

	for (int i = 0; i < OPTION_NR; i++)
		if (option_table[i].name != NULL)
			unsetenv(option_variable(name, sizeof(name),
						 &option_table[i]));
}

static int
set_up(void **state)
{
	clear_variables();
	return 0;
}

static int
tear_down(void **state)
{
	command_line_fini(&given);
	clear_variables();
	return 0;
}

/* verifies: FR-016c-40 */
static void
test_options_of_a_bare_pack_are_the_defaults(void **state)
{
	parses("pack");
	assert_int_equal(given.command, COMMAND_PACK);
	assert_int_equal(options.pack.root_nr, 1);
	assert_string_equal(options.pack.roots[0], ".");
	assert_int_equal(options.pack.budget_tokens, 100000);
	assert_int_equal(options.pack.count_cache_entries, 10000);
	assert_int_equal(options.pack.response_reserve_tokens, 8000);
	assert_int_equal(options.pack.system_reserve_tokens, 2000);
	assert_int_equal(options.pack.max_file_bytes, 10 << 20);
	assert_int_equal(options.memory_bytes, 96 << 20);
	assert_int_equal(options.stage_timeout_s, 30);
	assert_int_equal(options.worker_nr, options_cpu_nr());
	assert_int_equal(options.pack.io, IO_AUTO);
	assert_int_equal(options.progress, PROGRESS_AUTO);
	assert_int_equal(options.log_level, DIAG_WARN);
	assert_string_equal(options.encoding, "o200k_base");
	assert_int_equal(options.pack.sandbox, SANDBOX_AUTO);
	assert_false(options.pack.plan_only);
	assert_false(options.strict || options.quiet || options.log_json);
	assert_null(options.output_path);
	assert_null(options.report_path);
	for (int i = 0; i < OPTION_NR; i++)
		assert_int_equal(given.from[i], FROM_DEFAULT);
}

/* verifies: FR-016c-10 */
static void
test_options_each_in_its_long_form_is_understood(void **state)
{
	parses("pack --output=o --report r --budget 128k --encoding e "
	       "--reserve-response 1k --reserve-system=0 src lib");
	assert_string_equal(options.output_path, "o");
	assert_string_equal(options.report_path, "r");
	assert_int_equal(options.pack.budget_tokens, 128000);
	assert_string_equal(options.encoding, "e");
	assert_int_equal(options.pack.response_reserve_tokens, 1000);
	assert_int_equal(options.pack.system_reserve_tokens, 0);
	assert_int_equal(options.pack.root_nr, 2);
	assert_string_equal(options.pack.roots[1], "lib");
	parses("preview --include=*.c --include *.h --exclude x --no-ignore "
	       "--hidden --max-file-size 1G --workers 64 --memory 1GiB");
	assert_false(options.pack.plan_only); /* the output is made */
	assert_int_equal(options.pack.include_nr, 2);
	assert_string_equal(options.pack.includes[1], "*.h");
	assert_int_equal(options.pack.exclude_nr, 1);
	assert_true(options.pack.no_ignore && options.pack.hidden);
	assert_int_equal(options.pack.max_file_bytes, 1 << 30);
	assert_int_equal(options.worker_nr, 64);
	assert_int_equal(options.memory_bytes, 1 << 30);
	parses("pack --io read --stage-timeout 5 --strict --no-sandbox "
	       "--progress never --log-level debug --log-json --quiet");
	assert_int_equal(options.pack.io, IO_READ);
	assert_int_equal(options.stage_timeout_s, 5);
	assert_true(options.strict && options.log_json && options.quiet);
	assert_int_equal(options.pack.sandbox, SANDBOX_OFF);
	assert_int_equal(options.progress, PROGRESS_NEVER);
	assert_int_equal(options.log_level, DIAG_DEBUG);
	parses("preview --budget all");
	assert_true(options.pack.plan_only);
	parses("tree");
	assert_true(options.pack.plan_only);
}

static void
test_options_in_short_form_combine(void **state)
{
	parses("pack -qofile a");
	assert_true(options.quiet);
	assert_string_equal(options.output_path, "file");
	parses("pack -q -o file a -- -b --budget");
	assert_string_equal(options.output_path, "file");
	assert_int_equal(options.pack.root_nr, 3);
	assert_string_equal(options.pack.roots[1], "-b");
	assert_string_equal(options.pack.roots[2], "--budget");
	parses("pack -o -");
	assert_null(options.output_path);
	refuses("pack -qx", "BALE-CLI-001 unknown option -x");
	refuses("pack -qo", "BALE-CLI-003 -o needs a value: -o FILE");
}

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

static void
test_options_unknown_ones_suggest_the_nearest(void **state)
{
	static const struct {
		const char *line;
		const char *words;
	} rows[] = {
		{ "pack --bugdet 5", "unknown option --bugdet; did you mean "
				     "--budget?" },
		{ "pack --worker 5", "did you mean --workers?" },
		{ "pack --max-filesize 5", "did you mean --max-file-size?" },
		{ "pack --bud 5", "unknown option --bud; did you mean "
				  "--budget?" },
		{ "report --dedup", "did you mean --dedup-detail?" },
		{ "pack --xyzzy", "unknown option --xyzzy; see: bale help" },
		{ "version --budget 5",
		  "--budget is not an option of version" },
		{ "pakc .", "unknown command pakc; did you mean pack?" },
		{ "src", "a command comes first: bale pack PATH" },
		{ "--budget 5", "unknown command --budget" },
		{ "help pak", "did you mean pack?" },
		{ "version 1", "BALE-CLI-004 version takes no arguments" },
		{ "help pack preview",
		  "BALE-CLI-004 help takes no more than 1 argument;" },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		refuses(rows[i].line, rows[i].words);
}

static bool
is_option(const char *name)
{
	for (int i = 0; i < OPTION_NR; i++)
		if (option_table[i].name != NULL &&
		    strcmp(option_table[i].name, name) == 0)
			return true;
	return false;
}

static void
test_options_prefixes_of_names_are_refused(void **state)
{
	for (int i = 0; i < OPTION_NR; i++) {
		const char *name = option_table[i].name;
		char prefix[64];
		char line[128];

		if (name == NULL)
			continue;
		snprintf(prefix, sizeof(prefix), "%.*s", (int)strlen(name) - 1,
			 name);
		snprintf(line, sizeof(line), "pack --%s", prefix);
		refuses(line, is_option(prefix) ? "is not an option of pack"
						: "unknown option");
	}
}

static void
test_options_escape_what_they_repeat(void **state)
{
	refuses("pack --\033[2J", "unknown option \"--\\033[2J\"");
	refuses("pack --budget \a", "\"\\007\": expected");
}

/* verifies: AC-016c-018, FR-016-90 */
static void
test_options_reserves_that_leave_nothing_are_an_error(void **state)
{
	refuses("pack --budget 9999", "BALE-BUD-005");
	refuses("pack --budget 10000", "BALE-BUD-005");
	parses("pack --budget 10001");
	parses("pack --budget all --reserve-response 1M");
	refuses("preview --budget 50k --reserve-system 50k "
		"--reserve-response 0",
		"leave nothing of a budget of 50000 tokens");
}

static void
test_options_that_exclude_each_other_are_refused_with_a_reason(void **state)
{
	refuses("pack --line-numbers --compress",
		"BALE-CLI-005 --line-numbers cannot be given with --compress");
	refuses("pack --line-numbers --strip-comments", "--strip-comments: it");
	refuses("pack --tiers on --compress", "BALE-CLI-005 --tiers on");
	refuses("preview --tiers on --min-chunks 3", "with --min-chunks");
	refuses("pack --tiers on --line-numbers", "with --line-numbers");
	refuses("pack --pin a --compress", "BALE-CLI-005 --pin");
	refuses("pack --rev v1 --open a", "BALE-CLI-005 --rev");
	refuses("pack --rev v1 --git-diff", "BALE-CLI-005 --git-diff");
	refuses("pack --order rank --budget all", "BALE-CLI-005 --order rank");
	refuses("pack --split 9k", "BALE-CLI-005 --split writes several");
	refuses("pack --template t --format xml", "a template is a format");
	refuses("pack --template t --split 9k -o a", "with --split");
	refuses("pack --template t --git-log 3", "with --git-log");
	/* a plan shows its order either way */
	parses("preview --order rank --budget all");
	assert_false(options.pack.by_rank);
	refuses("pack --relevance-weight 0 --recency-weight 0 --source-weight "
		"0",
		"are all 0");
	refuses("pack --model gpt-99",
		"BALE-CLI-002 --model: unknown model gpt-99");
}

/* verifies: FR-016-42, FR-016-43, FR-016-44, FR-016-45 */
static void
test_options_chunks_by_structure_lines_or_tokens(void **state)
{
	parses("pack");
	assert_int_equal(options.pack.chunk_lines, 0);
	assert_int_equal(options.pack.chunk_max_tokens, 2000);
	assert_int_equal(options.pack.chunk_min_tokens, 100);
	parses("pack --chunk lines:40 --max-chunk-tokens 1k");
	assert_int_equal(options.pack.chunk_lines, 40);
	assert_int_equal(options.pack.chunk_max_tokens, 1000);
	parses("preview --chunk tokens:500");
	assert_int_equal(options.pack.chunk_lines, UINT32_MAX);
	assert_int_equal(options.pack.chunk_max_tokens, 500);
	parses("pack --chunk tokens:500 --max-chunk-tokens 300");
	assert_int_equal(options.pack.chunk_max_tokens, 300);
	/* what was not asked for gives way */
	parses("pack --chunk structure --max-chunk-tokens 50");
	assert_int_equal(options.pack.chunk_lines, 0);
	assert_int_equal(options.pack.chunk_min_tokens, 50);
	refuses("pack --chunk lines:0",
		"--chunk: invalid value lines:0: expected structure");
	refuses("pack --chunk lines:", "expected structure, lines:N");
	refuses("pack --chunk tokens:15", "N from 16 to 19000");
	refuses("pack --chunk lines:5x", "expected structure");
	refuses("pack --chunk pages", "expected structure");
	refuses("pack --max-chunk-tokens 20000", "--max-chunk-tokens");
	refuses("pack --min-chunk-tokens 500 --max-chunk-tokens 400",
		"at least 500 tokens and at most 400");
}

static void
test_options_all_lifts_the_limit_of_a_file(void **state)
{
	parses("pack --budget all");
	assert_true(options.pack.budget_tokens == BUDGET_ALL);
	assert_true(options.pack.max_file_bytes == UINT64_MAX);
	parses("pack --budget all --max-file-size 1M");
	assert_int_equal(options.pack.max_file_bytes, 1 << 20);
}

static void
test_options_command_line_beats_environment_beats_default(void **state)
{
	setenv("BALE_BUDGET", "50k", 1);
	setenv("BALE_MAX_FILE_SIZE", "1M", 1);
	setenv("BALE_HIDDEN", "yes", 1);
	setenv("BALE_NO_SANDBOX", "1", 1);
	setenv("BALE_STRICT", "off", 1);
	setenv("BALE_LOG_LEVEL", "", 1);
	setenv("BALE_INCLUDE", "*.c\n*.h", 1);
	parses("pack");
	assert_int_equal(options.pack.budget_tokens, 50000);
	assert_int_equal(options.pack.max_file_bytes, 1 << 20);
	assert_true(options.pack.hidden);
	assert_int_equal(options.pack.sandbox, SANDBOX_OFF);
	assert_false(options.strict);
	assert_int_equal(options.log_level, DIAG_WARN);
	assert_int_equal(options.pack.include_nr, 2);
	assert_string_equal(options.pack.includes[0], "*.c");
	parses("pack --budget 60k --hidden=no --no-sandbox=no --include *.rs");
	assert_int_equal(options.pack.budget_tokens, 60000);
	assert_false(options.pack.hidden);
	assert_int_equal(options.pack.sandbox, SANDBOX_AUTO);
	parses("pack --sandbox=require");
	assert_int_equal(options.pack.sandbox, SANDBOX_REQUIRE);
	setenv("BALE_SANDBOX", "require", 1);
	refuses("pack", "--no-sandbox cannot be given with --sandbox");
	parses("pack --no-sandbox");
	assert_int_equal(options.pack.sandbox, SANDBOX_OFF);
	unsetenv("BALE_NO_SANDBOX");
	parses("pack");
	assert_int_equal(options.pack.sandbox, SANDBOX_REQUIRE);
	parses("pack --sandbox auto");
	assert_int_equal(options.pack.sandbox, SANDBOX_AUTO);
	parses("pack --sandbox off --no-sandbox");
	assert_int_equal(options.pack.sandbox, SANDBOX_OFF);
	parses("pack --hidden=no --include *.rs");
	assert_int_equal(options.pack.include_nr, 1);
	assert_string_equal(options.pack.includes[0], "*.rs");
}

static void
test_options_bad_environment_is_named(void **state)
{
	setenv("BALE_WORKERS", "many", 1);
	refuses("pack",
		"BALE-CLI-002 BALE_WORKERS: invalid value many: expected");
	/* where it does not matter it does no harm */
	parses("pack --workers 3");
	parses("version");
	parses("pack --help");
}

static void
test_options_help_is_requested_for_in_many_ways(void **state)
{
	static const struct {
		const char *line;
		enum command command;
		enum command topic;
	} rows[] = {
		{ "", COMMAND_NONE, COMMAND_NONE },
		{ "help", COMMAND_HELP, COMMAND_NONE },
		{ "--help", COMMAND_HELP, COMMAND_NONE },
		{ "-h", COMMAND_HELP, COMMAND_NONE },
		{ "help pack", COMMAND_HELP, COMMAND_PACK },
		{ "pack -h", COMMAND_HELP, COMMAND_PACK },
		{ "pack x --budget 1 --help --nonsense", COMMAND_HELP,
		  COMMAND_PACK },
		{ "preview -qh", COMMAND_HELP, COMMAND_PREVIEW },
		{ "--version", COMMAND_VERSION, COMMAND_NONE },
		{ "-V", COMMAND_VERSION, COMMAND_NONE },
		{ "version", COMMAND_VERSION, COMMAND_NONE },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		parses(rows[i].line);
		assert_int_equal(given.command, rows[i].command);
		assert_int_equal(given.topic, rows[i].topic);
	}
}

static char *
help_on(enum command topic)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	assert_int_equal(help_print(out, topic), 0);
	fclose(out);
	return text;
}

static void
test_help_names_every_option_and_command_in_79_columns(void **state)
{
	char *all = help_on(COMMAND_NONE);
	char *pack = help_on(COMMAND_PACK);
	char *version = help_on(COMMAND_VERSION);
	char *texts[COMMAND_NR];

	for (int i = 0; i < COMMAND_NR; i++)
		texts[i] = help_on((enum command)i);
	for (int i = 1; i < COMMAND_NR; i++)
		assert_non_null(strstr(all, command_table[i].name));
	for (int i = 0; i < OPTION_NR; i++) {
		char name[80];

		if (option_table[i].name == NULL)
			continue;
		snprintf(name, sizeof(name), "--%s", option_table[i].name);
		for (int c = 1; c < COMMAND_NR; c++)
			if (option_table[i].takers & 1ull << c)
				assert_non_null(strstr(texts[c], name));
		assert_true(option_table[i].group != GROUP_NONE);
	}
	assert_non_null(strstr(pack, "BALE_BUDGET"));
	assert_non_null(strstr(pack, "(default: 96M)"));
	assert_null(strstr(version, "--budget"));
	for (size_t t = 0; t < ARRAY_LEN(texts); t++) {
		for (char *line = strtok(texts[t], "\n"); line != NULL;
		     line = strtok(NULL, "\n"))
			assert_true(strlen(line) <= 79);
		free(texts[t]);
	}
	free(all);
	free(pack);
	free(version);
}

static void
test_help_to_a_full_disk_is_an_error(void **state)
{
	static char buffer[1 << 16];
	FILE *out = fopen("/dev/full", "we");

	if (out == NULL)
		skip();
	/* one write, at the end, so that its errno is the last one */
	setvbuf(out, buffer, _IOFBF, sizeof(buffer));
	assert_int_equal(help_print(out, COMMAND_PACK), -ENOSPC);
	fclose(out);
}

static void
test_table_has_no_name_twice(void **state)
{
	for (int i = 0; i < OPTION_NR; i++) {
		for (int j = 0; j < i; j++) {
			/* of one command, that is */
			if ((option_table[i].takers & option_table[j].takers) ==
			    0)
				continue;
			assert_string_not_equal(option_table[i].name,
						option_table[j].name);
			assert_true(option_table[i].letter == 0 ||
				    option_table[i].letter !=
					    option_table[j].letter);
		}
	}
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

static void
test_actions_take_their_operands_and_options(void **state)
{
	parses("window f remove x");
	assert_int_equal(given.action, ACTION_WINDOW_REMOVE);
	refuses("window", "BALE-CLI-004 window needs FILE ACTION; see: bale "
			  "help window");
	refuses("window f pin", "BALE-CLI-004 pin needs an ID; see: bale help");
	refuses("window f pin a b", "pin takes no more than 1 argument;");
	refuses("window f list x", "list takes no arguments;");
	refuses("unpack", "BALE-CLI-004 unpack needs a FILE; see: bale help");
	refuses("window f list --content x",
		"--content is not an option of window list");
	refuses("rounds compress --round 1",
		"--round is not an option of rounds compress");
	parses("window f add --content= --max-tokens 5k");
	assert_string_equal(given.window.content, "");
	assert_int_equal(given.window.max_tokens, 5000);
	assert_int_equal(given.window.priority, 50);
}

static void
test_option_variable_is_the_name_in_capitals(void **state)
{
	char name[64];

	assert_string_equal(
		option_variable(name, sizeof(name),
				&option_table[OPTION_MAX_FILE_SIZE]),
		"BALE_MAX_FILE_SIZE");
}

static void
test_edit_distance_counts_slips_of_the_finger(void **state)
{
	static const struct {
		const char *a;
		const char *b;
		unsigned want;
	} rows[] = {
		{ "", "", 0 },
		{ "abc", "abc", 0 },
		{ "abc", "", 3 },
		{ "budget", "bugdet", 1 },
		{ "pack", "pakc", 1 },
		{ "kitten", "sitting", 3 },
		{ "workers", "worker", 1 },
		{ "a", "b", 1 },
	};
	char longer[100];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		assert_int_equal(edit_distance(rows[i].a, rows[i].b),
				 rows[i].want);
		assert_int_equal(edit_distance(rows[i].b, rows[i].a),
				 rows[i].want);
	}
	memset(longer, 'x', sizeof(longer) - 1);
	longer[sizeof(longer) - 1] = '\0';
	assert_int_equal(edit_distance(longer, "x"), 64);
}

static void
write_file(const char *dir, const char *name, const char *text)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "we");
	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

static void
test_cgroup_quota_is_the_least_on_the_way_up(void **state)
{
	const char *scratch = getenv("TMPDIR");
	char dir[256];
	char group[512];

	snprintf(dir, sizeof(dir), "%s/bale-cgroup.XXXXXX",
		 scratch == NULL ? "/tmp" : scratch);
	assert_non_null(mkdtemp(dir));
	assert_int_equal(cgroup_cpu_quota(dir, "/a/b"), 0);
	snprintf(group, sizeof(group), "%s/a", dir);
	assert_int_equal(mkdir(group, 0755), 0);
	write_file(dir, "a/cpu.max", "150000 100000\n");
	assert_int_equal(cgroup_cpu_quota(dir, "/a/gone"), 2);
	assert_int_equal(cgroup_cpu_quota(dir, "/"), 0);
	write_file(dir, "cpu.max", "50000 100000\n");
	assert_int_equal(cgroup_cpu_quota(dir, "/a"), 1);
	write_file(dir, "cpu.max", "max 100000\n");
	assert_int_equal(cgroup_cpu_quota(dir, "/a"), 2);
	write_file(dir, "a/cpu.max", "1000000000 1000\n");
	assert_int_equal(cgroup_cpu_quota(dir, "/a"), LANES_MAX);
	snprintf(group, sizeof(group), "%s/a/cpu.max", dir);
	unlink(group);
	write_file(dir, "a/cpu.cfs_quota_us", "-1\n");
	write_file(dir, "a/cpu.cfs_period_us", "100000\n");
	assert_int_equal(cgroup_cpu_quota(dir, "/a"), 0);
	write_file(dir, "a/cpu.cfs_quota_us", "300000\n");
	assert_int_equal(cgroup_cpu_quota(dir, "/a"), 3);
	snprintf(group, sizeof(group), "%s/a/cpu.cfs_quota_us", dir);
	unlink(group);
	snprintf(group, sizeof(group), "%s/a/cpu.cfs_period_us", dir);
	unlink(group);
	snprintf(group, sizeof(group), "%s/cpu.max", dir);
	unlink(group);
	snprintf(group, sizeof(group), "%s/a", dir);
	rmdir(group);
	rmdir(dir);
}

static void
test_options_cpu_nr_is_a_sensible_number(void **state)
{
	assert_in_range(options_cpu_nr(), 1, LANES_MAX);
}

#define TEST(name) \
	cmocka_unit_test_setup_teardown(test_##name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(options_of_a_bare_pack_are_the_defaults),
		TEST(options_each_in_its_long_form_is_understood),
		TEST(options_in_short_form_combine),
		TEST(options_numbers_are_read_by_their_unit),
		TEST(options_bad_values_are_named_with_what_is_allowed),
		TEST(options_unknown_ones_suggest_the_nearest),
		TEST(options_prefixes_of_names_are_refused),
		TEST(options_escape_what_they_repeat),
		TEST(options_reserves_that_leave_nothing_are_an_error),
		TEST(options_that_exclude_each_other_are_refused_with_a_reason),
		TEST(options_chunks_by_structure_lines_or_tokens),
		TEST(options_all_lifts_the_limit_of_a_file),
		TEST(options_command_line_beats_environment_beats_default),
		TEST(options_bad_environment_is_named),
		TEST(options_help_is_requested_for_in_many_ways),
		TEST(help_names_every_option_and_command_in_79_columns),
		TEST(help_to_a_full_disk_is_an_error),
		TEST(table_has_no_name_twice),
		TEST(choices_are_in_the_order_of_their_enums),
		TEST(values_of_closed_sets_suggest_the_nearest),
		TEST(actions_take_their_operands_and_options),
		TEST(option_variable_is_the_name_in_capitals),
		TEST(edit_distance_counts_slips_of_the_finger),
		TEST(cgroup_quota_is_the_least_on_the_way_up),
		TEST(options_cpu_nr_is_a_sensible_number),
	};

	return cmocka_run_group_tests_name("supervisor/options", tests, NULL,
					   NULL);
}
