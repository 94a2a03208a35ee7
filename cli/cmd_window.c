/* SPDX-License-Identifier: MIT */
/*
 * cmd_window.c - `bale window FILE ACTION`: the command line and the frame of
 *                every action: lock, read, act, write, tell.
 */
#include "cli/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cmd_window_log.h"
#include "base/stream.h"
#include "supervisor/supervisor.h"
#include "window/limits.h"
#include "tokenizer/models.h"

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
	run->commands = (struct window_commands){
		.summarizer = talk->summarizer,
		.embedder = args->embedder,
		.time_limit_ms = talk->time_limit_s * 1000,
		.output_max_bytes = talk->summary_bytes,
	};
	options->query = args->query;
	options->on_event = window_log_keep;
	options->arg = run;
	if (talk->summarizer != NULL)
		options->summarize = run_summarizer;
	if (args->embedder != NULL)
		options->relevance = run_embedder;
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
				      run->line->window.wait_s * 1000, &error);
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
