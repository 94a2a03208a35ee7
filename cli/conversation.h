/* SPDX-License-Identifier: MIT */
/*
 * conversation.h - what `bale window`, `compact` and `rounds` share.
 *
 * Does: holds what their options came to; confines the process, with a broker
 *       outside that opens files and runs commands for it; logs errors.
 * Does not: read options (command_line.h).
 * Runs in: the supervisor, which starts no worker for these commands.
 */
#ifndef CLI_CONVERSATION_H
#define CLI_CONVERSATION_H

#include "supervisor/options.h"
#include "window/chat.h"
#include "window/rounds.h"
#include "window/window.h"

/* Of window and compact. */
struct talk_args {
	enum window_tier tier;
	const char *summarizer; /* NULL: none */
	uint64_t time_limit_s;
	uint64_t summary_bytes;
};

struct window_args {
	enum window_type type;
	uint64_t priority;
	bool pin;
	const char *role;
	const char *source;
	const char *metadata;
	const char *id;
	uint64_t tokens;
	const char *content;
	bool jsonl;
	bool strict;
	uint64_t max_tokens;
	uint64_t threshold; /* millionths of a per cent */
	enum window_strategy strategy;
	const char *model;
	const char *encoding;
	bool pinned;
	bool openmetrics;
	uint64_t message_nr;
	struct window_build_options build;
	const char *query;
	uint64_t target; /* the same */
	const char *embedder;
	bool with_pinned;
	const char *events;
	uint64_t wait_s;
};

struct compact_args {
	struct chat_options chat;
	struct text_list betas;
	uint64_t threshold; /* in millionths, as the next two */
	uint64_t critical;
	uint64_t preserve;
	const char *in_place;
	const char *record;
	bool check;
	bool strict;
	bool quiet;
};

struct rounds_args {
	uint64_t max_tokens;
	const char *encoding;
	struct rounds_usage usage;
};

struct command_line;

/*
 * shape:  forks the broker, which knows the files and commands that the user
 *         named: an exit code
 * owner:  broker_end()
 * calls:  once, before sandbox_begin(), unless there is to be no sandbox
 */
int
conversation_begin(const struct command_line *line);

/* Confines the process, but for a file that it only reads: an exit code. */
int
conversation_confine(const struct command_line *line);

/* Logs what a function of window/ returned: an exit code. */
int
conversation_fail(int result, const struct window_error *error);

/* The exit code for what a function of window/ returned. */
int
conversation_exit_code(int result);

/*
 * shape:  logs an error about a file: its code, the file, what is wrong; one
 *         that names the file already is logged as it is. The exit code.
 */
int
conversation_fail_about(int result, const char *path,
			const struct window_error *error);

#endif
