/* SPDX-License-Identifier: MIT */
/*
 * cmd_rounds.c - `bale rounds compress` and `bale rounds usage`.
 */
#include "cli/command_line.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/stream.h"
#include "cli/conversation.h"
#include "base/exit_code.h"
#include "base/fd_io.h"
#include "base/nearest.h"
#include "window/rounds.h"

#define NOT_THERE "`record` makes one"

static int
print_block(const struct command_line *line, const struct rounds_block *block)
{
	if (line->run.json)
		return conversation_print(
			rounds_block_json(block, line->rounds.max_tokens));
	fwrite(block->text, 1, block->text_bytes, stdout);
	return stream_finish_stdout();
}

/* A conversation is the round that its newest answer has. */
static int
find_round(char **text, size_t *bytes, struct window_error *error)
{
	char *round;
	int result;

	if (!rounds_is_conversation(*text, *bytes))
		return 0;
	result = rounds_find(*text, *bytes, &round, error);
	if (result != 0)
		return result;
	free(*text);
	*text = round;
	*bytes = strlen(round);
	return 0;
}

static int
compress(const struct command_line *line)
{
	const struct rounds_args *args = &line->rounds;
	struct window_error error;
	struct rounds_block block;
	char *text;
	size_t bytes;
	int code;
	int result = fd_read_all(STDIN_FILENO, ROUNDS_BYTES_MAX, &text, &bytes);

	if (result != 0)
		return exit_with(conversation_exit_code(result),
				 "BALE-RND-003 the round cannot be read: %s",
				 diag_errno(result));
	conversation_drop_mark(text, &bytes);
	code = conversation_clean(
		&(struct conversation_secrets){
			.mode = line->run.pack.secrets,
			.name = "stdin",
		},
		true, &text, &bytes);
	if (code != EXIT_COMPLETE) {
		free(text);
		return code;
	}
	result = find_round(&text, &bytes, &error);
	if (result == 0)
		result = rounds_compress(
			text, bytes,
			&(struct rounds_limit){ args->encoding,
						args->max_tokens },
			&block, &error);
	free(text);
	if (result != 0)
		return conversation_fail(result, &error);
	if (block.estimated)
		diag_log(DIAG_WARN, "BALE-RND-006 the vocabulary in this "
				    "program is damaged (checksum): tokens "
				    "are estimates; install bale again");
	code = print_block(line, &block);
	rounds_block_free(&block);
	return code;
}

static int
record(const char *path, const struct rounds_usage *usage)
{
	struct window_error error;
	int result = rounds_record(path, usage, &error);

	if (result != 0)
		return conversation_fail_about(result, path, NOT_THERE, &error);
	if (rounds_is_near_limit(usage))
		diag_log(DIAG_WARN,
			 "BALE-RND-005 round %ju: %.0f%% of the token budget "
			 "used (%ju of %ju tokens), %lld remain",
			 usage->round,
			 100.0 * (double)usage->input_tokens /
				 (double)usage->budget_tokens,
			 usage->input_tokens, usage->budget_tokens,
			 (long long)usage->budget_tokens -
				 (long long)usage->input_tokens);
	return EXIT_COMPLETE;
}

static int
report(const struct command_line *line, const char *path)
{
	struct window_error error;
	char *text;
	int result =
		rounds_report(path, line->run.json ? ROUNDS_JSON : ROUNDS_TABLE,
			      &text, &error);

	if (result != 0)
		return conversation_fail_about(result, path, NOT_THERE, &error);
	if (line->run.json)
		return conversation_print(text);
	fputs(text, stdout);
	free(text);
	return stream_finish_stdout();
}

static int
usage(const struct command_line *line)
{
	const char *path = line->run.operands.items[1];
	const char *what = line->run.operands.items[2];
	struct nearest nearest = { .word = what };

	if (strcmp(what, "record") == 0)
		return record(path, &line->rounds.usage);
	if (strcmp(what, "report") == 0)
		return report(line, path);
	nearest_try(&nearest, "record", 0);
	nearest_try(&nearest, "report", 0);
	return exit_with(
		EXIT_USAGE,
		"BALE-CLI-001 unknown action %s of rounds usage: expected one "
		"of record, report%s",
		WORD_QUOTED(what), HINT(&nearest, ""));
}

int
cmd_rounds(struct command_line *line)
{
	return line->action == ACTION_ROUNDS_COMPRESS ? compress(line)
						      : usage(line);
}
