/* SPDX-License-Identifier: MIT */
/*
 * chat_compact.c - what goes, what stays, and what stands in between.
 *
 *   system messages   stay, in front
 *   the older part    becomes one message of the user's: a summary, or, where
 *                     none can be had, a note that something is missing
 *   the newer part    stays as it is, byte by byte; but a message of the user's
 *                     that it begins with starts with what is in between
 *
 * The cut is looked for from the end, where about --preserve of the context
 * is full, and moved to a place where no call is parted from its results:
 * towards the beginning, unless too much would stay.
 *
 * What comes out is opened and counted again before anybody sees it. Hooks of
 * the user's go before and after: one that fails or hangs is a warning.
 */
#include "window/chat_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "window/child.h"
#include "window/json_text.h"
#include "window/summary.h"
#include "window/window_impl.h"

#define HOOK_TIME_LIMIT_MS 60000
#define HOOK_OUTPUT_BYTES (1u << 20)
#define WHY_BYTES 128

static const char *const method_names[] = { "unchanged", "pruned", "summarized",
					    "truncated" };

static const char *
trigger_name(const struct chat *chat)
{
	return chat->options->trigger == CHAT_TRIGGER_MANUAL ? "manual"
							     : "auto";
}

/* Takes over `input`. */
static void
run_hook(const struct chat *chat, const char *name, const char *command,
	 json_t *input)
{
	char *text = json_dumps(input, JSON_COMPACT | JSON_REAL_PRECISION(6));
	struct child_spec spec = {
		.command = command,
		.input = text,
		.time_limit_ms = chat->options->time_limit_ms != 0
					 ? chat->options->time_limit_ms
					 : HOOK_TIME_LIMIT_MS,
		.output_max_bytes = HOOK_OUTPUT_BYTES,
	};
	struct child_result result;
	char why[WHY_BYTES];

	json_decref(input);
	if (text == NULL) {
		chat_warn(chat, "the hook %s was not run: out of memory", name);
		return;
	}
	spec.input_bytes = strlen(text);
	child_run(&spec, &result);
	if (result.end != CHILD_DONE)
		chat_warn(chat, "BALE-CMP-011 the hook %s %s; going on without",
			  name,
			  child_explain(why, sizeof(why), &spec, &result));
	free(result.output);
	free(text);
}

static const char *
or_empty(const char *text)
{
	return text != NULL ? text : "";
}

/* The hook that goes before a compaction. */
static void
hook_before(const struct chat *chat, const struct chat_budget *budget)
{
	if (chat->options->hook_pre == NULL)
		return;
	run_hook(chat, "--hook-pre", chat->options->hook_pre,
		 json_pack("{s:s, s:s, s:s, s:s, s:I, s:f, s:I}",
			   "hook_event_name", "PreCompact", "session_id",
			   or_empty(chat->options->session), "trigger",
			   trigger_name(chat), "custom_instructions",
			   or_empty(chat->options->instructions), "pre_tokens",
			   (json_int_t)budget->used, "utilization",
			   budget->utilization, "messages",
			   (json_int_t)budget->message_nr));
}

void
chat_compacted(const struct chat *chat, const struct chat_report *report)
{
	if (chat->options->hook_post == NULL ||
	    report->method == CHAT_UNCHANGED)
		return;
	run_hook(chat, "--hook-post", chat->options->hook_post,
		 json_pack("{s:s, s:s, s:s, s:s, s:s, s:I, s:I}",
			   "hook_event_name", "SessionStart", "source",
			   "compact", "session_id",
			   or_empty(chat->options->session), "trigger",
			   trigger_name(chat), "method",
			   method_names[report->method], "pre_tokens",
			   (json_int_t)report->before.used, "post_tokens",
			   (json_int_t)report->after.used));
}

/* Takes over `json`. */
static char *
dump(json_t *json)
{
	char *text = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(6));

	json_decref(json);
	return text;
}

char *
chat_record_json(const struct chat *chat, const struct chat_report *report)
{
	json_t *metadata = json_pack(
		"{s:s, s:I, s:I, s:s, s:b, s:I, s:I}", "trigger",
		trigger_name(chat), "pre_tokens",
		(json_int_t)report->before.used, "post_tokens",
		(json_int_t)report->after.used, "method",
		method_names[report->method], "fell_back", report->fell_back,
		"messages_removed", (json_int_t)report->removed,
		"results_pruned", (json_int_t)report->pruned);

	return dump(json_pack("{s:s, s:s, s:s, s:o}", "type", "system",
			      "subtype", "compact_boundary", "session_id",
			      or_empty(chat->options->session),
			      "compact_metadata", metadata));
}

char *
chat_budget_json(const struct chat *chat, const struct chat_budget *budget)
{
	return dump(json_pack(
		"{s:s, s:s, s:b, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, "
		"s:b, s:I, s:f, s:f, s:f, s:b, s:b, s:I}",
		"format", chat_format_name(chat->format), "encoding",
		budget->encoding, "model_known", budget->is_model_known,
		"estimated", budget->estimated, "context_limit",
		(json_int_t)budget->limit, "output_reserve",
		(json_int_t)budget->reserve, "room", (json_int_t)budget->room,
		"system_tokens", (json_int_t)budget->system, "message_tokens",
		(json_int_t)budget->messages, "margin_tokens",
		(json_int_t)budget->margin, "used_tokens",
		(json_int_t)budget->used, "available_tokens",
		(json_int_t)budget->available, "overflow", budget->overflow > 0,
		"overflow_tokens", (json_int_t)budget->overflow, "utilization",
		budget->utilization, "threshold", chat->options->threshold,
		"critical_threshold", chat->options->critical, "due",
		budget->due, "critical", budget->critical, "messages",
		(json_int_t)budget->message_nr));
}

#define SUMMARY_TOKENS_MOST 4096
#define SUMMARY_TOKENS_LEAST 64
#define REMOVE_TOKENS_LEAST 128 /* less is not worth a note */
#define SUMMARY_SHARE 10        /* of the room */

static const char summary_head[] =
	"The earlier part of this conversation was left out to make room. This "
	"is a summary of it; go on from here as if all of it were still "
	"there.\n\n<summary>\n";
static const char summary_tail[] = "\n</summary>";

struct compaction {
	struct chat *chat;
	struct chat_budget budget; /* with old results pruned */
	uint64_t allowance;        /* tokens of the message in between */
	size_t cut;                /* first message that stays */
	json_t *between;           /* NULL: none */
	size_t place;              /* of it: in front of this message */
	bool is_joined;            /* with that message, in one */
	struct chat_report *report;
};

static bool
is_removed(const struct compaction *work, size_t i)
{
	return i < work->cut && work->chat->messages[i].role != ROLE_SYSTEM;
}

/* As the budget counts: with the margin of an encoding that is a guess. */
static uint64_t
with_margin(const struct compaction *work, uint64_t tokens)
{
	return tokens + limits_margin(&work->chat->limits, tokens);
}

/* Sets message.before, up to the one behind the last. */
static void
sum_up(struct chat *chat)
{
	uint64_t tokens = 0;

	for (size_t i = 0; i <= chat->nr; i++) {
		chat->messages[i].before = tokens;
		if (i < chat->nr && chat->messages[i].role != ROLE_SYSTEM)
			tokens += chat->messages[i].tokens;
	}
}

/* What is in use if all before `cut` goes and a summary comes. */
static uint64_t
used_after(const struct compaction *work, size_t cut)
{
	uint64_t both = work->budget.system + work->budget.messages;

	return with_margin(work, both - work->chat->messages[cut].before +
					 work->allowance);
}

/* The first message of the newest ones that fill the share to preserve. */
static size_t
preserved_from(const struct compaction *work)
{
	const struct chat *chat = work->chat;
	uint64_t whole = min_u64(work->budget.room, work->budget.used);
	uint64_t share = (uint64_t)((double)whole * chat->options->preserve);
	uint64_t tokens = 0;
	size_t i = chat->nr;

	while (i > 0) {
		const struct message *message = &chat->messages[i - 1];

		if (message->role != ROLE_SYSTEM)
			tokens += message->tokens;
		if (with_margin(work, tokens) > share)
			break;
		i--;
	}
	/* the newest stays, however long it is */
	return i < chat->nr ? i : chat->nr - 1;
}

/* Sets work->cut; false: there is no place, or nothing to be gained. */
static bool
find_cut(struct compaction *work)
{
	const struct chat *chat = work->chat;
	uint64_t wanted = (uint64_t)((double)work->budget.room *
				     chat->options->threshold);
	size_t start;
	size_t back;

	if (chat->nr == 0)
		return false;
	sum_up(work->chat);
	start = preserved_from(work);
	back = start;
	while (back > 0 && chat->messages[back].is_glued)
		back--;
	work->cut = back;
	if (chat->messages[back].before >= REMOVE_TOKENS_LEAST &&
	    used_after(work, back) <= wanted)
		return true;
	for (size_t i = start; i < chat->nr; i++) {
		if (chat->messages[i].is_glued ||
		    chat->messages[i].before < REMOVE_TOKENS_LEAST)
			continue;
		work->cut = i;
		if (used_after(work, i) <= work->budget.room)
			return true;
	}
	return false;
}

/* The part that goes, as a summariser is shown it. */
static int
describe_removed(const struct compaction *work, FILE *out)
{
	static const char *const names[ROLE_NR] = { "system", "user",
						    "assistant", "tool" };
	const struct chat *chat = work->chat;

	for (size_t i = 0; i < work->cut; i++) {
		const struct message *message = &chat->messages[i];
		int result;

		if (!is_removed(work, i))
			continue;
		fprintf(out, "## %s\n", names[message->role]);
		result = chat_describe(chat->ops,
				       message->pruned != NULL ? message->pruned
							       : message->json,
				       out);
		if (result != 0)
			return result;
		fputc('\n', out);
	}
	return 0;
}

/* A message in between from its text, which stands in its one part, or is all
 * of its content; -ENOMEM. */
static int
set_between(struct compaction *work, char *all)
{
	json_t *message = json_loads(work->chat->ops->user_message, 0, NULL);
	json_t *part = json_array_get(json_object_get(message, "content"), 0);
	int failed = json_object_set_new(part != NULL ? part : message,
					 part != NULL ? "text" : "content",
					 all == NULL ? NULL : json_string(all));

	free(all);
	json_decref(work->between);
	work->between = failed == 0 ? message : NULL;
	if (failed != 0)
		json_decref(message);
	return failed == 0 ? 0 : -ENOMEM;
}

/* Why a summary does not do, though there is one; NULL: it does. */
static const char *
find_fault(const struct compaction *work)
{
	uint64_t tokens = chat_count_json(work->chat, work->between);

	if (tokens >= work->chat->messages[work->cut].before)
		return "is longer than the text it summarises";
	if (tokens > work->allowance &&
	    used_after(work, work->cut) +
			    with_margin(work, tokens - work->allowance) >
		    work->budget.room)
		return "does not fit into the room";
	return NULL;
}

/* 0: the summary stands in between; else why not, in *error. */
static int
summarize(struct compaction *work, struct window_error *error)
{
	const struct chat_options *options = work->chat->options;
	char *transcript;
	char *text = NULL;
	struct summary_spec spec = {
		.command = options->summarizer,
		.instructions = options->instructions,
		.max_tokens = work->allowance,
		.time_limit_ms = options->time_limit_ms,
		.output_max_bytes = options->summary_bytes_max,
	};
	FILE *out = open_memstream(&transcript, &spec.transcript_bytes);
	const char *fault;
	char *summary = NULL;
	int result = out == NULL ? -ENOMEM : describe_removed(work, out);

	if (out != NULL && text_end(out, &transcript) == NULL)
		result = -ENOMEM;
	if (result != 0) {
		if (out != NULL)
			free(transcript);
		return window_fail(error, result, "out of memory");
	}
	spec.transcript = transcript;
	result = summary_make(&spec, &summary, error);
	free(transcript);
	if (result != 0)
		return result;
	if (asprintf(&text, "%s%s%s", summary_head, summary, summary_tail) < 0)
		text = NULL;
	free(summary);
	if (set_between(work, text) != 0)
		return window_fail(error, -ENOMEM, "out of memory");
	fault = find_fault(work);
	if (fault == NULL)
		return 0;
	return window_fail(error, -EMSGSIZE, "BALE-WIN-012 the summary %s",
			   fault);
}

/*
 * What is in between is the beginning of the message of the user's that is
 * behind it, so that roles alternate if they did. 0 or -ENOMEM.
 */
static int
join_next(struct compaction *work)
{
	const struct chat *chat = work->chat;
	const struct message *next;
	size_t i = work->cut;

	while (i < chat->nr && chat->messages[i].role == ROLE_SYSTEM)
		i++;
	next = &chat->messages[i];
	if (i == chat->nr || next->role != ROLE_USER)
		return 0;
	work->place = i;
	work->is_joined = true;
	return chat_join(chat->ops, work->between,
			 next->pruned != NULL ? next->pruned : next->json);
}

static size_t
removed_nr(const struct compaction *work)
{
	size_t nr = 0;

	for (size_t i = 0; i < work->cut; i++)
		nr += is_removed(work, i);
	return nr;
}

/* A summary, or a note that something is missing. */
static int
fill_between(struct compaction *work, struct window_error *error)
{
	struct chat *chat = work->chat;
	struct window_error why;
	char *note;
	int result;

	work->report->removed = removed_nr(work);
	if (chat->options->summarizer != NULL) {
		result = summarize(work, &why);
		work->report->method = CHAT_SUMMARIZED;
		if (result == 0)
			return 0;
		if (result == -ENOMEM)
			return window_fail(error, result, "out of memory");
		chat_warn(chat,
			  "%s; the oldest %zu messages were left out without a "
			  "summary",
			  why.text, work->report->removed);
		work->report->fell_back = true;
	}
	work->report->method = CHAT_TRUNCATED;
	if (asprintf(
		    &note,
		    "[The earlier part of this conversation, %zu messages, was "
		    "left out to make room.]",
		    work->report->removed) < 0)
		note = NULL;
	if (set_between(work, note) != 0)
		return window_fail(error, -ENOMEM, "out of memory");
	return 0;
}

/* Adds a message, with what stood between messages in front of it. */
static void
add_message(const struct chat *chat, FILE *out, bool *is_first,
	    const char *bytes, size_t nr)
{
	const struct message *messages = chat->messages;

	if (!*is_first && chat->nr > 1)
		fwrite(chat->text + messages[0].end, 1,
		       messages[1].begin - messages[0].end, out);
	else if (!*is_first)
		fputc(',', out);
	*is_first = false;
	fwrite(bytes, 1, nr, out);
}

static int
add_json(const struct chat *chat, FILE *out, bool *is_first, const json_t *json)
{
	char *dump = json_text(json, JSON_COMPACT);

	if (dump == NULL)
		return -ENOMEM;
	add_message(chat, out, is_first, dump, strlen(dump));
	free(dump);
	return 0;
}

/* The whole text again, with the messages that there are now. */
static int
render(const struct compaction *work, FILE *out)
{
	const struct chat *chat = work->chat;
	bool is_first = true;
	int result = 0;

	fwrite(chat->text, 1, chat->messages[0].begin, out);
	for (size_t i = 0; i <= chat->nr; i++) {
		const struct message *message = &chat->messages[i];

		if (i == work->place && work->between != NULL)
			result |= add_json(chat, out, &is_first, work->between);
		if (i == chat->nr || is_removed(work, i) ||
		    (i == work->place && work->is_joined))
			continue;
		if (message->pruned != NULL)
			result |=
				add_json(chat, out, &is_first, message->pruned);
		else
			add_message(chat, out, &is_first,
				    chat->text + message->begin,
				    message->end - message->begin);
	}
	fwrite(chat->text + chat->messages[chat->nr - 1].end, 1,
	       chat->bytes - chat->messages[chat->nr - 1].end, out);
	return result;
}

/* Opens what came out as if it came from a stranger. */
static int
check_result(const struct compaction *work, const char *text, size_t bytes,
	     struct window_error *error)
{
	struct chat_options options = *work->chat->options;
	struct window_error why;
	struct chat *again;
	int result;

	options.format = work->chat->format;
	result = chat_open(&again, text, bytes, &options, &why);
	if (result != 0)
		return window_fail(error, -EPROTO,
				   "BALE-CMP-009 the result would not be "
				   "valid, so nothing was written: %.300s",
				   why.text);
	chat_budget(again, &work->report->after);
	chat_close(again);
	if (work->report->after.used > work->report->before.used)
		return window_fail(error, -EPROTO,
				   "BALE-CMP-009 the result would be longer "
				   "than what went in, so nothing was written");
	return 0;
}

static int
fail_too_long(const struct compaction *work, struct window_error *error)
{
	return window_fail(error, -E2BIG,
			   "BALE-CMP-008 the system prompt and the newest "
			   "exchange alone need %ju tokens of the %ju there "
			   "are; nothing was written. Use a model with a "
			   "larger window, lower --reserve-response or "
			   "--keep-recent, or shorten the newest messages",
			   work->budget.used, work->budget.room);
}

/* Decides what is to be done; afterwards everything is ready to render. */
static int
plan(struct compaction *work, struct window_error *error)
{
	struct chat *chat = work->chat;
	const struct chat_options *options = chat->options;
	int result = chat_prune(chat, &work->report->pruned, error);

	if (result != 0)
		return result;
	chat_budget(chat, &work->budget);
	work->report->method =
		work->report->pruned > 0 ? CHAT_PRUNED : CHAT_UNCHANGED;
	if (options->trigger == CHAT_TRIGGER_AUTO && !work->budget.due)
		return 0;
	work->allowance = max_u64(
		min_u64(work->budget.room / SUMMARY_SHARE, SUMMARY_TOKENS_MOST),
		SUMMARY_TOKENS_LEAST);
	if (find_cut(work)) {
		work->place = work->cut;
		result = fill_between(work, error);
		if (result == 0 && join_next(work) != 0)
			result = window_fail(error, -ENOMEM, "out of memory");
		return result;
	}
	work->cut = 0;
	if (work->budget.overflow > 0)
		return fail_too_long(work, error);
	chat_warn(chat,
		  "BALE-CMP-010 there is nothing that could be left out; the "
		  "messages stay%s",
		  work->report->pruned > 0 ? ", but for pruned results" : "");
	return 0;
}

static int
copy_unchanged(const struct chat *chat, char **text, size_t *bytes,
	       struct window_error *error)
{
	*bytes = chat->bytes;
	*text = malloc(chat->bytes + 1);
	if (*text == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	*(char *)mempcpy(*text, chat->text, chat->bytes) = '\0';
	return 0;
}

static int
write_result(struct compaction *work, char **text, size_t *bytes,
	     struct window_error *error)
{
	FILE *out;
	int result;

	if (work->report->method == CHAT_UNCHANGED) {
		work->report->after = work->report->before;
		return copy_unchanged(work->chat, text, bytes, error);
	}
	out = open_memstream(text, bytes);
	if (out == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	result = render(work, out);
	if (text_end(out, text) == NULL || result != 0)
		result = window_fail(error, -ENOMEM, "out of memory");
	else
		result = check_result(work, *text, *bytes, error);
	if (result != 0) {
		free(*text);
		*text = NULL;
	}
	return result;
}

int
chat_compact(struct chat *chat, char **text, size_t *bytes,
	     struct chat_report *report, struct window_error *error)
{
	struct compaction work = { .chat = chat, .report = report };
	int result;

	*report = (struct chat_report){ .method = CHAT_UNCHANGED };
	chat_budget(chat, &report->before);
	report->after = report->before;
	if (chat->options->trigger == CHAT_TRIGGER_AUTO && !report->before.due)
		return copy_unchanged(chat, text, bytes, error);
	hook_before(chat, &report->before);
	result = plan(&work, error);
	if (result == 0)
		result = write_result(&work, text, bytes, error);
	json_decref(work.between);
	return result;
}
