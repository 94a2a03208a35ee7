/* SPDX-License-Identifier: MIT */
/*
 * conversation.c - the frame of window, compact and rounds.
 */
#include "cli/conversation.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_code.h"
#include "base/fd_io.h"
#include "base/stream.h"
#include "base/utf8.h"
#include "cli/command_line.h"
#include "supervisor/sandbox.h"
#include "window/broker.h"

static struct broker_names names; /* the broker's as well */

/* The files and commands that the user has named. */
static void
name_outside(const struct command_line *line)
{
	const struct text_list *operands = &line->run.operands;

	switch (line->command) {
	case COMMAND_WINDOW:
		names.store = operands->items[0];
		names.reads_only = line->action == ACTION_WINDOW_LIST ||
				   line->action == ACTION_WINDOW_STATS ||
				   line->action == ACTION_WINDOW_SNAPSHOT;
		names.append = line->window.events;
		names.commands[0] = line->talk.summarizer;
		names.commands[1] = line->window.settings.commands.embedder;
		break;
	case COMMAND_COMPACT:
		names.store = line->compact.in_place;
		names.reads_only = line->compact.check;
		names.append = line->compact.record;
		names.commands[0] = line->talk.summarizer;
		names.commands[1] = line->compact.chat.hook_pre;
		names.commands[2] = line->compact.chat.hook_post;
		break;
	default:
		if (line->action != ACTION_ROUNDS_USAGE)
			break;
		names.store = operands->items[1];
		names.reads_only = strcmp(operands->items[2], "report") == 0;
		break;
	}
}

/* The file that an item or a snapshot is read from; NULL: stdin. */
static const char *
input_of(const struct command_line *line)
{
	const struct text_list *operands = &line->run.operands;
	bool takes_input = line->action == ACTION_WINDOW_ADD ||
			   line->action == ACTION_WINDOW_RESTORE;

	if (!takes_input || operands->nr <= 2 ||
	    strcmp(operands->items[2], "-") == 0)
		return NULL;
	return operands->items[2];
}

const char *
conversation_input_name(const struct command_line *line)
{
	const char *path = input_of(line);

	return path == NULL ? "stdin" : path;
}

int
conversation_open_input(const struct command_line *line)
{
	const char *path = input_of(line);
	int fd;

	if (path == NULL)
		return EXIT_COMPLETE;
	fd = fd_open_input(path);
	if (fd < 0 || dup2(fd, STDIN_FILENO) < 0)
		return exit_with(EXIT_USAGE, "BALE-WIN-019 %s: %s",
				 QUOTED(path),
				 fd_open_error(fd < 0 ? fd : -errno));
	close(fd);
	return EXIT_COMPLETE;
}

int
conversation_begin(const struct command_line *line)
{
	int error;

	name_outside(line);
	error = broker_begin(&names);
	if (error == 0)
		return EXIT_COMPLETE;
	return exit_with(EXIT_RESOURCES, "cannot fork: %s", diag_errno(error));
}

int
conversation_confine(const struct command_line *line)
{
	const struct sandbox_place store = { .path = names.store };

	return sandbox_enter_command(line->run.sandbox_layers, &store,
				     names.reads_only && store.path != NULL);
}

int
conversation_exit_code(int result)
{
	switch (result) {
	case 0:
		return EXIT_COMPLETE;
	case -E2BIG:
		return EXIT_FRAME;
	case -ENOMEM:
	case -ETIMEDOUT:
	case -EMFILE:
	case -ENFILE:
		return EXIT_RESOURCES;
	case -EIO:
	case -EROFS:
	case -EDQUOT:
	case -ENOSPC:
		return EXIT_OUTPUT;
	case -EPROTO:
		return EXIT_INTERNAL;
	default:
		return EXIT_USAGE;
	}
}

void
conversation_drop_mark(char *text, size_t *bytes)
{
	size_t nr = text == NULL ? 0 : utf8_mark_bytes(text, *bytes);

	if (nr == 0)
		return;
	*bytes -= nr;
	memmove(text, text + nr, *bytes);
	text[*bytes] = '\0';
}

int
conversation_fail(int result, const struct window_error *error)
{
	diag_log(DIAG_ERROR, "%s", error->text);
	return conversation_exit_code(result);
}

int
conversation_fail_about(int result, const char *path, const char *makers,
			const struct window_error *error)
{
	const char *text = error->text;
	size_t code = strcspn(text, " ");
	const char *quoted = WORD_QUOTED(path);

	if (result == -ENOENT && makers != NULL)
		diag_log(DIAG_ERROR, "%s; %s", text, makers);
	else if (strncmp(text, "BALE-", 5) != 0 || text[code] == '\0' ||
		 strncmp(text + code + 1, quoted, strlen(quoted)) == 0)
		diag_log(DIAG_ERROR, "%s", text);
	else
		diag_log(DIAG_ERROR, "%.*s %s:%s", (int)code, text, quoted,
			 text + code);
	return conversation_exit_code(result);
}

int
conversation_print(char *json)
{
	if (json == NULL)
		return exit_out_of_memory();
	puts(json);
	free(json);
	return stream_finish_stdout();
}
