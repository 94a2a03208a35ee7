/* SPDX-License-Identifier: MIT */
/*
 * The command line, the environment and the table of options.
 */
#include "tests/support/test_options.h"

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
		snprintf(line, sizeof(line), "verify --%s", prefix);
		refuses(line, is_option(prefix) ? "is not an option of verify"
						: "unknown option");
	}
}

static void
test_options_escape_what_they_repeat(void **state)
{
	refuses("pack --\033[2J", "unknown option \"--\\033[2J\"");
	refuses("pack --budget \a", "\"\\007\": expected");
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
	parses("window f add x");
	refuses("window f add x y", "add takes no more than 1 argument;");
	refuses("unpack", "BALE-CLI-004 unpack needs a FILE; see: bale help");
	refuses("window f list --content x",
		"--content is not an option of window list");
	refuses("rounds compress --round 1",
		"--round is not an option of rounds compress");
	parses("window f add --content= --max-tokens 5k");
	assert_string_equal(given.window.item.content, "");
	assert_int_equal(given.window.settings.max_tokens, 5000);
	assert_int_equal(given.window.priority, 50);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(options_of_a_bare_pack_are_the_defaults),
		TEST(options_each_in_its_long_form_is_understood),
		TEST(options_in_short_form_combine),
		TEST(options_unknown_ones_suggest_the_nearest),
		TEST(options_prefixes_of_names_are_refused),
		TEST(options_escape_what_they_repeat),
		TEST(options_command_line_beats_environment_beats_default),
		TEST(options_bad_environment_is_named),
		TEST(options_help_is_requested_for_in_many_ways),
		TEST(actions_take_their_operands_and_options),
	};

	return cmocka_run_group_tests_name("supervisor/options", tests, NULL,
					   NULL);
}
