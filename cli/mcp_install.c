/* SPDX-License-Identifier: MIT */
/*
 * mcp_install.c - `bale mcp --install`: what a client has to know of the server.
 *
 * Does: prints the entry for the client's configuration; with --write adds it.
 * Does not: make directories; change a file that it does not understand, or
 *           one of a source tree.
 */
#include "cli/mcp.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/exit_code.h"
#include "base/fd_io.h"
#include "base/replace_file.h"
#include "window/json_text.h"

#define SETTINGS_MAX (16u << 20)
#define TOML_TABLE "[mcp_servers.bale]"

/* By name. */
static const struct client {
	const char *name;
	const char *file; /* in the home directory; or in the first root */
	const char *key;  /* of an object of servers; NULL: it is TOML */
	bool is_of_root;
	bool has_type; /* an entry says that it is stdio */
} clients[] = {
	{ "claude-code", ".mcp.json", "mcpServers", true, true },
	{ "claude-desktop", ".config/Claude/claude_desktop_config.json",
	  "mcpServers", false, false },
	{ "codex", ".codex/config.toml", NULL, false, false },
	{ "cursor", ".cursor/mcp.json", "mcpServers", false, false },
	{ "gemini", ".gemini/settings.json", "mcpServers", false, false },
	{ "vscode", ".config/Code/User/mcp.json", "servers", false, true },
	{ "windsurf", ".codeium/windsurf/mcp_config.json", "mcpServers", false,
	  false },
	{ "zed", ".config/zed/settings.json", "context_servers", false, false },
};

static const struct client *
client_named(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(clients); i++)
		if (strcmp(name, clients[i].name) == 0)
			return &clients[i];
	return NULL;
}

/* Words of the command that starts this server again. */
static json_t *
words_of(const struct mcp_scope *scope)
{
	json_t *words = json_pack("[s]", "mcp");

	for (size_t i = 0; i < scope->root_nr; i++) {
		json_array_append_new(words, json_string("--root"));
		json_array_append_new(words, json_string(scope->roots[i]));
	}
	if (scope->encoding != NULL)
		json_array_append_new(
			words, json_sprintf("--encoding=%s", scope->encoding));
	if (scope->model != NULL)
		json_array_append_new(words,
				      json_sprintf("--model=%s", scope->model));
	if (scope->is_structured)
		json_array_append_new(words, json_string("--structured"));
	if (scope->cache != SURVEY_CACHE_AUTO)
		json_array_append_new(words,
				      json_string(mcp_cache_word(scope)));
	return words;
}

/* The entry of the server. NULL: a path is not UTF-8, or no memory. */
static json_t *
entry_of(const struct client *client, const struct mcp_scope *scope)
{
	char program[PATH_MAX];
	ssize_t bytes =
		readlink("/proc/self/exe", program, sizeof(program) - 1);
	json_t *entry = json_object();

	if (bytes <= 0)
		bytes = snprintf(program, sizeof(program), "bale");
	program[bytes] = '\0';
	if (client->has_type)
		json_object_set_new(entry, "type", json_string("stdio"));
	if (json_object_set_new(entry, "command", json_string(program)) != 0 ||
	    json_object_set_new(entry, "args", words_of(scope)) != 0 ||
	    json_array_size(json_object_get(entry, "args")) <
		    1 + 2 * scope->root_nr) {
		json_decref(entry);
		return NULL;
	}
	return entry;
}

/* An entry of TOML, behind what there is. A string of JSON, and an array of such,
 * are TOML as well. Owner: free(); NULL: there is one, or no memory. */
static char *
toml_text(const json_t *entry, const char *old)
{
	char *command =
		json_dumps(json_object_get(entry, "command"), JSON_ENCODE_ANY);
	char *words = json_dumps(json_object_get(entry, "args"), 0);
	bool is_there = old != NULL && strstr(old, TOML_TABLE) != NULL;
	char *text = NULL;

	if (is_there || command == NULL || words == NULL ||
	    asprintf(&text, "%s%s" TOML_TABLE "\ncommand = %s\nargs = %s\n",
		     old == NULL ? "" : old,
		     old == NULL || *old == '\0' ? "" : "\n", command,
		     words) < 0)
		text = NULL;
	free(command);
	free(words);
	return text;
}

/* The same in an object of JSON; NULL: what there is is none. */
static char *
merged_text(const char *key, json_t *entry, const char *old)
{
	json_t *all = old == NULL
			      ? json_object()
			      : json_loads(old, JSON_REJECT_DUPLICATES, NULL);
	json_t *servers = json_object_get(all, key);
	char *dumped = NULL;
	char *text = NULL;

	if (json_is_object(all) && servers == NULL) {
		servers = json_object();
		json_object_set_new(all, key, servers);
	}
	if (json_object_set(servers, "bale", entry) == 0)
		dumped = json_text(all, JSON_INDENT(2));
	if (dumped != NULL && asprintf(&text, "%s\n", dumped) < 0)
		text = NULL;
	free(dumped);
	json_decref(all);
	return text;
}

/* What is printed; or, with what is in the file now, all that it is to have. */
static char *
text_of(const struct client *client, json_t *entry, const char *old)
{
	return client->key == NULL ? toml_text(entry, old)
				   : merged_text(client->key, entry, old);
}

static int
write_text(void *text, int fd)
{
	return fd_write_all(fd, text, strlen(text));
}

/* Adds the entry to the client's file. */
static int
write_entry(const struct client *client, json_t *entry, const char *path)
{
	char *old = NULL;
	size_t bytes;
	char *text;
	int error = file_read_all(path, SETTINGS_MAX, &old, &bytes);

	if (error != 0 && error != -ENOENT)
		return exit_cannot_write(path, error);
	if (client->is_of_root && error == 0) {
		free(old);
		return exit_with(EXIT_USAGE,
				 "%s is there, and part of a source tree: add "
				 "by hand what bale mcp --install prints",
				 QUOTED(path));
	}
	text = text_of(client, entry, old);
	free(old);
	if (text == NULL)
		return exit_with(EXIT_USAGE,
				 "%s: %s; add by hand what bale mcp --install "
				 "prints",
				 QUOTED(path),
				 client->key == NULL
					 ? "it has bale already"
					 : "it is not an object of plain JSON");
	error = replace_file_at_last(path, write_text, text);
	free(text);
	return exit_cannot_write(path, error);
}

int
mcp_install(const struct mcp_scope *scope, const char *name, bool writes)
{
	const struct client *client = client_named(name);
	const char *base = getenv("HOME");
	json_t *entry;
	char *path = NULL;
	char *text;
	int code;

	if (client == NULL)
		return exit_with(EXIT_USAGE,
				 "BALE-CLI-002 --install: unknown client %s: "
				 "expected one of " MCP_CLIENTS,
				 WORD_QUOTED(name));
	if (client->is_of_root)
		base = scope->roots[0];
	if (base == NULL || asprintf(&path, "%s/%s", base, client->file) < 0)
		return exit_with(EXIT_USAGE, "HOME is not set");
	entry = entry_of(client, scope);
	text = entry == NULL ? NULL : text_of(client, entry, NULL);
	if (text == NULL) {
		code = exit_with(EXIT_USAGE, "a root is not UTF-8");
	} else if (writes) {
		code = write_entry(client, entry, path);
	} else {
		code = exit_cannot_write(
			NULL, fd_write_all(STDOUT_FILENO, text, strlen(text)));
		dprintf(STDERR_FILENO, "bale: goes into %s; --write adds it\n",
			QUOTED(path));
	}
	free(text);
	free(path);
	json_decref(entry);
	return code;
}
