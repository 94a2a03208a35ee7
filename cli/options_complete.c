/* SPDX-License-Identifier: MIT */
/*
 * options_complete.c - what options mean together, when all of them are known.
 *
 * Does: what follows from what was given, which cannot be given together, and
 *       says so; values with a form of their own: shares and priorities by the
 *       names of categories, how files are split.
 * Does not: look at single values (options_values.c).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/nearest.h"
#include "cli/command_line.h"
#include "stages/job.h"
#include "supervisor/encoding.h"
#include "tokenizer/models.h"

#define PROBLEM_BYTES 256

/* "tool_results": its category; CATEGORY_NR: there is none, and `problem` says
 * which there are. */
static uint8_t
category_of(const char *name, size_t bytes, char problem[static PROBLEM_BYTES])
{
	struct nearest nearest = { .word = name, .bytes = bytes };

	for (uint8_t i = 0; i < CATEGORY_NR; i++) {
		const char *known = category_name(i);

		if (bytes_are(name, bytes, known))
			return i;
		nearest_try(&nearest, known, 0);
	}
	snprintf(problem, PROBLEM_BYTES,
		 "the categories are tool_results, open_files, "
		 "search_results, references, tree%s",
		 HINT(&nearest, ""));
	return CATEGORY_NR;
}

/* seen: the categories that were there before, a bit each */
static bool
read_share(const char *text, const char *end, uint32_t percents[CATEGORY_NR],
	   uint32_t *seen, char problem[static PROBLEM_BYTES])
{
	const char *equals = memchr(text, '=', (size_t)(end - text));
	uint64_t percent;
	uint8_t category;

	if (equals == NULL) {
		snprintf(problem, PROBLEM_BYTES,
			 "expected NAME=N, such as tool_results=40");
		return false;
	}
	category = category_of(text, (size_t)(equals - text), problem);
	if (category == CATEGORY_NR)
		return false;
	if (*seen >> category & 1) {
		snprintf(problem, PROBLEM_BYTES, "%s is given twice",
			 category_name(category));
		return false;
	}
	*seen |= 1u << category;
	if (!option_read_number(equals + 1, (size_t)(end - equals - 1), 0, 100,
				&percent)) {
		snprintf(problem, PROBLEM_BYTES,
			 "%s: expected a whole number from 0 to 100",
			 category_name(category));
		return false;
	}
	percents[category] = (uint32_t)percent;
	return true;
}

/* "NAME=N,NAME=N" */
static bool
read_all(const char *text, uint32_t numbers[CATEGORY_NR],
	 char problem[static PROBLEM_BYTES])
{
	uint32_t seen = 0;

	for (const char *at = text;;) {
		const char *end = strchrnul(at, ',');

		if (!read_share(at, end, numbers, &seen, problem))
			return false;
		if (*end == '\0')
			return true;
		at = end + 1;
	}
}

/* "none" is no share for anything; NULL: the defaults */
static bool
read_shares(const char *text, uint32_t shares[CATEGORY_NR],
	    char problem[static PROBLEM_BYTES])
{
	uint32_t percents[CATEGORY_NR] = { 0 };
	uint32_t sum = 0;
	bool is_none = text != NULL && strcmp(text, "none") == 0;

	for (uint8_t i = 0; i < CATEGORY_NR && text == NULL; i++)
		percents[i] = category_percent(i);
	if (text != NULL && !is_none && !read_all(text, percents, problem))
		return false;
	for (uint8_t i = 0; i < CATEGORY_NR; i++) {
		shares[i] = percents[i] * (SHARE_ALL / 100);
		sum += percents[i];
	}
	if (is_none || sum == 100)
		return true;
	snprintf(problem, PROBLEM_BYTES,
		 "the percentages add up to %u; they must add up to 100", sum);
	return false;
}

#define CHUNK_LINES_MOST 1000000

static bool
starts_with(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
}

static bool
read_mode(struct command_line *line, char problem[static PROBLEM_BYTES])
{
	const struct option_spec *max = &option_table[OPTION_MAX_CHUNK_TOKENS];
	struct job *pack = &line->run.pack;
	const char *text = line->run.lang_text;
	struct nearest nearest = { .word = text };
	uint64_t n = 0;

	pack->chunk_lines = line->no_structure ? UINT32_MAX : 0;
	if (text == NULL || !option_given(line, OPTION_CHUNK))
		return true;
	pack->chunk_lines = 0;
	if (strcmp(text, "structure") == 0)
		return true;
	if (starts_with(text, "lines:") &&
	    option_read_number(text + 6, strlen(text) - 6, 1, CHUNK_LINES_MOST,
			       &n)) {
		pack->chunk_lines = (uint32_t)n;
		return true;
	}
	if (starts_with(text, "tokens:") &&
	    option_read_number(text + 7, strlen(text) - 7, max->min, max->max,
			       &n)) {
		pack->chunk_lines = UINT32_MAX;
		if (!option_given(line, OPTION_MAX_CHUNK_TOKENS) ||
		    n < pack->chunk_max_tokens)
			pack->chunk_max_tokens = n;
		return true;
	}
	nearest.bytes = strcspn(text, ":");
	nearest_try(&nearest, "structure", 0);
	nearest_try(&nearest, "lines", 0);
	nearest_try(&nearest, "tokens", 0);
	snprintf(problem, PROBLEM_BYTES,
		 "--chunk: invalid value %s: expected structure, lines:N with "
		 "N from 1 to %d, or tokens:N with N from %ju to %ju%s",
		 WORD_QUOTED(text), CHUNK_LINES_MOST, max->min, max->max,
		 HINT(&nearest, ""));
	return false;
}

static bool
read_chunk(struct command_line *line, char problem[static PROBLEM_BYTES])
{
	struct job *pack = &line->run.pack;

	if (!read_mode(line, problem))
		return false;
	if (pack->chunk_lines != 0 ||
	    pack->chunk_min_tokens <= pack->chunk_max_tokens)
		return true;
	/* the one that was not asked for gives way */
	if (!option_given(line, OPTION_MIN_CHUNK_TOKENS)) {
		pack->chunk_min_tokens = pack->chunk_max_tokens;
		return true;
	}
	snprintf(problem, PROBLEM_BYTES,
		 "no chunk can have at least %ju tokens and at most %ju; "
		 "lower --min-chunk-tokens or raise --max-chunk-tokens",
		 pack->chunk_min_tokens, pack->chunk_max_tokens);
	return false;
}

/* As bale config shows them, key by key. */
static void
show_texts(struct command_line *line)
{
	const struct options *run = &line->run;

	for (int i = 0; i < CATEGORY_NR; i++) {
		if (run->categories != NULL)
			line->share_percents[i] =
				(uint64_t)run->pack.shares[i] * 100 *
				RATIO_ONE / SHARE_ALL;
		line->priorities[i] = run->priorities[i];
	}
}

/*
 * shape:  values with a form of their own: shares of the budget, which are per
 *         cent in the text and add up to SHARE_ALL, priorities of sources, and
 *         how files are split into chunks
 * errors: as command_line_parse()
 * calls:  command_line_complete()
 */
static int
options_read_texts(struct command_line *line)
{
	struct options *run = &line->run;
	char problem[PROBLEM_BYTES];

	if (!(line->has_shares && run->categories == NULL) &&
	    !read_shares(run->categories, run->pack.shares, problem))
		return complain(line, "BALE-BUD-005 --categories %s: %s",
				WORD_QUOTED(run->categories), problem);
	for (int i = 0; i < CATEGORY_NR; i++)
		run->priorities[i] = (uint32_t)line->priorities[i];
	if (run->priorities_text != NULL &&
	    !read_all(run->priorities_text, run->priorities, problem))
		return complain(line, "BALE-CLI-002 --source-priority %s: %s",
				WORD_QUOTED(run->priorities_text), problem);
	show_texts(line);
	if (!read_chunk(line, problem))
		return complain(line, "BALE-BUD-005 %s", problem);
	return 0;
}

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
	if (beats(line, OPTION_MODEL, OPTION_TOTAL)) {
		run->window_tokens = model->window_tokens;
		line->from[OPTION_TOTAL] = FROM_MODEL;
		line->window_from = line->from[OPTION_MODEL];
	}
	/* with the model's own tokenizer there is nothing to estimate */
	if (model->tokenizer != MODEL_PUBLISHED ||
	    !encoding_is_file(run->encoding))
		run->pack.margin_percent = model->margin_percent;
	return 0;
}

static int
refuse(struct command_line *line, const char *one, const char *other,
       const char *why)
{
	return complain(line, "BALE-CLI-005 %s cannot be given with %s: %s",
			one, other, why);
}

/* A part of the window, where nothing else is said; none of a budget. */
static void
set_reserve(const struct command_line *line, enum option_id id,
	    uint64_t *reserve, uint64_t percent)
{
	if (!option_given(line, id))
		*reserve = line->run.is_window
				   ? line->run.window_tokens / 100 * percent +
					     line->run.window_tokens % 100 *
						     percent / 100
				   : 0;
}

/* Where nothing is said of it bale bench packs everything. */
static bool
measures_all(const struct command_line *line)
{
	return line->command == COMMAND_BENCH &&
	       line->from[OPTION_BUDGET] == FROM_DEFAULT &&
	       line->from[OPTION_TOTAL] == FROM_DEFAULT;
}

/*
 * What an output may have is said as such, or as a window that is shared with
 * others. What was said in a place that comes later holds.
 */
static int
take_budget(struct command_line *line)
{
	struct options *run = &line->run;
	struct job *pack = &run->pack;
	uint8_t window_from = line->from[OPTION_TOTAL] == FROM_MODEL
				      ? line->window_from
				      : line->from[OPTION_TOTAL];

	if (line->from[OPTION_BUDGET] == FROM_COMMAND_LINE &&
	    line->from[OPTION_TOTAL] == FROM_COMMAND_LINE)
		return refuse(line, "--budget", "--window",
			      "both say what the output may have");
	if (measures_all(line))
		run->budget_tokens = BUDGET_ALL;
	run->is_window = !measures_all(line) &&
			 (!option_given(line, OPTION_BUDGET) ||
			  line->from[OPTION_BUDGET] < window_from);
	pack->budget_tokens =
		run->is_window ? run->window_tokens : run->budget_tokens;
	if (pack->budget_tokens == BUDGET_ALL)
		run->is_window = false;
	set_reserve(line, OPTION_RESERVE_RESPONSE,
		    &pack->response_reserve_tokens, 8);
	set_reserve(line, OPTION_RESERVE_SYSTEM, &pack->system_reserve_tokens,
		    2);
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
		"for the system prompt) leave nothing of a %s of %ju "
		"tokens; raise --%s, or lower --reserve-response or "
		"--reserve-system",
		pack->response_reserve_tokens, pack->system_reserve_tokens,
		line->run.is_window ? "window" : "budget", pack->budget_tokens,
		line->run.is_window ? "window" : "budget");
}

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
		{ pack->markup.numbers && pack->strip_comments,
		  "--line-numbers", "--strip-comments",
		  "it leaves lines out; headers say which lines there are" },
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
	return 0;
}

/* The lists that workers read. */
static void
lend_lists(struct options *options)
{
	struct job *pack = &options->pack;

	pack->default_excludes &= !pack->no_ignore;
	pack->roots = options->operands.items;
	pack->root_nr = options->operands.nr;
	pack->includes = options->includes.items;
	pack->include_nr = options->includes.nr;
	pack->excludes = options->excludes.items;
	pack->exclude_nr = options->excludes.nr;
	pack->forced = options->forced.items;
	pack->forced_nr = options->forced.nr;
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
	options_set_find(line);
	options_set_shards(line);
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
	return !pack->compress && pack->min_chunks <= 1 &&
	       pack->budget_tokens != BUDGET_ALL && !pack->whole_files;
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
	pack->by_path = run->order == ORDER_PATH;
	pack->wants_scores |= run->kind == JOB_PREVIEW || run->explain ||
			      has_report || run->audit_path != NULL;
	/* a report of what is merged may be wanted later */
	pack->tells_code =
		has_report || run->kind == JOB_SHARD || run->parts_path != NULL;
	pack->writes_late = run->fail_over_tokens > 0 || run->spares_terminal;
	if (run->template_path != NULL)
		pack->markup.kind = MARKUP_TEMPLATE;
	pack->markup.hashes = has_hashes(run);
	pack->tiers = has_tiers(run);
	pack->whole_first = run->tiers == TIERS_ON;
	run->worker_nr_given = option_given(line, OPTION_WORKERS);
	if (run->worker_nr == 0)
		run->worker_nr = options_cpu_nr();
}

/* What a run would refuse, of what a file can say. */
static int
check_values(struct command_line *line)
{
	int error = set_pins(line);

	if (error == 0)
		error = check_together(line);
	if (error == 0)
		error = options_check_enough(line);
	if (error == 0)
		error = options_check_shard(line);
	return error == 0 ? options_read_texts(line) : error;
}

/* github.com/a/b, as the line of a browser has it. */
static bool
is_on_host(const char *path)
{
	static const char *const hosts[] = { "github.com/", "gitlab.com/",
					     "bitbucket.org/",
					     "codeberg.org/" };

	for (size_t i = 0; i < ARRAY_LEN(hosts); i++)
		if (strncmp(path, hosts[i], strlen(hosts[i])) == 0)
			return true;
	return false;
}

/* Whether it is an address that git would clone from. */
static bool
is_address(const char *path)
{
	const char *colon = strchr(path, ':');
	const char *slash = strchr(path, '/');

	if (!is_on_host(path) &&
	    (colon == NULL ||
	     (strncmp(colon, "://", 3) != 0 &&
	      (strchr(path, '@') == NULL || slash == NULL || colon > slash))))
		return false;
	/* last: a path may be on a file system that does not answer */
	return access(path, F_OK) != 0;
}

/* Of the address of a page on a file or a directory, that of its repository. */
static size_t
repository_bytes(const char *address)
{
	static const char *const pages[] = { "/-/", "/tree/", "/blob/" };
	size_t bytes = strcspn(address, "?#");

	for (size_t i = 0; i < ARRAY_LEN(pages); i++) {
		const char *page = strstr(address, pages[i]);

		if (page != NULL && (size_t)(page - address) < bytes)
			bytes = (size_t)(page - address);
	}
	while (bytes > 0 && address[bytes - 1] == '/')
		bytes--;
	return bytes;
}

/* A tree has to be here: how it comes here. */
static int
check_addresses(struct command_line *line)
{
	for (size_t i = 0; i < line->run.operands.nr; i++) {
		const char *path = line->run.operands.items[i];
		size_t bytes = repository_bytes(path);
		char address[PATH_MAX];
		const char *name;

		if (!is_address(path))
			continue;
		snprintf(address, sizeof(address), "%s%.*s",
			 is_on_host(path) ? "https://" : "", (int)bytes, path);
		if (bytes > 4 && memcmp(path + bytes - 4, ".git", 4) == 0)
			bytes -= 4;
		name = path + bytes;
		while (name > path && name[-1] != '/' && name[-1] != ':')
			name--;
		return complain(line,
				"BALE-CLI-006 %s: bale packs what is here and "
				"reads no network; clone it first: git clone "
				"--depth 100 %s && bale %s%s %.*s",
				WORD_QUOTED(path), WORD_QUOTED(address),
				command_table[line->command].name,
				line->command == COMMAND_FIND ? " QUERY" : "",
				(int)(path + bytes - name), name);
	}
	return 0;
}

/* For the commands that run over a tree. */
static int
complete_run(struct command_line *line)
{
	struct options *run = &line->run;
	int error = options_expand_globs(line);

	/* an address in it is a word like any other */
	if (line->command == COMMAND_FIND)
		run->query_text = options_take_operand(line);
	if (error == 0)
		error = check_addresses(line);
	if (error != 0)
		return error;
	run->spares_terminal = run->output_path == NULL &&
			       (line->command == COMMAND_PACK ||
				line->command == COMMAND_MERGE) &&
			       isatty(STDOUT_FILENO) == 1;
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
	return 0;
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
command_line_complete_config(struct command_line *line)
{
	if (!line->run.no_config || line->run.config_path == NULL ||
	    beats(line, OPTION_NO_CONFIG, OPTION_CONFIG))
		return 0;
	if (!beats(line, OPTION_CONFIG, OPTION_NO_CONFIG))
		return refuse(line, "--no-config", "--config",
			      "one reads no file, the other this one");
	line->run.no_config = false;
	return 0;
}

int
command_line_complete(struct command_line *line)
{
	bool is_run = takes(line, OPTION_WORKERS);
	bool is_config = line->command == COMMAND_CONFIG;
	int result = command_line_complete_sandbox(line);

	if (line->no_cache)
		line->run.cache = SURVEY_CACHE_OFF;
	if (result == 0 && takes(line, OPTION_MODEL))
		result = take_model(line);
	if (result == 0 && (is_run || is_config || takes(line, OPTION_BUDGET)))
		result = take_budget(line);
	if (result == 0 && is_config)
		result = check_values(line);
	if (result == 0 && line->command == COMMAND_COUNT)
		result = check_addresses(line);
	if (result == 0)
		result = is_run ? complete_run(line) : options_check_kept(line);
	return result == 0 && (is_run || is_config) ? check_sums(line) : result;
}
