/* SPDX-License-Identifier: MIT */
/*
 * cmd_compact.c - `bale compact`: stdin to stdout, or a file in its place.
 *
 * Nothing is written before all of the new conversation is there and has been
 * checked; with --in-place the file is replaced as a whole.
 */
#include "cli/command_line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "cli/conversation.h"
#include "window/broker.h"
#include "base/stream.h"
#include "supervisor/supervisor.h"
#include "window/chat.h"
#include "window/store.h"

/* Exit codes of --check; docs/compact.md. */
#define EXIT_DUE 10
#define EXIT_CRITICAL 11

/* One run of the command. */
struct compact_run {
	const struct compact_args *args;
	struct chat_options options;
	struct store store; /* with --in-place */
	char *text;
	size_t bytes;
	struct conversation_secrets secrets;
	struct chat *chat;
	char *out;
	size_t out_bytes;
	struct chat_report report;
};

static void
warn(void *arg, const char *text)
{
	(void)arg;
	diag_log(DIAG_WARN, "%s", text);
}

/* Tiers that have no summaries of windows have none of conversations. */
static int
check_summary(const struct command_line *line)
{
	if (line->compact.check || line->talk.summarizer == NULL ||
	    window_tier_allows(line->talk.tier, WINDOW_SUMMARIZE))
		return EXIT_COMPLETE;
	return exit_with(
		EXIT_USAGE,
		"BALE-CMP-015 the policy tier \"%s\" does not allow a "
		"summary; without --summarizer old results are pruned and the "
		"oldest messages left out, or use the tier all",
		window_tier_name(line->talk.tier));
}

/* Options of the command line to those of the conversation. */
static struct chat_options
options_of(const struct command_line *line)
{
	const struct compact_args *args = &line->compact;
	struct chat_options options = args->chat;

	options.reserve_given = option_given(line, OPTION_CHAT_RESERVE);
	options.betas = args->betas.items;
	options.beta_nr = args->betas.nr;
	options.threshold = option_ratio(args->threshold);
	options.critical = option_ratio(args->critical);
	options.preserve = option_ratio(args->preserve);
	options.summarizer = line->talk.summarizer;
	options.time_limit_ms = line->talk.time_limit_s * 1000;
	options.summary_bytes_max = line->talk.summary_bytes;
	options.warn = warn;
	return options;
}

/* The messages lose their secrets, before anything looks at them. */
static int
clean(struct compact_run *run)
{
	/* chat_open() says that it is too large */
	if (run->bytes > CHAT_BYTES_MAX)
		return EXIT_COMPLETE;
	return conversation_clean(&run->secrets, true, &run->text, &run->bytes);
}

/* Messages, or what other commands have written as such. */
static int
open_messages(struct compact_run *run, struct window_error *error)
{
	enum chat_format format = run->options.format;
	const char *model = run->options.model;
	bool is_other;
	int result;

	if (format == CHAT_AUTO && model != NULL &&
	    strstr(model, "claude") != NULL)
		format = CHAT_ANTHROPIC;
	result = conversation_as_messages(format, &run->text, &run->bytes,
					  &is_other, error);
	if (is_other && run->args->in_place != NULL && !run->args->check) {
		snprintf(error->text, sizeof(error->text),
			 "BALE-CMP-016 this is a window, or a block of rounds, "
			 "which messages do not replace: use `bale window FILE "
			 "compact`, or give it on stdin");
		return -EINVAL;
	}
	if (result != 0)
		return result;
	return chat_open(&run->chat, run->text, run->bytes, &run->options,
			 error);
}

static int
read_input(struct compact_run *run)
{
	struct window_error error;
	int result;

	if (run->args->in_place == NULL) {
		result = fd_read_all(STDIN_FILENO, CHAT_BYTES_MAX, &run->text,
				     &run->bytes);
		snprintf(error.text, sizeof(error.text),
			 "BALE-CMP-007 the messages cannot be read: %s",
			 diag_errno(result));
		/* chat_open() says that it is too large */
		if (result == -EFBIG)
			result = 0;
	} else {
		result = store_open(&run->store, run->args->in_place, NULL,
				    STORE_WAIT_DEFAULT_MS, &error);
		if (result == 0)
			result = store_read(&run->store, &run->text,
					    &run->bytes, &error);
	}
	if (result == 0) {
		int code;

		conversation_drop_mark(run->text, &run->bytes);
		code = clean(run);

		if (code != EXIT_COMPLETE)
			return code;
		result = open_messages(run, &error);
	}
	if (result == 0)
		return EXIT_COMPLETE;
	return conversation_fail_about(
		result,
		run->args->in_place == NULL ? "stdin" : run->args->in_place,
		NULL, &error);
}

static int
check(const struct compact_run *run)
{
	struct chat_budget budget;
	int code;

	chat_budget(run->chat, &budget);
	code = conversation_print(chat_budget_json(run->chat, &budget));
	if (code != EXIT_COMPLETE)
		return code;
	return budget.critical ? EXIT_CRITICAL
	       : budget.due    ? EXIT_DUE
			       : EXIT_COMPLETE;
}

static int
write_record(const struct compact_run *run)
{
	char *json = chat_record_json(run->chat, &run->report);
	const char *path = run->args->record;
	char *line = NULL;
	int bytes = -1;
	int error = -ENOMEM;

	if (json != NULL)
		bytes = asprintf(&line, "%s\n", json);
	free(json);
	if (bytes >= 0) {
		error = path != NULL ? broker_append(path, line, (size_t)bytes)
				     : fd_write_all(STDERR_FILENO, line,
						    (size_t)bytes);
		free(line);
	}
	if (error == 0)
		return EXIT_COMPLETE;
	return exit_with(
		EXIT_OUTPUT,
		"BALE-CMP-012 the record cannot be written to %s: %s; the "
		"messages are in their place",
		path == NULL ? "stderr" : QUOTED(path), diag_errno(error));
}

static int
write_output(struct compact_run *run)
{
	struct window_error error;

	if (run->args->in_place == NULL) {
		fwrite(run->out, 1, run->out_bytes, stdout);
		return stream_finish_stdout();
	}
	if (run->report.method == CHAT_UNCHANGED &&
	    (run->secrets.mode == SECRETS_WARN || run->secrets.found_nr == 0))
		return EXIT_COMPLETE;
	if (store_replace(&run->store, run->out, run->out_bytes, &error) == 0)
		return EXIT_COMPLETE;
	return exit_with(EXIT_OUTPUT, "%s", error.text);
}

static int
compact(struct compact_run *run)
{
	struct window_error error;
	int result = chat_compact(run->chat, &run->out, &run->out_bytes,
				  &run->report, &error);
	int code;

	if (result != 0)
		return conversation_fail(result, &error);
	if (run->report.fell_back && run->args->strict)
		return exit_with(
			EXIT_DEGRADED,
			"BALE-CMP-013 there is no summary, so with --strict "
			"nothing was written");
	code = write_output(run);
	if (code != EXIT_COMPLETE || run->report.method == CHAT_UNCHANGED)
		return code;
	if (run->args->record != NULL || !run->args->quiet)
		code = write_record(run);
	chat_compacted(run->chat, &run->report);
	if (code == EXIT_COMPLETE && run->report.fell_back)
		code = EXIT_DEGRADED;
	return code;
}

static void
run_fini(struct compact_run *run)
{
	chat_close(run->chat);
	free(run->text);
	free(run->out);
	store_close(&run->store);
}

int
cmd_compact(struct command_line *line)
{
	struct compact_run run = {
		.args = &line->compact,
		.options = options_of(line),
		.store = STORE_NONE,
		.secrets = { .mode = line->run.pack.secrets },
	};
	int code = check_summary(line);

	run.secrets.name = WORD_QUOTED(
		run.args->in_place == NULL ? "stdin" : run.args->in_place);
	if (code == EXIT_COMPLETE)
		code = read_input(&run);
	if (code == EXIT_COMPLETE)
		code = run.args->check ? check(&run) : compact(&run);
	run_fini(&run);
	return code;
}
