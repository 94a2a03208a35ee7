/* SPDX-License-Identifier: MIT */
/*
 * options_complete.c - what options mean together, when all of them are known.
 *
 * Does: what follows from what was given, which cannot be given together, and
 *       says so.
 * Does not: look at single values (options_values.c).
 */
#include "supervisor/encoding.h"
#include "cli/command_line.h"
#include "cli/cli_text.h"
#include "tokenizer/models.h"
#include "stages/job.h"

#include <errno.h>
#include <string.h>

/* Whether an option was said in a place that comes before the other's. */
static bool
beats(const struct command_line *line, enum option_id id, enum option_id other)
{
	return line->from[id] > line->from[other];
}

static bool
takes(const struct command_line *line, enum option_id id)
{
	return option_is_of(line->command, id);
}

/*
 * A model stands for its encoding, its window and how sure a count is; what
 * was said of these in the same place, or in one that comes before it, stays.
 */
static int
take_model(struct command_line *line)
{
	struct options *run = &line->run;
	const struct tokenizer_model *model;
	char hint[HINT_BYTES];

	if (run->model == NULL)
		return 0;
	model = tokenizer_model(run->model);
	if (model == NULL)
		return complain(line,
				"BALE-CLI-002 --model: unknown model %s; see "
				"bale models, or give --encoding and "
				"--budget%s",
				WORD_QUOTED(run->model),
				tokenizer_model_hint(run->model, hint));
	if (beats(line, OPTION_MODEL, OPTION_ENCODING)) {
		run->encoding = model->encoding;
		line->from[OPTION_ENCODING] = FROM_MODEL;
	}
	if (beats(line, OPTION_MODEL, OPTION_BUDGET)) {
		run->pack.budget_tokens = model->window_tokens;
		line->from[OPTION_BUDGET] = FROM_MODEL;
	}
	/* with the model's own tokenizer there is nothing to estimate */
	if (model->tokenizer != MODEL_PUBLISHED ||
	    !encoding_is_file(run->encoding))
		run->pack.margin_percent = model->margin_percent;
	return 0;
}

/* The score and the budget have to leave something to go by. */
static int
check_sums(struct command_line *line)
{
	const struct job *pack = &line->run.pack;
	uint64_t reserved =
		pack->response_reserve_tokens + pack->system_reserve_tokens;

	if (pack->relevance_weight + pack->recency_weight +
		    pack->source_weight ==
	    0)
		return complain(line,
				"BALE-CLI-002 --relevance-weight, "
				"--recency-weight and --source-weight are all "
				"0; at least one must be greater");
	if (pack->budget_tokens == BUDGET_ALL || reserved < pack->budget_tokens)
		return 0;
	return complain(
		line,
		"BALE-BUD-005 the reserves (%ju for the response, %ju "
		"for the system prompt) leave nothing of a budget of %ju "
		"tokens; raise --budget, or lower --reserve-response or "
		"--reserve-system",
		pack->response_reserve_tokens, pack->system_reserve_tokens,
		pack->budget_tokens);
}

static int
refuse(struct command_line *line, const char *one, const char *other,
       const char *why)
{
	return complain(line, "BALE-CLI-005 %s cannot be given with %s: %s",
			one, other, why);
}

#define LEAVES_LINES_OUT \
	"it leaves lines out; headers say which lines there are"

/* Options that cannot be given together, with the reason. */
static int
check_together(struct command_line *line)
{
	const struct options *run = &line->run;
	const struct job *pack = &run->pack;
	bool is_pack = run->kind == JOB_PACK;
	bool has_tiers = run->tiers == TIERS_ON;
	bool has_template = run->template_path != NULL;
	const struct {
		bool is_given;
		const char *one;
		const char *other;
		const char *why;
	} clashes[] = {
		/* numbers are the source's: all of it has to be there */
		{ pack->markup.numbers && pack->compress, "--line-numbers",
		  "--compress", LEAVES_LINES_OUT },
		{ pack->markup.numbers && pack->strip_comments,
		  "--line-numbers", "--strip-comments", LEAVES_LINES_OUT },
		{ source_list_any(&run->sources) && pack->rev != NULL, "--rev",
		  "--open, --search, --tool, --reference or --sources",
		  "what they name is looked up in the directory, not in a "
		  "commit" },
		{ pack->git_diff != NULL && pack->rev != NULL, "--git-diff",
		  "--rev", "a commit has no work tree that differs from it" },
		{ is_pack && run->order == ORDER_RANK &&
			  pack->budget_tokens == BUDGET_ALL,
		  "--order rank", "--budget all",
		  "nothing is ranked then; give a --budget of tokens, however "
		  "many" },
		{ has_template && option_requested(line, OPTION_FORMAT),
		  "--template", "--format", "a template is a format" },
		{ has_template && pack->split_tokens > 0, "--template",
		  "--split",
		  "what a part would begin and end with is for the template to "
		  "say" },
		{ has_template && pack->git_diff != NULL, "--template",
		  "--git-diff", "there is no name for what it writes" },
		{ has_template && pack->git_log_nr > 0, "--template",
		  "--git-log", "there is no name for what it writes" },
		{ has_tiers && pack->compress, "--tiers on", "--compress",
		  "it reduces all files to signatures" },
		{ has_tiers && pack->markup.numbers, "--tiers on",
		  "--line-numbers", "signatures have no lines of their own" },
		{ has_tiers && pack->min_chunks > 1, "--tiers on",
		  "--min-chunks", "it is about chunks of text" },
	};

	for (size_t i = 0; i < ARRAY_LEN(clashes); i++)
		if (clashes[i].is_given)
			return refuse(line, clashes[i].one, clashes[i].other,
				      clashes[i].why);
	if (is_pack && pack->split_tokens > 0 && run->output_path == NULL)
		return complain(line,
				"BALE-CLI-005 --split writes several files: "
				"give --output NAME.md, and they are "
				"NAME-001.md and so on");
	return 0;
}

/* Files in full, or all by their signatures: what was said last of all. */
static int
set_pins(struct command_line *line)
{
	struct job *pack = &line->run.pack;

	if (pack->compress && line->run.pins.nr > 0) {
		if (beats(line, OPTION_COMPRESS, OPTION_PIN))
			return 0;
		if (!beats(line, OPTION_PIN, OPTION_COMPRESS))
			return refuse(line, "--pin", "--compress",
				      "it reduces all files to signatures");
		pack->compress = false;
	}
	pack->pins = line->run.pins.items;
	pack->pin_nr = line->run.pins.nr;
	line->run.pins_given = option_requested(line, OPTION_PIN);
	return 0;
}

/* The lists that workers read. */
static void
lend_lists(struct options *options)
{
	struct job *pack = &options->pack;

	pack->roots = options->operands.items;
	pack->root_nr = options->operands.nr;
	pack->includes = options->includes.items;
	pack->include_nr = options->includes.nr;
	pack->excludes = options->excludes.items;
	pack->exclude_nr = options->excludes.nr;
	pack->boosts = options->boosts.items;
	pack->boost_nr = options->boosts.nr;
}

/* A tree is of everything; what is not made is not cut into parts. */
static void
set_kind(struct command_line *line)
{
	struct options *options = &line->run;
	struct job *pack = &options->pack;

	options->kind = line->command == COMMAND_TREE      ? JOB_TREE
			: line->command == COMMAND_PREVIEW ? JOB_PREVIEW
							   : JOB_PACK;
	if (options->kind == JOB_TREE) {
		pack->budget_tokens = BUDGET_ALL;
		pack->whole_files = true;
		options->quiet = true;
	}
	/*
	 * A preview of a budget makes the output, and throws it away: what fits
	 * is known for certain when all of it has been counted as one text.
	 */
	pack->plan_only = options->kind == JOB_TREE ||
			  (options->kind == JOB_PREVIEW &&
			   pack->budget_tokens == BUDGET_ALL);
	if (pack->plan_only)
		pack->split_tokens = 0;
}

/* Whether each file's header says its hash: of what can come back as it was. */
static bool
has_hashes(const struct options *options)
{
	const struct job *pack = &options->pack;

	if (options->hashes != HASHES_ON && (options->hashes != HASHES_AUTO ||
					     pack->budget_tokens != BUDGET_ALL))
		return false;
	return pack->markup.kind < MARKUP_NR && !pack->compress &&
	       !pack->strip_comments && !pack->whole_files;
}

/*
 * Whether files may be given by their signatures: pieces are what a query is
 * after, and a least number of chunks is one of chunks.
 */
static bool
has_tiers(const struct options *options)
{
	const struct job *pack = &options->pack;

	if (options->tiers == TIERS_OFF ||
	    (options->tiers != TIERS_ON && options->query_text != NULL))
		return false;
	return !pack->compress && !pack->markup.numbers &&
	       pack->min_chunks <= 1 && pack->budget_tokens != BUDGET_ALL &&
	       !pack->whole_files;
}

/* What a run looks at besides what it packs. */
static void
set_scope(struct command_line *line)
{
	struct options *run = &line->run;
	struct job *pack = &run->pack;
	bool has_report = run->report_path != NULL;

	pack->sources_only = source_list_any(&run->sources) &&
			     run->operands.nr == 0 && run->files_from == NULL;
	if (pack->budget_tokens == BUDGET_ALL &&
	    !option_given(line, OPTION_MAX_FILE_SIZE))
		pack->max_file_bytes = UINT64_MAX;
	pack->names_commit =
		pack->history && has_report && run->kind != JOB_TREE;
	pack->by_rank =
		run->order == ORDER_RANK && pack->budget_tokens != BUDGET_ALL;
	pack->wants_scores = run->kind == JOB_PREVIEW || run->explain ||
			     has_report || run->audit_path != NULL ||
			     pack->by_rank;
	pack->tells_code = has_report;
	if (run->template_path != NULL)
		pack->markup.kind = MARKUP_TEMPLATE;
	pack->markup.hashes = has_hashes(run);
	pack->tiers = has_tiers(run);
	run->worker_nr_given = option_given(line, OPTION_WORKERS);
}

/* What a run would refuse, of what a file can say. */
static int
check_values(struct command_line *line)
{
	int error = set_pins(line);

	if (error == 0)
		error = check_together(line);
	return error == 0 ? options_read_texts(line) : error;
}

/* For the commands that run over a tree. */
static int
complete_run(struct command_line *line)
{
	struct options *run = &line->run;
	int error;

	if (run->output_path != NULL && strcmp(run->output_path, "-") == 0)
		run->output_path = NULL;
	set_kind(line);
	error = options_check_outputs(line);
	if (error == 0)
		error = check_values(line);
	if (error != 0)
		return error;
	set_scope(line);
	if (run->operands.nr == 0 && text_list_add(&run->operands, ".") != 0) {
		complain(line, "out of memory");
		return -ENOMEM;
	}
	lend_lists(run);
	return check_sums(line);
}

static int
check_config(struct command_line *line)
{
	int error = check_values(line);

	return error == 0 ? check_sums(line) : error;
}

int
command_line_complete_sandbox(struct command_line *line)
{
	if (!line->run.no_sandbox || line->run.pack.sandbox == SANDBOX_OFF ||
	    beats(line, OPTION_SANDBOX, OPTION_NO_SANDBOX))
		return 0;
	if (!beats(line, OPTION_NO_SANDBOX, OPTION_SANDBOX))
		return refuse(line, "--no-sandbox", "--sandbox",
			      "it is the same as --sandbox=off");
	line->run.pack.sandbox = SANDBOX_OFF;
	return 0;
}

int
command_line_complete(struct command_line *line)
{
	int result = command_line_complete_sandbox(line);

	if (result == 0 && takes(line, OPTION_MODEL))
		result = take_model(line);
	if (result == 0 && line->command == COMMAND_CONFIG)
		result = check_config(line);
	if (result == 0 && takes(line, OPTION_WORKERS))
		result = complete_run(line);
	return result;
}
