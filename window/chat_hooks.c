/* SPDX-License-Identifier: MIT */
/*
 * chat_hooks.c - hooks, the boundary record and the budget as JSON.
 */
#include "window/chat_impl.h"

#include <stdlib.h>
#include <string.h>

#include "window/child.h"

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

void
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
	json_t *json = json_pack(
		"{s:s, s:s, s:b, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
		"format", chat_format_name(chat->format), "encoding",
		budget->encoding, "model_known", budget->is_model_known,
		"estimated", budget->estimated, "context_limit",
		(json_int_t)budget->limit, "output_reserve",
		(json_int_t)budget->reserve, "room", (json_int_t)budget->room,
		"system_tokens", (json_int_t)budget->system, "message_tokens",
		(json_int_t)budget->messages, "margin_tokens",
		(json_int_t)budget->margin, "used_tokens",
		(json_int_t)budget->used, "available_tokens",
		(json_int_t)budget->available);
	json_t *more = json_pack(
		"{s:b, s:I, s:f, s:f, s:f, s:b, s:b, s:I}", "overflow",
		budget->overflow > 0, "overflow_tokens",
		(json_int_t)budget->overflow, "utilization",
		budget->utilization, "threshold", chat->options->threshold,
		"critical_threshold", chat->options->critical, "due",
		budget->due, "critical", budget->critical, "messages",
		(json_int_t)budget->message_nr);

	if (json != NULL && more != NULL &&
	    json_object_update(json, more) != 0) {
		json_decref(json);
		json = NULL;
	}
	json_decref(more);
	return json != NULL ? dump(json) : NULL;
}
