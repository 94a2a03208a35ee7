/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_install.c - the server in the configurations of clients.
 */
#include "tests/support/test_command.h"

#include <jansson.h>

#include "cli/mcp.h"

static int
set_up(void **state)
{
	return command_set_up(state) != 0 || setenv("HOME", ".", 1) != 0;
}

/* The entry at `key` of what a run has printed or written. */
static json_t *
entry_at(const char *text, const char *key)
{
	json_t *all = json_loads(text, 0, NULL);
	json_t *entry = json_incref(
		json_object_get(json_object_get(all, key), "bale"));

	assert_non_null(entry);
	json_decref(all);
	return entry;
}

static void
test_mcp_install_prints_an_entry_for_each_client(void **state)
{
	static const struct {
		const char *name;
		const char *key;
	} rows[] = {
		{ "claude-code", "mcpServers" },
		{ "claude-desktop", "mcpServers" },
		{ "cursor", "mcpServers" },
		{ "gemini", "mcpServers" },
		{ "vscode", "servers" },
		{ "windsurf", "mcpServers" },
		{ "zed", "context_servers" },
	};
	char root[PATH_MAX];

	assert_non_null(realpath(".", root));
	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		char words[256];
		json_t *entry;
		const json_t *args;

		snprintf(words, sizeof(words),
			 "mcp --root . --model gpt-4o --install %s",
			 rows[i].name);
		ASSERT_RUN(cmd_mcp, words, "", EXIT_COMPLETE, "bale: goes into ");
		entry = entry_at(command_out, rows[i].key);
		args = json_object_get(entry, "args");
		assert_int_equal(json_string_value(json_object_get(
					 entry, "command"))[0],
				 '/');
		assert_int_equal(json_array_size(args), 4);
		assert_string_equal(
			json_string_value(json_array_get(args, 2)), root);
		json_decref(entry);
	}
	ASSERT_RUN(cmd_mcp, "mcp --root . --install codex", "", EXIT_COMPLETE,
		   "./.codex/config.toml; --write adds it");
	ASSERT_SAYS("[mcp_servers.bale]\ncommand = \"/");
	ASSERT_SAYS("args = [\"mcp\", \"--root\", \"/");
	ASSERT_RUN(cmd_mcp, "mcp --root . --install none", "", EXIT_USAGE,
		   "unknown client none: expected one of claude-code, ");
}

static void
test_mcp_install_keeps_what_is_in_the_file(void **state)
{
	json_t *entry;
	json_t *all;
	const char *text;

	ASSERT_RUN(cmd_mcp, "mcp --root . --install cursor --write", "",
		   EXIT_OUTPUT, "./.cursor/mcp.json: No such file");
	ASSERT_EQ(mkdir(".cursor", 0755), 0);
	ASSERT_RUN(cmd_mcp, "mcp --root . --install cursor --write", "",
		   EXIT_COMPLETE, "");
	assert_string_equal(command_out, "");
	dir_write(".cursor/mcp.json",
		  "{\"a\":1,\"mcpServers\":{\"x\":{\"command\":\"y\"},"
		  "\"bale\":{\"command\":\"old\"}}}");
	ASSERT_RUN(cmd_mcp, "mcp --root . --install cursor --write", "",
		   EXIT_COMPLETE, "");
	text = dir_read(".cursor/mcp.json");
	entry = entry_at(text, "mcpServers");
	assert_string_not_equal(
		json_string_value(json_object_get(entry, "command")), "old");
	json_decref(entry);
	all = json_loads(text, 0, NULL);
	assert_int_equal(json_integer_value(json_object_get(all, "a")), 1);
	assert_non_null(json_object_get(json_object_get(all, "mcpServers"),
					"x"));
	json_decref(all);
	dir_write(".cursor/mcp.json", "{ // mine\n}");
	ASSERT_RUN(cmd_mcp, "mcp --root . --install cursor --write", "",
		   EXIT_USAGE, "not an object of plain JSON; add by hand");
	assert_string_equal(dir_read(".cursor/mcp.json"), "{ // mine\n}");
	dir_write(".cursor/mcp.json", "{\"mcpServers\":[]}");
	ASSERT_RUN(cmd_mcp, "mcp --root . --install cursor --write", "",
		   EXIT_USAGE, "not an object of plain JSON");
}

static void
test_mcp_install_adds_to_toml_once_and_to_no_tree(void **state)
{
	const char *text;

	ASSERT_EQ(mkdir(".codex", 0755), 0);
	dir_write(".codex/config.toml", "model = \"o\"\n");
	ASSERT_RUN(cmd_mcp, "mcp --root . --install codex --write", "",
		   EXIT_COMPLETE, "");
	text = dir_read(".codex/config.toml");
	assert_memory_equal(text, "model = \"o\"\n\n[mcp_servers.bale]\n", 32);
	ASSERT_RUN(cmd_mcp, "mcp --root . --install codex --write", "",
		   EXIT_USAGE, "it has bale already");
	ASSERT_RUN(cmd_mcp, "mcp --root . --install claude-code --write", "",
		   EXIT_COMPLETE, "");
	ASSERT_RUN(cmd_mcp, "mcp --root . --install claude-code --write", "",
		   EXIT_USAGE, ".mcp.json is there, and part of a source tree");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_mcp_install_prints_an_entry_for_each_client,
			set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_mcp_install_keeps_what_is_in_the_file, set_up,
			dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_mcp_install_adds_to_toml_once_and_to_no_tree,
			set_up, dir_tear_down),
	};

	return cmocka_run_group_tests_name("cli/mcp_install", tests, NULL, NULL);
}
