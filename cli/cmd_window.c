/* SPDX-License-Identifier: MIT */
/*
 * cmd_window.c - `bale window FILE ACTION`: the command line and the frame of
 *                every action: lock, read, act, write, tell.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/exit_code.h"
#include "base/stream.h"
#include "cli/conversation.h"
#include "cli/cmd_window_verbs.h"
#include "cli/commands.h"
#include "supervisor/supervisor.h"
#include "tokenizer/models.h"
#include "window/broker.h"
#include "window/limits.h"

/* Keeps one; arg: struct window_run. calls: the window */
static void
window_log_keep(void *arg, const struct window_event *event)
{
	struct window_run *run = arg;

	if (event->kind == WINDOW_EVENT_COMPACTED)
		run->compacted = *event;
	if (ARRAY_RESERVE(run->events, run->event_room, run->event_nr + 1) !=
	    0) {
		diag_log(DIAG_WARN, "an event is lost: out of memory");
		return;
	}
	run->events[run->event_nr++] = *event;
}

/* What the window is, before anything happens: a line, --log-level info */
static void
window_log_open(const struct window_run *run)
{
	struct window_stats stats;

	if (!diag_is_on(DIAG_INFO))
		return;
	window_stats(run->window, &stats);
	diag_log(DIAG_INFO,
		 "window: %zu items, %ju of %ju tokens, compacted beyond "
		 "%g %% by %s",
		 stats.items, stats.tokens, stats.max_tokens, stats.threshold,
		 window_strategy_name(stats.strategy));
}

static void
log_item(const struct window_event *event)
{
	static const char *const reasons[] = {
		[WINDOW_BY_HAND] = "manual",
		[WINDOW_BY_COMPACTION] = "compaction",
		[WINDOW_BY_CLEAR] = "clear",
	};
	bool is_added = event->kind == WINDOW_EVENT_ADDED;

	diag_log(DIAG_DEBUG, "%s item %s: %s, %ju tokens%s%s",
		 is_added ? "added" : "removed", QUOTED(event->id),
		 window_type_name(event->type), event->tokens,
		 is_added ? "" : ", by ",
		 is_added ? "" : reasons[event->reason]);
}

static void
log_event(const struct window_event *event)
{
	switch (event->kind) {
	case WINDOW_EVENT_ADDED:
	case WINDOW_EVENT_REMOVED:
		log_item(event);
		break;
	case WINDOW_EVENT_COMPACTED:
		diag_log(DIAG_INFO,
			 "compacted by %s: %u items, %ju tokens freed, usage "
			 "from %.1f%% to %.1f%%",
			 window_strategy_name(event->strategy), event->items,
			 event->tokens, event->usage_before,
			 event->usage_after);
		break;
	case WINDOW_EVENT_CLEARED:
		diag_log(DIAG_INFO, "cleared: %u items, %ju tokens",
			 event->items, event->tokens);
		break;
	default: /* WINDOW_EVENT_BUILT */
		diag_log(DIAG_DEBUG,
			 "built the context: %u items, %ju tokens; %u left "
			 "out",
			 event->items, event->total_tokens,
			 event->items_excluded);
		break;
	}
}

/* All of them as lines, one after the other; NULL: no memory. */
static char *
join_events(const struct window_run *run, size_t *bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);
	bool is_whole = out != NULL;

	for (size_t i = 0; i < run->event_nr && is_whole; i++) {
		char *line = window_event_json(&run->events[i]);

		is_whole = line != NULL && fputs(line, out) >= 0;
		free(line);
	}
	if (out != NULL && fclose(out) == 0 && is_whole)
		return text;
	free(text);
	return NULL;
}

/*
 * shape:  all that happened, a line each, by --log-level; and in --events
 * errors: an exit code, and the error is logged
 * calls:  when the file has been written
 */
static int
window_log_emit(struct window_run *run)
{
	size_t bytes = 0;
	char *text;
	int error;

	for (size_t i = 0; i < run->event_nr; i++)
		log_event(&run->events[i]);
	if (run->line->window.events == NULL || run->event_nr == 0)
		return EXIT_COMPLETE;
	text = join_events(run, &bytes);
	error = text == NULL
			? -ENOMEM
			: broker_append(run->line->window.events, text, bytes);
	free(text);
	if (error == 0)
		return EXIT_COMPLETE;
	return exit_with(
		EXIT_OUTPUT,
		"BALE-WIN-017 the events cannot be written to %s: %s; the "
		"window is as it should be",
		QUOTED(run->line->window.events), strerrordesc_np(-error));
}

/* Lets go of what was not told. */
static void
window_log_free(struct window_run *run)
{
	free(run->events);
	run->events = NULL;
	run->event_nr = run->event_room = 0;
}

static void
run_fini(struct window_run *run)
{
	window_log_free(run);
	window_file_close(run->file);
	free(run->output);
}

/* What a new window is like; a model that was given beats what a file says. */
static void
fill_limits(struct window_run *run)
{
	const struct window_args *args = &run->line->window;
	struct window_options *options = &run->options;
	char hint[HINT_BYTES];

	options->max_tokens = args->max_tokens;
	options->threshold = option_ratio(args->threshold);
	options->strategy = args->strategy;
	options->tier = run->line->talk.tier;
	if (args->model != NULL) {
		struct model_limits limits = limits_find(args->model, NULL, 0);

		if (!option_requested(run->line, OPTION_WINDOW_TOKENS))
			options->max_tokens = limits.context_tokens;
		options->encoding = limits.encoding;
		if (!limits.is_known)
			diag_log(DIAG_WARN,
				 "BALE-WIN-018 unknown model: assuming a "
				 "limit of %ju tokens and %s%s",
				 limits.context_tokens, limits.encoding,
				 tokenizer_model_hint(args->model, hint));
	}
	if (args->encoding != NULL)
		options->encoding = args->encoding;
}

/* And what helps the strategies. */
static void
fill_options(struct window_run *run)
{
	const struct window_args *args = &run->line->window;
	const struct talk_args *talk = &run->line->talk;
	struct window_options *options = &run->options;

	fill_limits(run);
	options->commands = (struct window_commands){
		.summarizer = talk->summarizer,
		.embedder = args->embedder,
		.time_limit_ms = talk->time_limit_s * 1000,
		.output_max_bytes = talk->summary_bytes,
	};
	options->query = args->query;
	options->on_event = window_log_keep;
	options->arg = run;
	options->wait_ms = args->wait_s * 1000;
	run->build = args->build;
	run->build.memory_query = args->query;
	run->build.history_max = (uint32_t)args->message_nr;
}

/* Room that was made without being asked for is worth a word. */
static void
warn_of_compaction(const struct window_run *run)
{
	const struct window_event *event = &run->compacted;

	if (run->line->action == ACTION_WINDOW_COMPACT || event->items == 0)
		return;
	diag_log(DIAG_WARN,
		 "BALE-WIN-020 no room below the threshold, so %u items (%ju "
		 "tokens) were removed by %s%s: usage was %.1f%%, is %.1f%%",
		 event->items, event->tokens,
		 window_strategy_name(event->strategy),
		 event->fell_back ? ", for the strategy of the window could "
				    "not be carried out"
				  : "",
		 event->usage_before, event->usage_after);
}

/* Locks, acts, writes, tells. */
static int
carry_out(struct window_run *run, const char *path)
{
	struct window_error error = { .text = "" };
	bool makes = run->line->action == ACTION_WINDOW_ADD ||
		     run->line->action == ACTION_WINDOW_RESTORE;
	int result = window_file_open(&run->file, path, &run->options, makes,
				      &error);
	int code;

	if (result == -ENOENT)
		diag_log(DIAG_ERROR,
			 "%s; `add`, `restore` and `record` make one",
			 error.text);
	else if (result != 0)
		conversation_fail_about(result, path, &error);
	if (result != 0)
		return conversation_exit_code(result);
	run->window = window_file_window(run->file);
	if (window_is_estimate(run->window))
		diag_log(DIAG_WARN, "BALE-WIN-021 the vocabulary in this "
				    "program is damaged (checksum): tokens "
				    "are estimates; install bale again");
	window_log_open(run);
	code = window_verb(run);
	if (code != EXIT_COMPLETE && code != EXIT_DEGRADED)
		return code;
	if (run->is_changed) {
		result = window_file_commit(run->file, &error);
		if (result != 0)
			return exit_with(EXIT_OUTPUT, "%s", error.text);
	}
	/* how long a build took is no reason for it to fail */
	if (run->is_timed && !run->is_changed &&
	    window_file_commit(run->file, &error) != 0)
		diag_log(DIAG_DEBUG, "the time is not kept: %s", error.text);
	window_file_close(run->file);
	run->file = NULL;
	warn_of_compaction(run);
	if (run->output != NULL)
		fwrite(run->output, 1, run->output_bytes, stdout);
	result = window_log_emit(run);
	if (result == EXIT_COMPLETE)
		result = stream_finish_stdout();
	return result != EXIT_COMPLETE ? result : code;
}

int
cmd_window(struct command_line *line)
{
	struct window_run run = { .line = line, .options = window_defaults() };
	int code = conversation_confine(line);

	if (code == EXIT_COMPLETE) {
		fill_options(&run);
		code = carry_out(&run, line->run.operands.items[0]);
	}
	run_fini(&run);
	return code;
}
