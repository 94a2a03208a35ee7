/* SPDX-License-Identifier: MIT */
/*
 * cmd_window.c - `bale window FILE ACTION`: the command line and the frame of
 *                every action: lock, read, act, write, tell.
 */
#include "supervisor/cmd_window.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "supervisor/broker.h"
#include "supervisor/cmd_window_log.h"
#include "supervisor/stream.h"
#include "supervisor/supervisor.h"
#include "window/limits.h"

#define LIMIT_MAX 1000000000000

static const char *const verbs[VERB_NR] = {
	"add",     "remove", "pin",   "unpin",    "priority", "list",   "build",
	"compact", "clear",  "stats", "snapshot", "restore",  "limits",
};

#define ON(verb) (1u << VERB_##verb)
#define MAKING (ON(ADD) | ON(RESTORE))
#define CHANGING (ON(ADD) | ON(REMOVE) | ON(BUILD) | ON(COMPACT) | ON(CLEAR))
#define READING (ON(LIST) | ON(STATS) | ON(SNAPSHOT))
#define ROOM (ON(ADD) | ON(BUILD) | ON(COMPACT))
#define FIELD(field) offsetof(struct window_args, field)

/* clang-format off */
static const struct arg_spec specs[] = {
	{ "type", "TYPE", KIND_TEXT, FIELD(type), 0, 0, ON(ADD) | ON(LIST),
	  "system_prompt, instruction, retrieved_document, working_memory, "
	  "tool_result, user_message, assistant_message or other (default)" },
	{ "priority", "N", KIND_NUMBER, FIELD(priority), 0, 1000000000, ON(ADD),
	  "0 to 100, more is more important (default: 50)" },
	{ "pin", NULL, KIND_FLAG, FIELD(pin), 0, 0, ON(ADD),
	  "compaction does not remove it" },
	{ "role", "NAME", KIND_TEXT, FIELD(role), 0, 0, ON(ADD),
	  "of a message: user, assistant, system" },
	{ "source", "TEXT", KIND_TEXT, FIELD(source), 0, 0, ON(ADD),
	  "where it comes from" },
	{ "metadata", "JSON", KIND_TEXT, FIELD(metadata), 0, 0, ON(ADD),
	  "an object to be kept with it" },
	{ "id", "ID", KIND_TEXT, FIELD(id), 0, 0, ON(ADD),
	  "its id (default: a new UUID, which is printed)" },
	{ "tokens", "N", KIND_TOKENS, FIELD(tokens), 0, LIMIT_MAX, ON(ADD),
	  "its tokens, if not to be counted" },
	{ "content", "TEXT", KIND_TEXT, FIELD(content), 0, 0, ON(ADD),
	  "its text (default: stdin)" },
	{ "jsonl", NULL, KIND_FLAG, FIELD(jsonl), 0, 0, ON(ADD),
	  "add many: stdin has one item a line, as JSON; prints how many "
	  "could be added" },
	{ "strict", NULL, KIND_FLAG, FIELD(strict), 0, 0, ON(ADD),
	  "with --jsonl: all of them or none" },
	{ "max-tokens", "N", KIND_TOKENS, FIELD(max_tokens), 1, LIMIT_MAX,
	  MAKING | ON(LIMITS), "limit of a new window (default: 128000, or "
	  "the model's)" },
	{ "threshold", "PERCENT", KIND_RATIO, FIELD(threshold), 0, 100 * RATIO_ONE,
	  MAKING | ON(LIMITS), "an add beyond it compacts (default: 85)" },
	{ "strategy", "NAME", KIND_TEXT, FIELD(strategy), 0, 0,
	  MAKING | ON(LIMITS) | ON(COMPACT),
	  "remove_oldest, remove_low_priority (default), summarize or "
	  "selective" },
	{ "model", "NAME", KIND_TEXT, FIELD(model), 0, 0, MAKING,
	  "limit and encoding of a new window" },
	{ "encoding", "NAME", KIND_TEXT, FIELD(encoding), 0, 0, MAKING,
	  "encoding of a new window (default: o200k_base)" },
	{ "pinned", NULL, KIND_FLAG, FIELD(pinned), 0, 0, ON(LIST),
	  "only what is pinned" },
	{ "json", NULL, KIND_FLAG, FIELD(json), 0, 0,
	  ON(LIST) | ON(BUILD) | ON(COMPACT) | ON(STATS), "as JSON" },
	{ "openmetrics", NULL, KIND_FLAG, FIELD(openmetrics), 0, 0, ON(STATS),
	  "as OpenMetrics text" },
	{ "no-system", NULL, KIND_NEGATE, FIELD(build.system_prompt), 0, 0,
	  ON(BUILD), "leave out system prompts" },
	{ "no-instructions", NULL, KIND_NEGATE, FIELD(build.instructions), 0,
	  0, ON(BUILD), "leave out instructions" },
	{ "no-history", NULL, KIND_NEGATE, FIELD(build.history), 0, 0,
	  ON(BUILD), "leave out messages" },
	{ "no-memory", NULL, KIND_NEGATE, FIELD(build.memory), 0, 0, ON(BUILD),
	  "leave out working memory" },
	{ "history", "N", KIND_NUMBER, FIELD(history), 0, 1000, ON(BUILD),
	  "the newest N messages (default: 10)" },
	{ "separator", "TEXT", KIND_TEXT, FIELD(build.separator), 0, 0,
	  ON(BUILD), "between items (default: a line of three dashes)" },
	{ "message-format", "TEXT", KIND_TEXT, FIELD(build.message_format), 0,
	  0, ON(BUILD), "of items with a role (default: [{role}]: {content})" },
	{ "reserve-response", "N", KIND_TOKENS, FIELD(build.reserve_tokens), 0,
	  LIMIT_MAX, ON(BUILD), "tokens kept for the answer (default: 1000)" },
	{ "query", "TEXT", KIND_TEXT, FIELD(query), 0, 0, ROOM,
	  "what matters: for the strategy selective; in build also which "
	  "memory is taken" },
	{ "target", "PERCENT", KIND_RATIO, FIELD(target), 0, 100 * RATIO_ONE, ON(COMPACT),
	  "how full it is afterwards (default: 70)" },
	{ "summarizer", "CMD", KIND_TEXT, FIELD(commands.summarizer), 0, 0,
	  ROOM, "a command that reads a prompt and prints a summary" },
	{ "embedder", "CMD", KIND_TEXT, FIELD(commands.embedder), 0, 0, ROOM,
	  "a command that reads {\"input\": [...]} and prints "
	  "{\"embeddings\": [[...], ...]}" },
	{ "time-limit", "SECONDS", KIND_NUMBER, FIELD(time_limit_s), 1, 86400,
	  ROOM, "for these commands (default: 120)" },
	{ "summary-bytes", "SIZE", KIND_SIZE, FIELD(summary_bytes), 1, 1 << 30,
	  ROOM, "the longest summary (default: 256K)" },
	{ "tier", "NAME", KIND_TEXT, FIELD(tier), 0, 0,
	  ROOM | ON(LIMITS) | ON(RESTORE), "core, writerpro, teams, enterprise "
	  "or unrestricted (default); the first two have no summarize and no "
	  "selective" },
	{ "with-pinned", NULL, KIND_FLAG, FIELD(with_pinned), 0, 0, ON(CLEAR),
	  "also what is pinned" },
	{ "events", "FILE", KIND_TEXT, FIELD(events), 0, 0, CHANGING,
	  "append what happens, one JSON object a line" },
	{ "wait", "SECONDS", KIND_NUMBER, FIELD(wait_s), 0, 86400,
	  ARG_VERBS_ALL, "for other processes to end (default: 120)" },
	{ "log-level", "error|warning|info|debug", KIND_CHOICE,
	  FIELD(log_level), 0, 0, ARG_VERBS_ALL,
	  "what is told on stderr (default: warning)" },
	{ "log-json", NULL, KIND_FLAG, FIELD(log_json), 0, 0, ARG_VERBS_ALL,
	  "tell it as JSON lines" },
};
/* clang-format on */

/* Limits are those of a new window; one that is there has its own. */
static const struct arg_key keys[] = {
	{ "max-tokens", "window.max_tokens", MAKING },
	{ "threshold", "window.compaction_threshold", MAKING },
	{ "strategy", "window.strategy", MAKING },
	{ "target", "window.target", ON(COMPACT) },
	{ "reserve-response", "window.response_reserve", ON(BUILD) },
	{ "tier", "policy.tier", ARG_VERBS_ALL },
};

static void
name_outside(const void *fields, const struct args *args,
	     struct broker_names *out)
{
	const struct window_args *own = fields;

	*out = (struct broker_names){
		.store = args->operands.items[0],
		.reads_only = (READING & 1u << args->verb) != 0,
		.append = own->events,
		.commands = { own->commands.summarizer,
			      own->commands.embedder },
	};
}

const struct arg_command window_command = {
	.name = "window",
	.usage = "bale window FILE ACTION [OPTIONS] [ARGUMENTS]\n\n"
		 "  add                add an item; makes the file\n"
		 "  remove ID          remove it\n"
		 "  pin ID, unpin ID   compaction passes over it, or not\n"
		 "  priority ID N      change it\n"
		 "  list               all items, in order\n"
		 "  build              print the context\n"
		 "  compact            make room\n"
		 "  clear              remove all that is not pinned\n"
		 "  stats              sums\n"
		 "  snapshot           print all of it, as JSON\n"
		 "  restore            become a snapshot, from stdin\n"
		 "  limits             change limit, threshold, strategy",
	.epilogue = "Not every action takes every option. docs/window.md has "
		    "the file, the events\nand the error codes.\n",
	.verbs = verbs,
	.verb_nr = VERB_NR,
	.verb_place = 1,
	.specs = specs,
	.spec_nr = ARRAY_LEN(specs),
	.keys = keys,
	.key_nr = ARRAY_LEN(keys),
	.name_outside = name_outside,
};

static void
run_fini(struct window_run *run)
{
	window_log_free(run);
	window_file_close(run->file);
	free(run->output);
}

static int
fail_word(const char *option, const char *word, const char *choices)
{
	char quoted[128];

	diag_quote_text(quoted, sizeof(quoted), word);
	diag_log(DIAG_ERROR, "BALE-CLI-002 --%s: %s is not one of %s", option,
		 quoted, choices);
	return EXIT_USAGE;
}

/* Words to values; EXIT_COMPLETE or EXIT_USAGE. */
static int
read_words(struct window_run *run)
{
	const struct window_args *args = &run->args;
	char quoted[128];

	if (args->type != NULL && !window_type_find(args->type, &run->type)) {
		diag_log(DIAG_ERROR,
			 "BALE-WIN-003 --type: %s is not one of "
			 "system_prompt, instruction, retrieved_document, "
			 "working_memory, tool_result, user_message, "
			 "assistant_message, other",
			 diag_quote_text(quoted, sizeof(quoted), args->type));
		return EXIT_USAGE;
	}
	if (args->strategy != NULL &&
	    !window_strategy_find(args->strategy, &run->options.strategy))
		return fail_word("strategy", args->strategy,
				 "remove_oldest, remove_low_priority, "
				 "summarize, selective");
	if (args->tier != NULL &&
	    !window_tier_find(args->tier, &run->options.tier))
		return fail_word("tier", args->tier,
				 "unrestricted, core, writerpro, teams, "
				 "enterprise");
	return EXIT_COMPLETE;
}

/* What a new window is like, and what helps the strategies. */
static void
fill_options(struct window_run *run)
{
	struct window_args *args = &run->args;
	struct window_options *options = &run->options;

	if (args->model != NULL) {
		struct model_limits limits = limits_find(args->model, NULL, 0);

		options->max_tokens = limits.context_tokens;
		options->encoding = limits.encoding;
		if (!limits.is_known)
			diag_log(DIAG_WARN,
				 "BALE-WIN-018 unknown model; taking a limit "
				 "of %llu tokens and %s",
				 (unsigned long long)limits.context_tokens,
				 limits.encoding);
	}
	/* a model of the command line comes before a limit of a file */
	if (args->max_tokens != 0 &&
	    (args->model == NULL || !run->is_limit_from_file))
		options->max_tokens = args->max_tokens;
	if (args->encoding != NULL)
		options->encoding = args->encoding;
	if (args->threshold != 0)
		options->threshold = option_ratio(args->threshold);
	args->commands.time_limit_ms = args->time_limit_s * 1000;
	args->commands.output_max_bytes = args->summary_bytes;
	options->query = args->query;
	options->on_event = window_log_keep;
	options->arg = run;
	if (args->commands.summarizer != NULL)
		options->summarize = run_summarizer;
	if (args->commands.embedder != NULL)
		options->relevance = run_embedder;
	args->build.memory_query = args->query;
	args->build.history_max = (uint32_t)args->history;
}

/* Room that was made without being asked for is worth a word. */
static void
warn_of_compaction(const struct window_run *run)
{
	const struct window_event *event = &run->compacted;

	if (run->verb == VERB_COMPACT || event->items == 0)
		return;
	diag_log(DIAG_WARN,
		 "BALE-WIN-020 no room below the threshold, so %u items (%llu "
		 "tokens) were removed by %s%s: usage was %.1f%%, is %.1f%%",
		 event->items, (unsigned long long)event->tokens,
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
	bool makes = run->verb == VERB_ADD || run->verb == VERB_RESTORE;
	int result = window_file_open(&run->file, path, &run->options, makes,
				      run->args.wait_s * 1000, &error);
	int code;

	if (result == -ENOENT)
		diag_log(DIAG_ERROR,
			 "%s; `add`, `restore` and `record` make one",
			 error.text);
	else if (result != 0)
		args_log_about(path, error.text);
	if (result != 0)
		return window_exit_code(result);
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
		if (result != 0) {
			diag_log(DIAG_ERROR, "%s", error.text);
			return EXIT_OUTPUT;
		}
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
	result = window_log_tell(run);
	if (result == EXIT_COMPLETE)
		result = stream_finish_stdout();
	return result != EXIT_COMPLETE ? result : code;
}

int
cmd_window(int argc, char **argv)
{
	struct window_run run = {
		.args = { .priority = WINDOW_PRIORITY_DEFAULT,
			  .history = 10,
			  .target = (uint64_t)WINDOW_TARGET_DEFAULT * RATIO_ONE,
			  .time_limit_s = 120,
			  .summary_bytes = 256 << 10,
			  .wait_s = 120,
			  .log_level = DIAG_WARN,
			  .build = window_build_defaults() },
		.type = WINDOW_OTHER,
		.options = window_defaults(),
	};
	struct args args;
	char run_id[33];
	int code;

	if (args_begin(&window_command, argc, argv, &run.args, &args, &code)) {
		snprintf(run_id, sizeof(run_id), "%s", diag_run_id());
		diag_init(STDERR_FILENO, run.args.log_level, run.args.log_json,
			  run_id);
		run.verb = (enum window_verb)args.verb;
		run.is_limit_from_file =
			args_is_from_file(&window_command, &args, "max-tokens");
		run.operands = &args.operands;
		code = read_words(&run);
		if (code == EXIT_COMPLETE)
			code = window_check_operands(&run);
		if (code == EXIT_COMPLETE) {
			fill_options(&run);
			code = carry_out(&run, args.operands.items[0]);
		}
	}
	run_fini(&run);
	args_fini(&args);
	return code;
}
