/* SPDX-License-Identifier: MIT */
/*
 * cmd_window.c - `bale window FILE ACTION`: the command line and the frame of
 *                every action: lock, read, act, write, tell.
 */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/exit_code.h"
#include "base/stream.h"
#include "cli/command_line.h"
#include "cli/conversation.h"
#include "cli/window_run.h"
#include "tokenizer/models.h"
#include "window/broker.h"
#include "window/limits.h"
#include "window/window.h"

/* Prints a line of JSON. */
static int
print_json(struct window_run *run, json_t *json)
{
	int error = json_dumpf(json, run->out,
			       JSON_COMPACT | JSON_REAL_PRECISION(6));

	json_decref(json);
	fputc('\n', run->out);
	return error == 0 ? EXIT_COMPLETE : exit_out_of_memory();
}

/* Prints a text and frees it; NULL: out of memory. */
static int
print(struct window_run *run, char *text)
{
	if (text == NULL)
		return exit_out_of_memory();
	fputs(text, run->out);
	free(text);
	return EXIT_COMPLETE;
}

static int
fail_id(const char *id)
{
	return exit_with(
		EXIT_USAGE,
		"BALE-WIN-006 there is no item %s; `list` shows all there "
		"are",
		QUOTED(id));
}

static int
verb_priority(struct window_run *run)
{
	const char *id = run->line->run.operands.items[2];
	const char *text = run->line->run.operands.items[3];
	char *end;
	unsigned long priority = strtoul(text, &end, 10);
	int result = -EINVAL;

	if (*text >= '0' && *text <= '9' && *end == '\0' &&
	    priority <= WINDOW_PRIORITY_MAX)
		result = window_set_priority(run->window, id,
					     (uint32_t)priority);
	if (result == -EINVAL)
		return exit_with(
			EXIT_USAGE,
			"BALE-WIN-002 a priority is a number from 0 to %d",
			WINDOW_PRIORITY_MAX);
	run->is_changed = true;
	return result == 0 ? EXIT_COMPLETE : fail_id(id);
}

/* remove, pin, unpin */
static int
verb_on_id(struct window_run *run)
{
	const char *id = run->line->run.operands.items[2];
	int result = run->line->action == ACTION_WINDOW_REMOVE
			     ? window_remove(run->window, id)
			     : window_set_pin(run->window, id,
					      run->line->action ==
						      ACTION_WINDOW_PIN);

	run->is_changed = true;
	return result == 0 ? EXIT_COMPLETE : fail_id(id);
}

static json_t *
item_json(const struct window_item *item)
{
	return json_pack("{s:s, s:s, s:I, s:I, s:b, s:I, s:s?, s:s?, s:o}",
			 "id", item->id, "type", window_type_name(item->type),
			 "priority", (json_int_t)item->priority, "tokens",
			 (json_int_t)item->tokens, "pinned", item->pinned,
			 "added_ms", (json_int_t)item->added_ms, "source_ref",
			 item->source_ref, "role", item->role, "content",
			 json_stringn(item->content, item->content_bytes));
}

/* The beginning of a content, on one line that a terminal can bear. */
static void
print_item(FILE *out, const struct window_item *item)
{
	char beginning[64];
	char quoted[80];
	size_t bytes = min_size(item->content_bytes, 40);

	for (size_t i = 0; i < bytes; i++)
		beginning[i] = (unsigned char)item->content[i] < ' '
				       ? ' '
				       : item->content[i];
	while (bytes > 0 && bytes < item->content_bytes &&
	       ((uint8_t)item->content[bytes] & 0xc0) == 0x80)
		bytes--;
	diag_quote(quoted, sizeof(quoted), (const uint8_t *)beginning, bytes);
	fprintf(out, "%s\t%s\t%u\t%ju\t%s\t%s\n", QUOTED(item->id),
		window_type_name(item->type), item->priority, item->tokens,
		item->pinned ? "pinned" : "-", quoted);
}

static int
verb_list(struct window_run *run)
{
	const struct window_filter filter = {
		.by_type = option_requested(run->line, OPTION_ITEM_TYPE),
		.type = run->line->window.item.type,
		.pinned_only = run->line->window.pinned,
	};
	json_t *json = run->line->run.json ? json_array() : NULL;
	struct window_list list;

	if (window_list(run->window, &filter, &list) != 0)
		return exit_out_of_memory();
	for (size_t i = 0; i < list.nr; i++)
		if (run->line->run.json)
			json_array_append_new(json, item_json(&list.items[i]));
		else
			print_item(run->out, &list.items[i]);
	window_list_free(&list);
	return run->line->run.json ? print_json(run, json) : EXIT_COMPLETE;
}

static json_t *
ids_json(char (*ids)[WINDOW_ID_BYTES], size_t nr)
{
	json_t *json = json_array();

	for (size_t i = 0; i < nr; i++)
		json_array_append_new(json, json_string(ids[i]));
	return json;
}

static int
verb_build(struct window_run *run)
{
	struct window_error error;
	struct window_built built;
	int result = window_build(run->window, &run->build, &built, &error);
	int code = EXIT_COMPLETE;

	if (result != 0)
		return conversation_fail(result, &error);
	run->is_changed = built.was_compacted;
	run->is_timed = true;
	if (run->line->run.json) {
		code = print_json(
			run,
			json_pack("{s:o, s:I, s:o, s:o, s:b, s:I}", "content",
				  json_stringn(built.content,
					       built.content_bytes),
				  "total_tokens",
				  (json_int_t)built.total_tokens,
				  "included_ids",
				  ids_json(built.included, built.included_nr),
				  "excluded_ids",
				  ids_json(built.excluded, built.excluded_nr),
				  "was_compacted", built.was_compacted,
				  "tokens_freed",
				  (json_int_t)built.freed_tokens));
	} else {
		/* a text byte by byte, no end of line */
		fwrite(built.content, 1, built.content_bytes, run->out);
		if (run->build.format != CHAT_AUTO)
			fputc('\n', run->out);
	}
	window_built_free(&built);
	return code;
}

static int
verb_compact(struct window_run *run)
{
	struct window_compact_options options = {
		.strategy = run->options.strategy,
		.target = option_ratio(run->line->window.target),
		.query = run->options.query,
	};
	struct window_stats stats;
	struct window_error error;
	uint64_t freed;
	int result;

	window_stats(run->window, &stats);
	if (!option_requested(run->line, OPTION_WINDOW_STRATEGY))
		options.strategy = stats.strategy;
	result = window_compact(run->window, &options, &freed, &error);
	if (result != 0)
		return conversation_fail(result, &error);
	run->is_changed = true;
	window_stats(run->window, &stats);
	if (run->line->run.json)
		return print_json(
			run, json_pack("{s:I, s:I, s:I, s:f}", "tokens_freed",
				       (json_int_t)freed, "tokens",
				       (json_int_t)stats.tokens, "max_tokens",
				       (json_int_t)stats.max_tokens, "usage",
				       stats.usage));
	fprintf(run->out, "%ju\n", freed);
	return EXIT_COMPLETE;
}

static json_t *
latency_json(const struct window_latency *latency)
{
	return json_pack("{s:I, s:f, s:I}", "count", (json_int_t)latency->nr,
			 "mean_us",
			 (double)latency->sum_ns /
				 (double)max_u64(latency->nr, 1) / 1000,
			 "p95_us", (json_int_t)window_latency_p95_us(latency));
}

static json_t *
stats_json(const struct window_stats *stats)
{
	json_t *types = json_object();

	for (int i = 0; i < WINDOW_TYPE_NR; i++)
		json_object_set_new(
			types, window_type_name((enum window_type)i),
			json_pack("{s:I, s:I}", "items",
				  (json_int_t)stats->items_by_type[i], "tokens",
				  (json_int_t)stats->tokens_by_type[i]));
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:f, s:f, s:s, s:o, s:I, "
			 "s:I, s:o, s:o}",
			 "items", (json_int_t)stats->items, "pinned",
			 (json_int_t)stats->pinned, "tokens",
			 (json_int_t)stats->tokens, "max_tokens",
			 (json_int_t)stats->max_tokens, "available",
			 (json_int_t)stats->available, "usage", stats->usage,
			 "threshold", stats->threshold, "strategy",
			 window_strategy_name(stats->strategy), "by_type",
			 types, "compactions", (json_int_t)stats->compactions,
			 "tokens_freed", (json_int_t)stats->freed_tokens,
			 "add_latency", latency_json(&stats->add),
			 "build_latency", latency_json(&stats->build));
}

/* "adds         12, on average 83.1 us, 95 % within 128 us" */
static void
print_latency(FILE *out, const char *what, const struct window_latency *latency)
{
	fprintf(out, "%-12s %ju", what, latency->nr);
	if (latency->nr > 0)
		fprintf(out, ", on average %.1f us, 95 %% within %ju us",
			(double)latency->sum_ns / (double)latency->nr / 1000,
			window_latency_p95_us(latency));
	fputc('\n', out);
}

static int
verb_stats(struct window_run *run)
{
	struct window_stats stats;
	FILE *out = run->out;

	if (run->line->window.openmetrics)
		return print(run, window_metrics(run->window));
	window_stats(run->window, &stats);
	if (run->line->run.json)
		return print_json(run, stats_json(&stats));
	fprintf(out,
		"items        %zu, %zu pinned\n"
		"tokens       %ju of %ju, %.1f %%, %ju available\n"
		"compactions  %ju, %ju tokens freed\n",
		stats.items, stats.pinned, stats.tokens, stats.max_tokens,
		stats.usage, stats.available, stats.compactions,
		stats.freed_tokens);
	print_latency(out, "adds", &stats.add);
	print_latency(out, "builds", &stats.build);
	for (int i = 0; i < WINDOW_TYPE_NR; i++) {
		if (stats.items_by_type[i] > 0)
			fprintf(out, "  %-20s %zu items, %ju tokens\n",
				window_type_name((enum window_type)i),
				stats.items_by_type[i],
				stats.tokens_by_type[i]);
	}
	return EXIT_COMPLETE;
}

/* Changes what the user gave; a file is about new windows. */
static int
verb_limits(struct window_run *run)
{
	const struct command_line *line = run->line;
	struct window_stats stats;
	struct window_error error;
	int result;

	window_stats(run->window, &stats);
	if (option_requested(line, OPTION_WINDOW_TOKENS))
		stats.max_tokens = line->window.settings.max_tokens;
	if (option_requested(line, OPTION_WINDOW_THRESHOLD))
		stats.threshold = option_ratio(line->window.threshold);
	if (option_requested(line, OPTION_WINDOW_STRATEGY))
		stats.strategy = line->window.settings.strategy;
	result = window_set_limits(run->window, stats.max_tokens,
				   stats.threshold, stats.strategy, &error);
	run->is_changed = true;
	return result == 0 ? EXIT_COMPLETE : conversation_fail(result, &error);
}

static int
verb_clear(struct window_run *run)
{
	window_clear(run->window, run->line->window.with_pinned);
	run->is_changed = true;
	return EXIT_COMPLETE;
}

static int
verb_snapshot(struct window_run *run)
{
	return print(run, window_save(run->window));
}

/*
 * shape:  does it, in memory; what is to be printed goes to run->out
 * errors: an exit code, and an error is logged; EXIT_DEGRADED: done in part
 */
static int (*const verbs[ACTION_NR])(struct window_run *run) = {
	[ACTION_WINDOW_ADD] = window_run_add,
	[ACTION_WINDOW_REMOVE] = verb_on_id,
	[ACTION_WINDOW_PIN] = verb_on_id,
	[ACTION_WINDOW_UNPIN] = verb_on_id,
	[ACTION_WINDOW_PRIORITY] = verb_priority,
	[ACTION_WINDOW_LIST] = verb_list,
	[ACTION_WINDOW_BUILD] = verb_build,
	[ACTION_WINDOW_COMPACT] = verb_compact,
	[ACTION_WINDOW_CLEAR] = verb_clear,
	[ACTION_WINDOW_STATS] = verb_stats,
	[ACTION_WINDOW_SNAPSHOT] = verb_snapshot,
	[ACTION_WINDOW_RESTORE] = window_run_restore,
	[ACTION_WINDOW_LIMITS] = verb_limits,
};

/* Several items may each have needed room. */
static void
add_compaction(struct window_event *all, const struct window_event *event)
{
	struct window_event before = *all;

	*all = *event;
	if (before.items == 0)
		return;
	all->items += before.items;
	all->tokens += before.tokens;
	all->usage_before = before.usage_before;
	all->fell_back |= before.fell_back;
}

/* Keeps one; arg: struct window_run. calls: the window */
static void
window_log_keep(void *arg, const struct window_event *event)
{
	struct window_run *run = arg;

	if (event->kind == WINDOW_EVENT_COMPACTED)
		add_compaction(&run->compacted, event);
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
	bool is_added = event->kind == WINDOW_EVENT_ADDED;

	diag_log(DIAG_DEBUG, "%s item %s: %s, %ju tokens%s%s",
		 is_added ? "added" : "removed", QUOTED(event->id),
		 window_type_name(event->type), event->tokens,
		 is_added ? "" : ", by ",
		 is_added ? "" : window_reason_name(event->reason));
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

/*
 * shape:  all that happened, a line each, by --log-level; and in --events
 * errors: an exit code, and the error is logged
 * calls:  when the file has been written
 */
static int
window_log_emit(struct window_run *run)
{
	const char *path = run->line->window.events;
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = path == NULL ? NULL : open_memstream(&text, &bytes);
	bool is_whole = out != NULL;
	int error = 0;

	for (size_t i = 0; i < run->event_nr; i++) {
		char *line;

		log_event(&run->events[i]);
		if (!is_whole)
			continue;
		line = window_event_json(&run->events[i]);
		is_whole = line != NULL && fputs(line, out) >= 0;
		free(line);
	}
	if (out != NULL && fclose(out) != 0)
		is_whole = false;
	if (path != NULL && run->event_nr > 0)
		error = is_whole ? broker_append(path, text, bytes) : -ENOMEM;
	free(text);
	if (error == 0)
		return EXIT_COMPLETE;
	return exit_with(
		EXIT_OUTPUT,
		"BALE-WIN-017 the events cannot be written to %s: %s; the "
		"window is as it should be",
		QUOTED(path), diag_errno(error));
}

static void
run_fini(struct window_run *run)
{
	free(run->events);
	window_file_close(run->file);
	fclose(run->out);
	free(run->output);
}

/* What a new window is like; a model that was given beats what a file says. */
static void
fill_limits(struct window_run *run)
{
	const struct window_args *args = &run->line->window;
	struct window_options *options = &run->options;
	char hint[HINT_BYTES];

	*options = args->settings;
	options->threshold = option_ratio(args->threshold);
	options->tier = run->line->talk.tier;
	if (args->model != NULL) {
		struct model_limits limits = limits_find(args->model, NULL, 0);

		if (!option_requested(run->line, OPTION_WINDOW_TOKENS))
			options->max_tokens = limits.context_tokens;
		if (options->encoding == NULL)
			options->encoding = limits.encoding;
		if (!limits.is_known)
			diag_log(DIAG_WARN,
				 "BALE-WIN-018 unknown model: assuming a "
				 "limit of %ju tokens and %s%s",
				 limits.context_tokens, limits.encoding,
				 tokenizer_model_hint(args->model, hint));
	}
}

/* And what helps the strategies. */
static void
fill_options(struct window_run *run)
{
	const struct window_args *args = &run->line->window;
	const struct talk_args *talk = &run->line->talk;
	struct window_options *options = &run->options;

	fill_limits(run);
	options->commands.summarizer = talk->summarizer;
	options->commands.time_limit_ms = talk->time_limit_s * 1000;
	options->commands.output_max_bytes = talk->summary_bytes;
	options->on_event = window_log_keep;
	options->arg = run;
	options->wait_ms = args->wait_s * 1000;
	run->build = args->build;
	run->build.memory_query = options->query;
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
		 "BALE-WIN-020 no room below the threshold: %u item%s (%ju "
		 "tokens) removed by %s%s: usage was %.1f%%, is %.1f%%",
		 event->items, event->items == 1 ? "" : "s", event->tokens,
		 window_strategy_name(event->strategy),
		 event->fell_back ? ", because the strategy of the window "
				    "could not be carried out"
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

	if (result != 0)
		return conversation_fail_about(
			result, path, "`add`, `restore` and `record` make one",
			&error);
	run->window = window_file_window(run->file);
	if (window_is_estimate(run->window))
		diag_log(DIAG_WARN, "BALE-WIN-021 the vocabulary in this "
				    "program is damaged (checksum): tokens "
				    "are estimates; install bale again");
	window_log_open(run);
	code = verbs[run->line->action](run);
	if (code != EXIT_COMPLETE && code != EXIT_DEGRADED)
		return code;
	if (fflush(run->out) != 0 || ferror(run->out))
		return exit_out_of_memory();
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
	fwrite(run->output, 1, run->output_bytes, stdout);
	result = window_log_emit(run);
	if (result == EXIT_COMPLETE)
		result = stream_finish_stdout();
	return result != EXIT_COMPLETE ? result : code;
}

int
cmd_window(struct command_line *line)
{
	struct window_run run = {
		.line = line,
		.secrets = { .mode = line->run.pack.secrets,
			     .name = conversation_input_name(line) },
	};
	int code;

	run.out = open_memstream(&run.output, &run.output_bytes);
	if (run.out == NULL)
		return exit_out_of_memory();
	fill_options(&run);
	code = carry_out(&run, line->run.operands.items[0]);
	run_fini(&run);
	return code;
}
