/* SPDX-License-Identifier: MIT */
/*
 * conversation.h - shared by `bale window`, `compact` and `rounds`.
 *
 * Does: confines the process, with a broker outside that opens files and runs
 *       commands for it; logs errors.
 *       conversation_secrets.c replaces secrets in what comes in.
 *       conversation_input.c takes windows and rounds for messages.
 * Does not: read options (command_line.h).
 * Runs in: the supervisor, which starts no worker for these commands.
 */
#ifndef CLI_CONVERSATION_H
#define CLI_CONVERSATION_H

#include "cli/command_line.h"

/*
 * shape:  makes the file that an item or a snapshot is read from stdin, if one is
 *         named: an exit code, and an error is logged
 * calls:  once, before sandbox_begin(): nothing can be opened later
 */
int
conversation_open_input(const struct command_line *line);

/*
 * shape:  forks the broker, which knows the files and commands that the user
 *         named: an exit code
 * owner:  broker_end()
 * calls:  once, before sandbox_begin(), unless there is to be no sandbox
 */
int
conversation_begin(const struct command_line *line);

/*
 * shape:  confines the process, but for a file that it only reads: an exit code
 * calls:  main(), before the command
 */
int
conversation_confine(const struct command_line *line);

/* That file, as the user named it; "stdin". */
const char *
conversation_input_name(const struct command_line *line);

/* Drops a byte order mark, which editors put before JSON and no parser takes;
 * *text may be NULL. */
void
conversation_drop_mark(char *text, size_t *bytes);

/* Logs what a function of window/ returned: an exit code. */
int
conversation_fail(int result, const struct window_error *error);

/* The exit code for what a function of window/ returned. */
int
conversation_exit_code(int result);

/*
 * shape:  logs an error about a file: its code, the file, what is wrong; one
 *         that names the file already is logged as it is; makers: what makes
 *         the file where it is not there, NULL: nothing. The exit code.
 */
int
conversation_fail_about(int result, const char *path, const char *makers,
			const struct window_error *error);

/* Secrets in texts from one place, by --secrets. */
struct conversation_secrets {
	enum secrets_mode mode;
	const char *name; /* of the place, in messages */
	uint64_t line;    /* where a text begins; 0: its first line */
	uint64_t
		found_nr; /* in the last text, of rules that do not only warn */
	uint64_t told_nr; /* in all of them */
};

/*
 * shape:  replaces the secrets of a text, with warn and fail only tells of
 *         them: an exit code; with fail EXIT_SECRET if there is one, logged.
 *         is_json: also those that are hidden by escapes in its strings
 * owner:  *text is the caller's: free(); it may become another
 */
int
conversation_clean(struct conversation_secrets *secrets, bool is_json,
		   char **text, size_t *bytes);

/* The same where other parts follow, before conversation_refuse_secrets(). */
int
conversation_clean_part(struct conversation_secrets *secrets, bool is_json,
			char **text, size_t *bytes);

/* Logs what follows from a secret, with --secrets=fail: EXIT_SECRET. */
int
conversation_refuse_secrets(void);

/*
 * shape:  what is a window, or a block of `rounds compress --json`, becomes a
 *         request with all of it, of OpenAI's chat where format is AUTO; any
 *         other text stays as it is
 * owner:  *text is the caller's: free(); it may become another
 * errors: -errno with a sentence; *is_other is set in any case
 */
int
conversation_as_messages(enum chat_format format, char **text, size_t *bytes,
			 bool *is_other, struct window_error *error);

/* Prints a line and frees it: an exit code; NULL: there is no memory. */
int
conversation_print(char *json);

#endif
