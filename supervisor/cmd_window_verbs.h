/* SPDX-License-Identifier: MIT */
/*
 * cmd_window_verbs.h - the actions of `bale window`.
 */
#ifndef SUPERVISOR_CMD_WINDOW_VERBS_H
#define SUPERVISOR_CMD_WINDOW_VERBS_H

#include "supervisor/cmd_window_args.h"
#include "window/window.h"

enum window_verb {
	VERB_ADD = 0,
	VERB_REMOVE,
	VERB_PIN,
	VERB_UNPIN,
	VERB_PRIORITY,
	VERB_LIST,
	VERB_BUILD,
	VERB_COMPACT,
	VERB_CLEAR,
	VERB_STATS,
	VERB_SNAPSHOT,
	VERB_RESTORE,
	VERB_LIMITS,
	VERB_NR
};

/* Options of the command line. */
struct window_args {
	const char *type;
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
	const char *strategy;
	const char *model;
	const char *encoding;
	bool pinned;
	bool json;
	bool openmetrics;
	uint64_t history;
	struct window_build_options build;
	const char *query;
	uint64_t target; /* the same */
	struct window_commands commands;
	uint64_t time_limit_s;
	uint64_t summary_bytes;
	const char *tier;
	bool with_pinned;
	const char *events;
	uint64_t wait_s;
	enum diag_level log_level;
	bool log_json;
};

/* One run of the command. */
struct window_run {
	struct window_args args;
	const struct text_list *operands; /* FILE ACTION ... */
	enum window_verb verb;
	enum window_type type;
	struct window_options options;
	struct window_file *file;
	struct window *window;
	struct window_event *events; /* free() */
	size_t event_nr;
	size_t event_room;
	struct window_event compacted; /* the last one; items 0: none */
	bool is_limit_from_file;       /* --max-tokens: the configuration's */
	bool is_changed;               /* the file has to be written */
	bool is_timed;                 /* or may be, with nothing but times */
	char *output; /* for stdout, once that is done: free() */
	size_t output_bytes;
};

/* Whether there are as many arguments as the action takes: an exit code. */
int
window_check_operands(const struct window_run *run);

/*
 * shape:  does it, in memory; what is to be printed is left in run->output
 * errors: an exit code, and an error is logged; EXIT_DEGRADED: done in part
 */
int
window_verb(struct window_run *run);

/* The commands of a run; arg: struct window_run */
int
run_summarizer(void *arg, const char *text, size_t bytes, uint64_t max_tokens,
	       char **summary, struct window_error *error);
int
run_embedder(void *arg, const char *query, const struct window_item *items,
	     size_t nr, double *scores, struct window_error *error);

#endif
