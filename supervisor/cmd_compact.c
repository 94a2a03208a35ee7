/* SPDX-License-Identifier: MIT */
/*
 * cmd_compact.c - `bale compact`: stdin to stdout, or a file in its place.
 *
 * Nothing is written before all of the new conversation is there and has been
 * checked; with --in-place the file is replaced as a whole.
 */
#include "supervisor/cmd_compact.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shm/fd_io.h"
#include "supervisor/broker.h"
#include "supervisor/cmd_window_args.h"
#include "supervisor/stream.h"
#include "supervisor/supervisor.h"
#include "window/chat.h"
#include "window/store.h"

#define SHARE(x) ((uint64_t)((x)*RATIO_ONE + 0.5))
#define LIMIT_MAX 1000000000000

/* Exit codes of --check; docs/compact.md. */
#define EXIT_DUE 10
#define EXIT_CRITICAL 11

/* Options of the command line. */
struct compact_args {
	struct chat_options chat;
	struct text_list betas;
	const char *format;
	const char *trigger;
	uint64_t threshold; /* in millionths, as the next two */
	uint64_t critical;
	uint64_t preserve;
	uint64_t time_limit_s;
	uint64_t summary_bytes;
	const char *in_place;
	const char *record;
	const char *tier;
	bool check;
	bool strict;
	bool quiet;
};

/* One run of the command. */
struct compact_run {
	struct compact_args args;
	struct store store; /* with --in-place */
	char *text;
	size_t bytes;
	struct chat *chat;
	char *out;
	size_t out_bytes;
	struct chat_report report;
};

#define FIELD(field) offsetof(struct compact_args, field)
#define SPEC(name, argument, kind, field, min, max, help)            \
	{                                                            \
		name, argument, KIND_##kind, FIELD(field), min, max, \
			ARG_VERBS_ALL, help                          \
	}

/* clang-format off */
static const struct arg_spec specs[] = {
	SPEC("format", "NAME", TEXT, format, 0, 0,
	     "openai-chat, openai-responses, anthropic or auto (default)"),
	SPEC("model", "NAME", TEXT, chat.model, 0, 0,
	     "whose window it is (default: \"model\" of the request)"),
	SPEC("beta", "NAME", LIST, betas, 0, 0,
	     "a beta that is switched on; may be given again"),
	SPEC("encoding", "NAME", TEXT, chat.encoding, 0, 0,
	     "count with this one instead of the model's"),
	SPEC("limit", "N", TOKENS, chat.limit_tokens, 1, LIMIT_MAX,
	     "tokens of the window (default: the model's)"),
	SPEC("system-tokens", "N", TOKENS, chat.system_tokens, 0, LIMIT_MAX,
	     "of a system prompt that is not in the input"),
	SPEC("reserve-response", "N", TOKENS, chat.reserve_tokens, 0, LIMIT_MAX,
	     "tokens kept for the answer (default: 16384, or a "
	     "quarter of the window)"),
	SPEC("threshold", "SHARE", RATIO, threshold, 0, RATIO_ONE,
	     "above it compaction is due (default: 0.80)"),
	SPEC("critical", "SHARE", RATIO, critical, 0, RATIO_ONE,
	     "above it it is urgent (default: 0.95)"),
	SPEC("preserve", "SHARE", RATIO, preserve, 0, RATIO_ONE,
	     "of the context stays as it is (default: 0.40)"),
	SPEC("prune-over", "N", NUMBER, chat.prune_over, 1, 1000000000,
	     "old tool results over so many characters are shortened "
	     "(default: 1000)"),
	SPEC("keep-recent", "N", NUMBER, chat.keep_recent, 0, 1000000000,
	     "the newest N tool results are not (default: 5)"),
	SPEC("summarizer", "CMD", TEXT, chat.summarizer, 0, 0,
	     "a command that reads a prompt and prints a summary (default: "
	     "none, the older part is left out)"),
	SPEC("instructions", "TEXT", TEXT, chat.instructions, 0, 0,
	     "what the summary should look to"),
	SPEC("time-limit", "SECONDS", NUMBER, time_limit_s, 1, 86400,
	     "for a command (default: 120)"),
	SPEC("summary-bytes", "SIZE", SIZE, summary_bytes, 1, 1 << 30,
	     "the longest summary (default: 256K)"),
	SPEC("hook-pre", "CMD", TEXT, chat.hook_pre, 0, 0,
	     "run before, with JSON on stdin"),
	SPEC("hook-post", "CMD", TEXT, chat.hook_post, 0, 0,
	     "run afterwards, with JSON on stdin"),
	SPEC("trigger", "auto|manual", TEXT, trigger, 0, 0,
	     "auto: only if due (default); manual: in any case"),
	SPEC("stop-reason", "WORD", TEXT, chat.stop_reason, 0, 0,
	     "why the model stopped; max_tokens, length and such are critical"),
	SPEC("session", "ID", TEXT, chat.session, 0, 0,
	     "stands in hooks and in the record"),
	SPEC("in-place", "FILE", TEXT, in_place, 0, 0,
	     "read FILE and replace it"),
	SPEC("record", "FILE", TEXT, record, 0, 0,
	     "append the compact-boundary record (default: to stderr)"),
	SPEC("tier", "NAME", TEXT, tier, 0, 0,
	     "core, writerpro, teams, enterprise or unrestricted (default); "
	     "the first two have no summary"),
	SPEC("check", NULL, FLAG, check, 0, 0,
	     "only say whether it is due: JSON, and exit code 0, 10 or 11"),
	SPEC("strict", NULL, FLAG, strict, 0, 0,
	     "write nothing if the summary fails"),
	SPEC("quiet", NULL, FLAG, quiet, 0, 0,
	     "no record on stderr"),
};
/* clang-format on */

static const struct arg_key keys[] = {
	{ "threshold", "compaction.threshold", ARG_VERBS_ALL },
	{ "critical", "compaction.critical", ARG_VERBS_ALL },
	{ "preserve", "compaction.preserve", ARG_VERBS_ALL },
	{ "prune-over", "compaction.prune_over", ARG_VERBS_ALL },
	{ "keep-recent", "compaction.keep_recent", ARG_VERBS_ALL },
	{ "reserve-response", "compaction.response_reserve", ARG_VERBS_ALL },
	{ "tier", "policy.tier", ARG_VERBS_ALL },
};

static void
name_outside(const void *fields, const struct args *args,
	     struct broker_names *out)
{
	const struct compact_args *own = fields;

	(void)args;
	*out = (struct broker_names){
		.store = own->in_place,
		.reads_only = own->check,
		.append = own->record,
		.commands = { own->chat.summarizer, own->chat.hook_pre,
			      own->chat.hook_post },
	};
}

const struct arg_command compact_command = {
	.name = "compact",
	.usage = "bale compact [OPTIONS] < messages.json > messages.json",
	.epilogue = "Exit codes: 0 done, or not due; 2 usage, or no valid "
		    "conversation; 3 the\nsummarizer failed and the older part "
		    "was left out; 8 it cannot be brought under\nits limit; "
		    "with --check 10: due, 11: critical. See "
		    "docs/compact.md.\n",
	.specs = specs,
	.spec_nr = ARRAY_LEN(specs),
	.keys = keys,
	.key_nr = ARRAY_LEN(keys),
	.name_outside = name_outside,
};

static void
warn(void *arg, const char *text)
{
	(void)arg;
	diag_log(DIAG_WARN, "%s", text);
}

static int
fail(int result, const struct window_error *error)
{
	diag_log(DIAG_ERROR, "%s", error->text);
	return window_exit_code(result);
}

/* Tiers that have no summaries of windows have none of conversations. */
static bool
allow_summary(const struct compact_args *own)
{
	enum window_tier tier = WINDOW_TIER_UNRESTRICTED;

	if (own->tier != NULL && !window_tier_find(own->tier, &tier)) {
		diag_log(DIAG_ERROR, "BALE-CLI-002 --tier: it is one of "
				     "unrestricted, core, writerpro, teams, "
				     "enterprise");
		return false;
	}
	if (own->check || own->chat.summarizer == NULL ||
	    window_tier_allows(tier, WINDOW_SUMMARIZE))
		return true;
	diag_log(DIAG_ERROR,
		 "BALE-CMP-015 the policy tier \"%s\" does not allow a "
		 "summary; without --summarizer old results are pruned and the "
		 "oldest messages left out, or use a tier from teams on",
		 own->tier);
	return false;
}

/* Words to values. */
static int
complete(struct compact_run *run, const struct args *args)
{
	struct compact_args *own = &run->args;

	if (args->operands.nr > 0) {
		diag_log(DIAG_ERROR,
			 "BALE-CLI-004 compact takes nothing more: the "
			 "messages come on stdin, or with --in-place FILE");
		return EXIT_USAGE;
	}
	if (own->format != NULL &&
	    !chat_format_find(own->format, &own->chat.format)) {
		diag_log(DIAG_ERROR,
			 "BALE-CLI-002 --format: it is one of auto, "
			 "openai-chat, openai-responses, anthropic");
		return EXIT_USAGE;
	}
	if (own->trigger != NULL && strcmp(own->trigger, "manual") == 0) {
		own->chat.trigger = CHAT_TRIGGER_MANUAL;
	} else if (own->trigger != NULL && strcmp(own->trigger, "auto") != 0) {
		diag_log(DIAG_ERROR,
			 "BALE-CLI-002 --trigger: it is auto or manual");
		return EXIT_USAGE;
	}
	if (!allow_summary(own))
		return EXIT_USAGE;
	for (size_t i = 0; i < ARRAY_LEN(specs); i++) {
		if (specs[i].offset == FIELD(chat.reserve_tokens))
			own->chat.reserve_given = (args->given >> i & 1) != 0;
	}
	own->chat.betas = own->betas.items;
	own->chat.beta_nr = own->betas.nr;
	own->chat.threshold = option_ratio(own->threshold);
	own->chat.critical = option_ratio(own->critical);
	own->chat.preserve = option_ratio(own->preserve);
	own->chat.time_limit_ms = own->time_limit_s * 1000;
	own->chat.summary_bytes_max = own->summary_bytes;
	own->chat.warn = warn;
	return EXIT_COMPLETE;
}

static int
read_input(struct compact_run *run)
{
	struct window_error error;
	int result;

	if (run->args.in_place == NULL) {
		result = chat_read_fd(STDIN_FILENO, &run->text, &run->bytes,
				      &error);
	} else {
		result = store_open(&run->store, run->args.in_place, NULL,
				    STORE_WAIT_DEFAULT_MS, &error);
		if (result == 0)
			result = store_read(&run->store, &run->text,
					    &run->bytes, &error);
	}
	if (result == 0)
		result = chat_open(&run->chat, run->text, run->bytes,
				   &run->args.chat, &error);
	if (result == 0)
		return EXIT_COMPLETE;
	args_log_about(run->args.in_place == NULL ? "stdin"
						  : run->args.in_place,
		       error.text);
	return window_exit_code(result);
}

static int
check(const struct compact_run *run)
{
	struct chat_budget budget;
	char *json;
	int code;

	chat_budget(run->chat, &budget);
	json = chat_budget_json(run->chat, &budget);
	if (json == NULL) {
		diag_log(DIAG_ERROR, "out of memory");
		return EXIT_RESOURCES;
	}
	puts(json);
	free(json);
	code = stream_finish_stdout();
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
	const char *path = run->args.record;
	char *line = NULL;
	int bytes = -1;
	int error = -ENOMEM;
	char quoted[256];

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
	diag_log(DIAG_ERROR,
		 "BALE-CMP-012 the record cannot be written to %s: %s; the "
		 "messages are in their place",
		 path == NULL ? "stderr"
			      : diag_quote_text(quoted, sizeof(quoted), path),
		 strerror(-error));
	return EXIT_OUTPUT;
}

static int
write_output(struct compact_run *run)
{
	struct window_error error;

	if (run->args.in_place == NULL) {
		fwrite(run->out, 1, run->out_bytes, stdout);
		return stream_finish_stdout();
	}
	if (run->report.method == CHAT_UNCHANGED)
		return EXIT_COMPLETE;
	if (store_replace(&run->store, run->out, run->out_bytes, &error) == 0)
		return EXIT_COMPLETE;
	diag_log(DIAG_ERROR, "%s", error.text);
	return EXIT_OUTPUT;
}

static int
compact(struct compact_run *run)
{
	struct window_error error;
	int result = chat_compact(run->chat, &run->out, &run->out_bytes,
				  &run->report, &error);
	int code;

	if (result != 0)
		return fail(result, &error);
	if (run->report.fell_back && run->args.strict) {
		diag_log(DIAG_ERROR,
			 "BALE-CMP-013 nothing was written, for --strict was "
			 "given and there is no summary");
		return EXIT_DEGRADED;
	}
	code = write_output(run);
	if (code != EXIT_COMPLETE || run->report.method == CHAT_UNCHANGED)
		return code;
	if (run->args.record != NULL || !run->args.quiet)
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
	free(run->args.betas.items);
	store_close(&run->store);
}

int
cmd_compact(int argc, char **argv)
{
	struct compact_run run = {
		.args = { .chat = chat_defaults(),
			  .threshold = SHARE(CHAT_THRESHOLD_DEFAULT),
			  .critical = SHARE(CHAT_CRITICAL_DEFAULT),
			  .preserve = SHARE(CHAT_PRESERVE_DEFAULT),
			  .time_limit_s = 120,
			  .summary_bytes = 256 << 10 },
		.store = STORE_NONE,
	};
	struct args args;
	int code;

	if (args_begin(&compact_command, argc, argv, &run.args, &args, &code)) {
		code = complete(&run, &args);
		if (code == EXIT_COMPLETE)
			code = read_input(&run);
		if (code == EXIT_COMPLETE)
			code = run.args.check ? check(&run) : compact(&run);
	}
	run_fini(&run);
	args_fini(&args);
	return code;
}
