/* SPDX-License-Identifier: MIT */
/*
 * cmd_mcp.c - `bale mcp`: what the server is to serve, and begins with.
 */
#include "cli/mcp.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/exit_code.h"
#include "base/user_file.h"
#include "supervisor/encoding.h"
#include "supervisor/sandbox.h"
#include "supervisor/survey_dir.h"

static struct {
	struct mcp_scope scope;
	struct text_list roots; /* copies */
	char *encoding;         /* its name, or its file's */
} started;

static int
add_root(const char *path)
{
	char *real = realpath(path, NULL);
	struct stat st;

	if (real == NULL || stat(real, &st) != 0 || !S_ISDIR(st.st_mode)) {
		free(real);
		return exit_with(EXIT_USAGE, "--root %s: %s", QUOTED(path),
				 real == NULL ? diag_errno(errno)
					      : "not a directory");
	}
	if (text_list_add(&started.roots, real) != 0)
		return exit_out_of_memory();
	return EXIT_COMPLETE;
}

static int
find_roots(const struct text_list *named)
{
	char dir[PATH_MAX];
	int code = EXIT_COMPLETE;

	for (size_t i = 0; i < named->nr && code == EXIT_COMPLETE; i++)
		code = add_root(named->items[i]);
	if (named->nr > 0)
		return code;
	if (getcwd(dir, sizeof(dir)) == NULL)
		return exit_with(EXIT_USAGE, "the current directory: %s",
				 diag_errno(errno));
	if (strcmp(dir, "/") == 0)
		return exit_with(EXIT_USAGE,
				 "BALE-CLI-005 bale mcp was started in /, and "
				 "would serve all of this machine; name what "
				 "it is to serve: bale mcp --root DIR");
	return add_root(dir);
}

/* They are about the commands that calls run, which have words of their own. */
static void
clear_environment(void)
{
	char name[64];

	for (int i = 0; i < OPTION_NR; i++)
		if (option_table[i].name != NULL)
			unsetenv(option_variable(name, sizeof(name),
						 &option_table[i]));
}

/* What answers are counted with; what calls hand on to their commands. */
static int
open_encoding(struct command_line *line)
{
	struct mcp_scope *scope = &started.scope;
	const char *name = line->run.encoding;
	int code = encoding_open(&scope->tokenizer, &scope->margin_percent,
				 &line->run);

	if (code != EXIT_COMPLETE)
		return code;
	started.encoding =
		encoding_is_file(name) ? realpath(name, NULL) : strdup(name);
	if (started.encoding == NULL)
		return exit_out_of_memory();
	scope->model = line->run.model;
	/* a model has its own */
	if (scope->model == NULL || line->from[OPTION_ENCODING] > FROM_MODEL)
		scope->encoding = started.encoding;
	return EXIT_COMPLETE;
}

/* Where surveys of calls are kept; NULL: they are not. A directory that cannot
 * be had is no failure of the server. */
static const char *
cache_dir(void)
{
	static char dir[PATH_MAX];
	char below[PATH_MAX + 8];
	int error;

	if (started.scope.cache == SURVEY_CACHE_OFF)
		return NULL;
	error = survey_dir_path(dir, sizeof(dir));
	if (error == 0) {
		snprintf(below, sizeof(below), "%s/survey", dir);
		error = user_file_make_parents(below);
	}
	if (error == 0)
		return dir;
	diag_log(started.scope.cache == SURVEY_CACHE_AUTO ? DIAG_INFO
							  : DIAG_WARN,
		 "--cache: %s; nothing is kept", diag_errno(error));
	started.scope.cache = SURVEY_CACHE_OFF;
	return NULL;
}

/* Confined, until its input ends. */
static int
serve(void)
{
	const char *dir = cache_dir();
	int code = sandbox_enter_server(started.scope.sandbox_layers, dir);

	if (code == EXIT_COMPLETE) {
		clear_environment();
		code = exit_cannot_write(NULL, mcp_serve(&started.scope));
	}
	return code;
}

int
cmd_mcp(struct command_line *line)
{
	int code = find_roots(&line->mcp.roots);

	started.scope = (struct mcp_scope){
		.roots = started.roots.items,
		.root_nr = started.roots.nr,
		.result_tokens = line->mcp.result_tokens,
		.memory_bytes = line->mcp.memory_bytes / MCP_CALLS_MAX,
		.is_structured = line->mcp.is_structured,
		.cache = line->run.cache,
		.cache_limit_bytes = line->run.cache_limit_bytes,
		.sandbox_layers = line->run.sandbox_layers,
		.sandbox = line->run.pack.sandbox,
	};
	if (code == EXIT_COMPLETE)
		code = open_encoding(line);
	if (code == EXIT_COMPLETE && line->mcp.client != NULL)
		code = mcp_install(&started.scope, line->mcp.client,
				   line->mcp.writes_client);
	else if (code == EXIT_COMPLETE)
		code = serve();
	free(started.encoding);
	text_list_free(&started.roots);
	return code;
}
