/* SPDX-License-Identifier: MIT */
/*
 * window_add.c - `bale window FILE add`: an item, lines of items, a pack, or
 *                the messages of a conversation.
 */
#include "cli/window_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/exit_code.h"
#include "base/fd_io.h"
#include "cli/window_pack.h"

#define INPUT_BYTES_MAX (64ull << 20)
#define WITH_SECRETS \
	"the item has a secret, so it is not added (--secrets exclude)"

int
window_run_read(const struct window_run *run, char **text, size_t *bytes)
{
	const char *name = conversation_input_name(run->line);
	int result = fd_read_all(STDIN_FILENO, INPUT_BYTES_MAX, text, bytes);

	if (result == 0) {
		conversation_drop_mark(*text, bytes);
		return EXIT_COMPLETE;
	}
	if (result == -EFBIG)
		return exit_with(EXIT_USAGE,
				 "BALE-WIN-019 %s has more than %llu MiB",
				 QUOTED(name), INPUT_BYTES_MAX >> 20);
	return exit_with(result == -ENOMEM ? EXIT_RESOURCES : EXIT_USAGE,
			 "BALE-WIN-019 %s cannot be read: %s", QUOTED(name),
			 diag_errno(result));
}

/* With --secrets=exclude: whether an item is left out. */
static bool
is_left_out(const struct window_run *run)
{
	return run->secrets.mode == SECRETS_EXCLUDE &&
	       run->secrets.found_nr > 0;
}

/* An item of a line: an exit code that ends all. */
static int
add_line(struct window_run *run, const char *at, size_t nr, size_t line,
	 bool *is_added)
{
	struct window_error error = { .text = WITH_SECRETS };
	char *text = malloc(nr + 1);
	int code;

	*is_added = false;
	if (text == NULL)
		return exit_out_of_memory();
	memcpy(text, at, nr);
	run->secrets.line = line;
	code = conversation_clean_part(&run->secrets, true, &text, &nr);
	if (code == EXIT_COMPLETE) {
		*is_added = !is_left_out(run) &&
			    window_add_json(run->window, text, nr, NULL,
					    &error) == 0;
		if (!*is_added)
			diag_log(DIAG_WARN, "line %zu: %s", line, error.text);
	}
	free(text);
	/* the others are told of as well */
	run->has_secret |= code == EXIT_SECRET;
	return code == EXIT_SECRET ? EXIT_COMPLETE : code;
}

/* A line each; the file is left alone if one fails and --strict is given. */
static int
add_lines(struct window_run *run, char *text, size_t bytes)
{
	size_t added = 0;
	size_t failed = 0;
	size_t line = 0;

	for (char *at = text, *end = text + bytes; at < end;) {
		char *stop = memchr(at, '\n', (size_t)(end - at));
		bool is_added;
		int code;

		stop = stop != NULL ? stop : end;
		line++;
		if (stop > at) {
			code = add_line(run, at, (size_t)(stop - at), line,
					&is_added);
			if (code != EXIT_COMPLETE)
				return code;
			added += is_added;
			failed += !is_added;
		}
		at = stop + 1;
	}
	if (run->has_secret)
		return conversation_refuse_secrets();
	if (failed > 0 && run->line->window.strict)
		return exit_with(
			EXIT_USAGE,
			"BALE-WIN-019 %zu lines could not be added, so none "
			"was",
			failed);
	run->is_changed = added > 0;
	fprintf(run->out, "%zu\n", added);
	return failed > 0 ? EXIT_DEGRADED : EXIT_COMPLETE;
}

/* Messages of a conversation, all of them or none; prints how many. */
static int
add_messages(struct window_run *run, const struct window_item *item,
	     struct window_error *error)
{
	const struct window_messages messages = {
		.json = item->content,
		.bytes = item->content_bytes,
		.priority = item->priority,
		.pinned = item->pinned,
	};
	size_t added = 0;
	int result = window_add_messages(run->window, &messages, &added, error);

	if (result == 0)
		fprintf(run->out, "%zu\n", added);
	return result;
}

/* The same of a text of the command line. Owner: *out is the caller's: free();
 * NULL: there is none. */
static int
clean_option(struct window_run *run, const char *name, bool is_json,
	     const char *text, char **out)
{
	struct conversation_secrets secrets = { .mode = run->secrets.mode,
						.name = name };
	size_t bytes;
	int code;

	*out = NULL;
	if (text == NULL)
		return EXIT_COMPLETE;
	bytes = strlen(text);
	*out = strdup(text);
	if (*out == NULL)
		return exit_out_of_memory();
	code = conversation_clean(&secrets, is_json, out, &bytes);
	run->secrets.found_nr += secrets.found_nr;
	return code;
}

static int
add_cleaned(struct window_run *run, const struct window_item *item)
{
	const struct window_args *args = &run->line->window;
	struct window_error error;
	char id[WINDOW_ID_BYTES];
	int result;

	if (args->is_pack)
		result = window_pack_add(run->window, item, run->out, &error);
	else if (args->is_messages)
		result = add_messages(run, item, &error);
	else
		result = window_add(run->window, item, id, &error);
	if (result != 0)
		return conversation_fail(result, &error);
	run->is_changed = true;
	if (!args->is_pack && !args->is_messages)
		fprintf(run->out, "%s\n", id);
	return EXIT_COMPLETE;
}

static int
add_one(struct window_run *run, char **content, size_t bytes)
{
	const struct window_args *args = &run->line->window;
	struct window_item item = args->item;
	char *metadata = NULL;
	char *source = NULL;
	int code = conversation_clean(&run->secrets, args->is_messages, content,
				      &bytes);

	if (code == EXIT_COMPLETE)
		code = clean_option(run, "--metadata", true, item.metadata,
				    &metadata);
	if (code == EXIT_COMPLETE)
		code = clean_option(run, "--source", false, item.source_ref,
				    &source);
	if (code == EXIT_COMPLETE && is_left_out(run))
		code = exit_with(EXIT_DEGRADED, WITH_SECRETS);
	item.metadata = metadata;
	item.source_ref = source;
	item.content = *content;
	item.content_bytes = bytes;
	item.priority = (uint32_t)args->priority;
	if (code == EXIT_COMPLETE)
		code = add_cleaned(run, &item);
	free(metadata);
	free(source);
	return code;
}

int
window_run_add(struct window_run *run)
{
	const struct window_args *args = &run->line->window;
	const char *content = args->item.content;
	bool is_lines = args->jsonl;
	char *text = NULL;
	size_t bytes = 0;
	int code = EXIT_COMPLETE;

	if (is_lines + args->is_pack + args->is_messages > 1)
		return exit_with(EXIT_USAGE, "--jsonl, --pack or --messages: "
					     "the input is one of them");
	if (content != NULL && run->line->run.operands.nr > 2)
		return exit_with(EXIT_USAGE,
				 "--content or INPUT: an item has one text");
	if (content == NULL || is_lines) {
		code = window_run_read(run, &text, &bytes);
	} else {
		run->secrets.name = "--content";
		bytes = strlen(content);
		text = strdup(content);
		if (text == NULL)
			return exit_out_of_memory();
	}
	if (code != EXIT_COMPLETE)
		return code;
	code = is_lines ? add_lines(run, text, bytes)
			: add_one(run, &text, bytes);
	free(text);
	return code;
}
