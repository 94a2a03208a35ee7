/* SPDX-License-Identifier: MIT */
/*
 * test_cmd_config.c - what is configured, whether it is good, and a file to
 *                     start from.
 */
#include "tests/support/test_command.h"

#include "cli/command_line.h"

#define FILE_OPTION " --config c.yml"

static const json_t *
row_of(const json_t *all, const char *key)
{
	const json_t *rows = json_object_get(all, "values");

	for (size_t i = 0; i < json_array_size(rows); i++)
		if (strcmp(json_string_value(json_object_get(
				   json_array_get(rows, i), "key")),
			   key) == 0)
			return json_array_get(rows, i);
	fail_msg("no %s", key);
	return NULL;
}

/* One row of each origin and kind. */
static void
test_config_show_says_where_a_value_is_from(void **state)
{
	static const struct {
		const char *key;
		const char *want; /* parts of its row */
	} rows[] = {
		{ "context.budget.total_tokens",
		  "{\"value\":40000,\"from\":\"command line\","
		  "\"option\":\"--window\",\"environment\":\"BALE_WINDOW\"}" },
		{ "context.budget.response_reserve",
		  "{\"value\":100,\"from\":\"file\",\"line\":3,\"column\":23}" },
		{ "context.exclude",
		  "{\"value\":[\"a\",\"b\"],\"from\":\"environment\"}" },
		{ "context.formatting.line_numbers",
		  "{\"value\":true,\"from\":\"file\"}" },
		{ "context.dedup.overlap_threshold",
		  "{\"value\":0.8,\"from\":\"default\"}" },
		{ "context.formatting.format",
		  "{\"value\":\"markdown\",\"from\":\"default\"}" },
		{ "context.dedup.enabled",
		  "{\"value\":true,\"from\":\"default\"}" },
	};
	json_t *all;

	dir_write("c.yml", "context:\n  budget:\n    response_reserve: 100\n"
			   "  formatting: {line_numbers: yes}\n");
	setenv("BALE_EXCLUDE", "a\nb", 1);
	ASSERT_RUN(cmd_config, "config show --json --window 40k" FILE_OPTION,
		   NULL, EXIT_COMPLETE, "");
	unsetenv("BALE_EXCLUDE");
	all = command_json();
	assert_string_equal(json_string_value(json_object_get(all, "file")),
			    "c.yml");
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const json_t *row = row_of(all, rows[i].key);
		json_t *want = json_loads(rows[i].want, 0, NULL);
		const char *key;
		json_t *value;

		json_object_foreach(want, key, value)
		{
			json_t *got = json_object_get(row, key);

			if (!json_equal(got, value))
				fail_msg("%s: %s: got %s", rows[i].key, key,
					 json_dumps(got, JSON_ENCODE_ANY));
		}
		json_decref(want);
	}
	json_decref(all);
}

static void
test_config_show_is_a_line_for_each_key(void **state)
{
	size_t lines = 0;
	size_t keys = 0;

	dir_write("c.yml", "context:\n  budget:\n    total: 50000\n");
	ASSERT_RUN(cmd_config, "config show" FILE_OPTION, NULL, EXIT_COMPLETE,
		   "");
	ASSERT_SAYS("configuration file: c.yml\n");
	ASSERT_SAYS("\ncontext.budget.total_tokens                  50000"
		    "                file c.yml:3\n");
	for (const char *at = command_out; *at != '\0'; at++)
		lines += *at == '\n';
	for (int i = 0; i < OPTION_NR; i++)
		keys += option_table[i].key != NULL;
	ASSERT_EQ(lines, keys + 3);
}

static void
test_config_with_an_error_shows_nothing(void **state)
{
	dir_write("c.yml", "context:\n  budget:\n    total: much\n");
	ASSERT_RUN(cmd_config, "config show" FILE_OPTION, NULL, EXIT_USAGE,
		   "BALE-BUD-005 c.yml:3:12: context.budget.total: invalid "
		   "value much");
	ASSERT_OUT("");
	dir_write("c.yml", "");
	ASSERT_RUN(cmd_config,
		   "config show --budget 100 --reserve-response 100", NULL,
		   EXIT_USAGE, "leave nothing of a budget of 100");
}

static void
test_config_validate_adds_up_shares(void **state)
{
	dir_write("c.yml",
		  "context:\n  budget:\n    total: 10000\n"
		  "    response_reserve: 1000\n    system_reserve: 0\n"
		  "    categories: {tool_results: 75, references: 25}\n");
	ASSERT_RUN(cmd_config, "config validate" FILE_OPTION, NULL,
		   EXIT_COMPLETE, "");
	ASSERT_SAYS("Category percentages sum to 100%\n");
	ASSERT_SAYS("Total budget (10,000) > reserves (1,000)\n");
	ASSERT_SAYS("  - tool_results: 6,750 tokens (75%)\n"
		    "  - references: 2,250 tokens (25%)\n");
	dir_write("c.yml", "context:\n  budget:\n    categories:\n"
			   "      tool_results: 75\n      references: 20\n");
	ASSERT_RUN(cmd_config, "config validate" FILE_OPTION, NULL, EXIT_USAGE,
		   "");
	ASSERT_SAYS("Category percentages sum to 95% (expected 100%)\n"
		    "  - tool_results: 75%\n  - references: 20%\n"
		    "  Missing: 5%\n");
}

static void
test_config_validate_as_json_has_all_problems(void **state)
{
	json_t *got;
	json_t *want;

	dir_write("c.yml", "contxt: {}\nwindow: {max_tokens: x}\n");
	ASSERT_RUN(cmd_config, "config validate --json" FILE_OPTION, NULL,
		   EXIT_USAGE, "");
	got = command_json();
	want = json_pack("[[s,s,i,i],[s,s,i,i]]", "warning", "BALE-CFG-006", 1,
			 1, "error", "BALE-CFG-003", 2, 22);
	ASSERT_TRUE(json_is_false(json_object_get(got, "valid")));
	for (size_t i = 0; i < 2; i++) {
		const json_t *row =
			json_array_get(json_object_get(got, "problems"), i);
		json_t *four =
			json_pack("[O,O,O,O]", json_object_get(row, "severity"),
				  json_object_get(row, "code"),
				  json_object_get(row, "line"),
				  json_object_get(row, "column"));

		ASSERT_TRUE(json_equal(four, json_array_get(want, i)));
		json_decref(four);
	}
	json_decref(got);
	json_decref(want);
}

/* The file that init writes, with every key in force, changes no value. */
static void
test_config_init_writes_the_defaults(void **state)
{
	static char text[1u << 16];
	static char plain[COMMAND_OUT_BYTES];
	size_t nr = 0;
	FILE *file;
	int c;

	ASSERT_RUN(cmd_config, "config init", NULL, EXIT_COMPLETE, "");
	ASSERT_OUT(".agent/config.yml\n");
	ASSERT_RUN(cmd_config, "config init", NULL, EXIT_USAGE,
		   "already exists; left unchanged");
	/* a key is a # that no blank follows */
	file = fopen(".agent/config.yml", "re");
	while ((c = fgetc(file)) != EOF) {
		if (c == '#') {
			int next = fgetc(file);

			ungetc(next, file);
			if (next != ' ')
				continue;
		}
		text[nr++] = (char)c;
	}
	fclose(file);
	dir_write("c.yml", text);
	ASSERT_RUN(cmd_config, "config validate" FILE_OPTION, NULL,
		   EXIT_COMPLETE, "");
	ASSERT_RUN(cmd_config, "config show --no-config", NULL, EXIT_COMPLETE,
		   "");
	memcpy(plain, command_out, sizeof(plain));
	ASSERT_RUN(cmd_config, "config show" FILE_OPTION, NULL, EXIT_COMPLETE,
		   "");
	/* key and value of each row, behind the two headings */
	for (char *a = strstr(plain, "\ncontext."),
		  *b = strstr(command_out, "\ncontext.");
	     a != NULL && b != NULL;
	     a = strchr(a + 1, '\n'), b = strchr(b + 1, '\n'))
		if (strncmp(a, b, 60) != 0)
			fail_msg("got %.66s, want %.66s", b, a);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(config_show_says_where_a_value_is_from),
		COMMAND_TEST(config_show_is_a_line_for_each_key),
		COMMAND_TEST(config_with_an_error_shows_nothing),
		COMMAND_TEST(config_validate_adds_up_shares),
		COMMAND_TEST(config_validate_as_json_has_all_problems),
		COMMAND_TEST(config_init_writes_the_defaults),
	};

	return cmocka_run_group_tests_name("cli/cmd_config", tests, NULL, NULL);
}
