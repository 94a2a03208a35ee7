/* SPDX-License-Identifier: MIT */
/*
 * mcp_command.c - a command of bale for a call: its paths, its words, and a
 *                 process of its own that runs it.
 */
#include "cli/mcp.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/absolute_path.h"
#include "base/child_process.h"
#include "base/diag.h"
#include "base/exit_code.h"
#include "base/fd_io.h"
#include "base/nearest.h"
#include "cli/command_child.h"
#include "supervisor/sandbox.h"

/* ---- paths -------------------------------------------------------------- */

/* The same path without links, but for a link that it ends in and that leads to
 * no directory: pack says that it follows none. NULL: there is none. */
static char *
resolve(const char *path)
{
	char dir[PATH_MAX];
	char *real = NULL;
	char *joined = NULL;
	struct stat st;
	const char *slash = strrchr(path, '/');

	if (stat(path, &st) == 0 && S_ISDIR(st.st_mode))
		return realpath(path, NULL);
	if (lstat(path, &st) != 0 || slash == NULL ||
	    (size_t)(slash - path) + 1 >= sizeof(dir))
		return NULL;
	snprintf(dir, sizeof(dir), "%.*s", (int)(slash - path) + 1, path);
	real = realpath(dir, NULL);
	if (real != NULL &&
	    asprintf(&joined, "%s%s", real[1] == '\0' ? "" : real, slash) < 0)
		joined = NULL;
	free(real);
	return joined;
}

static int
is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* "; did you mean NAME?" of an entry of the directory that a path names; "". */
static void
hint_at(const struct mcp_scope *scope, const char *path, char *out, size_t size)
{
	const char *slash = strrchr(path, '/');
	struct nearest nearest = { .word = slash == NULL ? path : slash + 1 };
	struct dirent **entries = NULL;
	char *joined = NULL;
	char *real = NULL;
	int nr = -1;

	*out = '\0';
	if (asprintf(&joined, "%s/%.*s", *path == '/' ? "" : scope->roots[0],
		     slash == NULL ? 0 : (int)(slash - path), path) < 0)
		return;
	real = realpath(joined, NULL);
	if (real != NULL && absolute_path_holds(scope->roots[0], real))
		nr = scandir(real, &entries, is_shown, alphasort);
	for (int i = 0; i < nr; i++)
		nearest_try(&nearest, entries[i]->d_name, 0);
	if (nearest.found != NULL)
		snprintf(out, size, "; did you mean %s?",
			 WORD_QUOTED(nearest.found));
	for (int i = 0; i < nr; i++)
		free(entries[i]);
	free(entries);
	free(real);
	free(joined);
}

/* A path at a root, without links; NULL: none, or none below any root. */
static char *
resolve_below(const struct mcp_scope *scope, const char *root, const char *path)
{
	char *joined = NULL;
	char *real;

	if (asprintf(&joined, "%s/%s", root, path) < 0)
		return NULL;
	real = resolve(joined);
	free(joined);
	for (size_t k = 0; real != NULL && k < scope->root_nr; k++)
		if (absolute_path_holds(scope->roots[k], real))
			return real;
	free(real);
	return NULL;
}

/* What is left of a path that has directories before it that are none of the
 * tree: a/ of a diff, the name of the repository, where it lies elsewhere. NULL:
 * nothing. */
static const char *
path_at_root(const struct mcp_scope *scope, const char *path)
{
	const char *rest = path;

	while ((rest = strchr(rest, '/')) != NULL && *++rest != '\0') {
		char *real = resolve_below(scope, scope->roots[0], rest);
		bool is_there = real != NULL;

		free(real);
		if (is_there)
			return rest;
	}
	return NULL;
}

char *
mcp_path_below(const struct mcp_scope *scope, const char *path, char *why,
	       size_t size)
{
	char hint[DIAG_QUOTED_BYTES + 48] = "";
	const char *rest;

	for (size_t i = 0; i < scope->root_nr; i++) {
		char *real = resolve_below(
			scope, *path == '/' ? "" : scope->roots[i], path);

		if (real != NULL)
			return real;
	}
	rest = path_at_root(scope, path);
	if (strpbrk(path, "*?") != NULL)
		snprintf(hint, sizeof(hint), "; include takes patterns");
	else if (rest != NULL)
		snprintf(hint, sizeof(hint), "; did you mean %s?",
			 WORD_QUOTED(rest));
	else
		hint_at(scope, path, hint, sizeof(hint));
	snprintf(why, size, "%s: there is no such path below %s%s%s",
		 WORD_QUOTED(path), QUOTED(scope->roots[0]),
		 scope->root_nr > 1 ? " or another root" : "",
		 *hint != '\0' ? hint : "; find finds a file by its name");
	return NULL;
}

/* ---- commands ----------------------------------------------------------- */

/* In the place of a shell's child. */
static _Noreturn void
be_command(const struct mcp_call *call, const struct text_list *words, int out,
	   int err)
{
	static struct command_line line;
	int code = EXIT_USAGE;

	command_child_begin(out, err);
	if (command_line_parse((int)words->nr, (char **)(uintptr_t)words->items,
			       &line) != 0) {
		diag_log(DIAG_ERROR, "%s", line.error);
	} else {
		line.run.totals_only = line.command == COMMAND_TREE;
		line.run.progress_fd = call->progress_fd;
		diag_init(STDERR_FILENO, line.run.log_level, false, "mcp");
		code = command_line_run(&line);
	}
	command_child_end(code);
}

/* Waits for the command and takes what it has printed. */
static int
take_output(struct helper *helper, int out_fd, int err_fd,
	    struct mcp_output *out)
{
	int status;
	int error = helper_wait(helper, &status);

	if (error != 0)
		return error;
	out->code = WIFEXITED(status) ? WEXITSTATUS(status)
				      : 128 + WTERMSIG(status);
	command_child_said(err_fd, out->said, sizeof(out->said));
	if (lseek(out_fd, 0, SEEK_SET) != 0)
		return -errno;
	return fd_read_all(out_fd, MCP_RESULT_MAX, &out->text, &out->bytes);
}

bool
mcp_call_confine(const struct mcp_call *call)
{
	return call->scope->sandbox_layers == 0 ||
	       sandbox_enter_command(call->scope->sandbox_layers, NULL, 0) == 0;
}

/* Runs a command of bale with these words, and then confines this process. */
static int
run(const struct mcp_call *call, const struct text_list *words,
    struct mcp_output *out)
{
	int out_fd = memfd_create("bale-mcp-out", MFD_CLOEXEC);
	int err_fd = memfd_create("bale-mcp-err", MFD_CLOEXEC);
	struct helper helper;
	int error = out_fd < 0 || err_fd < 0 ? -errno : 0;
	pid_t pid = 0;

	memset(out, 0, sizeof(*out));
	if (error == 0)
		pid = helper_fork(&helper, true);
	if (error == 0 && pid == 0)
		be_command(call, words, out_fd, err_fd);
	if (pid < 0)
		error = pid;
	if (error == 0)
		error = take_output(&helper, out_fd, err_fd, out);
	close(out_fd);
	close(err_fd);
	if (error == 0 && !mcp_call_confine(call))
		error = -EPERM;
	return error;
}

/* ---- words of a command ------------------------------------------------- */

void
mcp_words_add(struct mcp_words *words, const char *format, ...)
{
	va_list arguments;
	char *word = NULL;

	va_start(arguments, format);
	if (vasprintf(&word, format, arguments) < 0)
		word = NULL;
	va_end(arguments);
	if (word == NULL || text_list_add(&words->list, word) != 0) {
		free(word);
		words->error = -ENOMEM;
	}
}

void
mcp_words_begin(struct mcp_words *words, const struct mcp_call *call,
		const char *command)
{
	static const char *const modes[] = { "require", "auto", "off" };

	mcp_words_add(words, "bale");
	mcp_words_add(words, "%s", command);
	mcp_words_add(words, "--no-config");
	mcp_words_add(words, "--log-level=error");
	mcp_words_add(words, "--sandbox=%s", modes[call->scope->sandbox]);
	mcp_words_add(words, "--memory=%ju", call->scope->memory_bytes);
	if (call->scope->encoding != NULL)
		mcp_words_add(words, "--encoding=%s", call->scope->encoding);
	if (call->scope->model != NULL)
		mcp_words_add(words, "--model=%s", call->scope->model);
	mcp_words_add(words, "--paths=%s",
		      call->scope->root_nr > 1 ? "absolute" : "cwd");
}

const char *
mcp_cache_word(const struct mcp_scope *scope)
{
	static const char *const words[] = {
		[SURVEY_CACHE_OFF] = "--cache=off",
		[SURVEY_CACHE_ON] = "--cache=on",
		[SURVEY_CACHE_READ] = "--cache=read",
		[SURVEY_CACHE_VERIFY] = "--cache=verify",
		[SURVEY_CACHE_AUTO] = "--cache=auto",
	};

	return words[scope->cache];
}

/* ---- results ------------------------------------------------------------ */

/* What a command that failed has said. */
static json_t *
failed(const struct mcp_call *call, const struct mcp_output *out)
{
	if (out->code > 128)
		return mcp_tool_error(call->is_modern,
				      "the process of this call was killed by "
				      "signal %d",
				      out->code - 128);
	return mcp_tool_error(call->is_modern, "%s",
			      *out->said != '\0' ? out->said
						 : "the call failed");
}

json_t *
mcp_words_run(const struct mcp_call *call, struct mcp_words *words,
	      mcp_shape_fn *shape)
{
	struct mcp_output out = { .code = 0 };
	json_t *result = NULL;
	int error = words->error;

	if (*words->why != '\0') {
		result = mcp_tool_error(call->is_modern, "%s", words->why);
		goto done;
	}
	if (error == 0)
		error = run(call, &words->list, &out);
	if (error != 0)
		result = mcp_tool_error(call->is_modern, "the call failed: %s",
					diag_errno(error));
	else if (out.code == EXIT_COMPLETE || out.code == EXIT_DEGRADED ||
		 (out.code == EXIT_NOTHING && words->may_be_empty &&
		  strncmp(out.said, "nothing of", 10) == 0))
		result = shape(call, &out);
	else
		result = failed(call, &out);
	free(out.text);
done:
	text_list_free(&words->list);
	return result;
}
