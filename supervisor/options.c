/* SPDX-License-Identifier: MIT */
/*
 * options.c - the walk over the command line.
 *
 * Does: defaults, arguments, then the environment for what no argument said;
 *       says what is wrong.
 */
#include "supervisor/encoding.h"
#include "supervisor/options.h"
#include "supervisor/words.h"
#include "tokenizer/models.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE_BYTES 64
#define ALLOWED_BYTES 256

struct parser {
	int argc;
	char **argv;
	int next;              /* argument not looked at yet */
	enum option_from from; /* of what is being read */
	struct options *options;
	struct complaint complaint;
};

#define fail(parser, ...) complain(&(parser)->complaint, __VA_ARGS__)
#define fail_memory(parser) complain_memory(&(parser)->complaint)

const char *
option_variable(char *out, size_t size, const struct option_spec *spec)
{
	snprintf(out, size, "BALE_%s", spec->name);
	for (char *c = out; *c != '\0'; c++)
		*c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
	return out;
}

/* `bale config` shows what a file can set, so it takes all of that. */
bool
option_is_of(enum command command, enum option_id id)
{
	return (option_table[id].commands & 1u << command) != 0 ||
	       (command == COMMAND_CONFIG && option_key(id) != NULL);
}

static bool
takes(enum command command, const struct option_spec *spec)
{
	return option_is_of(command, (enum option_id)(spec - option_table));
}

static bool
is_flag(const struct option_spec *spec)
{
	return spec->argument == NULL;
}

static int
fail_option(struct parser *parser, const char *name)
{
	enum command command = parser->options->command;
	const char *nearest = NULL;
	unsigned best = WORD_BYTES;
	char quoted[WORD_QUOTE_BYTES];
	char dashed[WORD_QUOTE_BYTES];

	snprintf(dashed, sizeof(dashed), "--%s", name);
	word_quote(quoted, dashed);
	for (int i = 0; i < OPTION_NR; i++) {
		const struct option_spec *spec = &option_table[i];
		unsigned distance = edit_distance(name, spec->name);

		if (distance == 0)
			return fail(parser,
				    "BALE-CLI-001 %s is not an option of "
				    "%s; see: bale help %s",
				    quoted, command_table[command].name,
				    command_table[command].name);
		if (takes(command, spec) && distance < best) {
			best = distance;
			nearest = spec->name;
		}
	}
	if (nearest != NULL && word_is_near(name, best))
		return fail(parser,
			    "BALE-CLI-001 unknown option %s; did you mean "
			    "--%s?",
			    quoted, nearest);
	return fail(parser, "BALE-CLI-001 unknown option %s; see: bale help %s",
		    quoted, command_table[command].name);
}

static int
fail_command(struct parser *parser, const char *name)
{
	const char *nearest = "pack";
	unsigned best = WORD_BYTES;
	char quoted[WORD_QUOTE_BYTES];

	for (int i = 1; i < COMMAND_NR; i++) {
		unsigned distance = edit_distance(name, command_table[i].name);

		if (distance < best) {
			best = distance;
			nearest = command_table[i].name;
		}
	}
	word_quote(quoted, name);
	if (word_is_near(name, best))
		return fail(parser,
			    "BALE-CLI-001 unknown command %s; did you mean "
			    "%s?",
			    quoted, nearest);
	return fail(parser,
		    "BALE-CLI-001 unknown command %s; a command comes first: "
		    "bale pack PATH; see: bale help",
		    quoted);
}

/* Sets a value; `from` is how the user would name the option. */
static int
set(struct parser *parser, enum option_id id, const char *text,
    const char *from)
{
	char allowed[ALLOWED_BYTES];
	char quoted[WORD_QUOTE_BYTES];
	int error = option_set(parser->options, &option_table[id], text,
			       allowed, sizeof(allowed));

	parser->options->given[id] = true;
	parser->options->from[id] = (uint8_t)parser->from;
	if (error == -EINVAL)
		return fail(parser, "BALE-CLI-002 %s: %s is not %s", from,
			    word_quote(quoted, text == NULL ? "" : text),
			    allowed);
	return error == 0 ? 0 : fail_memory(parser);
}

static void
set_defaults(struct options *options)
{
	char allowed[ALLOWED_BYTES];

	memset(options, 0, sizeof(*options));
	options->pack.sandbox = true;
	options->pack.history = true;
	options->keeps_last = true;
	options->worker_nr = options_cpu_nr();
	for (uint8_t i = 0; i < CATEGORY_NR; i++)
		options->priorities[i] = category_priority(i);
	for (int i = 0; i < OPTION_NR; i++) {
		const struct option_spec *spec = &option_table[i];
		int error;

		if (spec->standard == NULL)
			continue;
		error = option_set(options, spec, spec->standard, allowed,
				   sizeof(allowed));
		ASSERT(error == 0); /* a default is within its range */
	}
}

/* A copy that lives as long as the options; NULL: no memory. */
static char *
copy_text(struct options *options, const char *text)
{
	size_t bytes = strlen(text) + 1;
	struct text_copy *copy = malloc(sizeof(*copy) + bytes);

	if (copy == NULL)
		return NULL;
	memcpy(copy->text, text, bytes);
	copy->next = options->copies;
	options->copies = copy;
	return copy->text;
}

/* A list of the environment: an entry a line. */
static int
set_lines(struct parser *parser, enum option_id id, const char *text,
	  const char *from)
{
	char *copy = copy_text(parser->options, text);
	char *state;

	if (copy == NULL)
		return fail_memory(parser);
	for (char *line = strtok_r(copy, "\n", &state); line != NULL;
	     line = strtok_r(NULL, "\n", &state)) {
		int error = set(parser, id, line, from);

		if (error != 0)
			return error;
	}
	return 0;
}

static int
read_environment(struct parser *parser)
{
	parser->from = FROM_ENVIRONMENT;
	for (int i = 0; i < OPTION_NR; i++) {
		const struct option_spec *spec = &option_table[i];
		char name[VARIABLE_BYTES];
		const char *text;
		int error;

		if (spec->kind == KIND_HELP || spec->kind == KIND_VERSION ||
		    parser->options->given[i] ||
		    !takes(parser->options->command, spec))
			continue;
		text = getenv(option_variable(name, sizeof(name), spec));
		if (text == NULL || *text == '\0')
			continue;
		if (spec->kind == KIND_LIST)
			error = set_lines(parser, (enum option_id)i, text,
					  name);
		else
			error = set(parser, (enum option_id)i, text, name);
		if (error != 0)
			return error;
	}
	return 0;
}

/* An option met on the command line; 1: stop here, it was --help. */
static int
apply(struct parser *parser, enum option_id id, const char *text,
      const char *from)
{
	const struct option_spec *spec = &option_table[id];
	struct options *options = parser->options;

	if (spec->kind == KIND_HELP) {
		options->topic = options->command;
		options->command = COMMAND_HELP;
		return 1;
	}
	if (spec->kind == KIND_VERSION) {
		options->command = COMMAND_VERSION;
		return 1;
	}
	return set(parser, id, text, from);
}

static int
fail_no_value(struct parser *parser, const char *from,
	      const struct option_spec *spec)
{
	return fail(parser, "BALE-CLI-003 %s needs a value: %s %s", from, from,
		    spec->argument);
}

/* --name, --name=value, --name value */
static int
parse_long(struct parser *parser, const char *argument)
{
	const char *name = argument + 2;
	const char *equals = strchrnul(name, '=');
	size_t bytes = (size_t)(equals - name);
	const char *text = *equals == '=' ? equals + 1 : NULL;
	char from[WORD_BYTES + 2];

	for (int i = 0; i < OPTION_NR; i++) {
		const struct option_spec *spec = &option_table[i];

		if (!takes(parser->options->command, spec) ||
		    strlen(spec->name) != bytes ||
		    memcmp(spec->name, name, bytes) != 0)
			continue;
		snprintf(from, sizeof(from), "--%s", spec->name);
		if (text == NULL && !is_flag(spec)) {
			if (parser->next == parser->argc)
				return fail_no_value(parser, from, spec);
			text = parser->argv[parser->next++];
		}
		return apply(parser, (enum option_id)i, text, from);
	}
	snprintf(from, sizeof(from), "%.*s", (int)min_size(bytes, WORD_BYTES),
		 name);
	return fail_option(parser, from);
}

/* -q, -o FILE, -oFILE, -qo FILE */
static int
parse_short(struct parser *parser, const char *argument)
{
	for (const char *letter = argument + 1; *letter != '\0'; letter++) {
		const char from[] = { '-', *letter, '\0' };
		const char *text = NULL;
		char quoted[WORD_QUOTE_BYTES];
		int i = 0;
		int result;

		while (i < OPTION_NR &&
		       (option_table[i].letter != *letter ||
			!takes(parser->options->command, &option_table[i])))
			i++;
		if (i == OPTION_NR)
			return fail(
				parser,
				"BALE-CLI-001 unknown option %s; see: bale "
				"help %s",
				word_quote(quoted, from),
				command_table[parser->options->command].name);
		if (!is_flag(&option_table[i])) {
			text = letter + 1;
			if (*text == '\0') {
				if (parser->next == parser->argc)
					return fail_no_value(parser, from,
							     &option_table[i]);
				text = parser->argv[parser->next++];
			}
		}
		result = apply(parser, (enum option_id)i, text, from);
		if (result != 0 || text != NULL)
			return result;
	}
	return 0;
}

static int
parse_arguments(struct parser *parser)
{
	bool only_operands = false;

	while (parser->next < parser->argc) {
		const char *argument = parser->argv[parser->next++];
		int result;

		if (only_operands || argument[0] != '-' ||
		    argument[1] == '\0') {
			if (text_list_add(&parser->options->operands, argument))
				return fail_memory(parser);
			continue;
		}
		if (strcmp(argument, "--") == 0) {
			only_operands = true;
			continue;
		}
		result = argument[1] == '-' ? parse_long(parser, argument)
					    : parse_short(parser, argument);
		if (result != 0)
			return result;
	}
	return 0;
}

static enum command
command_named(const char *name)
{
	int i = COMMAND_NR - 1;

	while (i > 0 && strcmp(command_table[i].name, name) != 0)
		i--;
	return (enum command)i;
}

/* The command, or an option that stands in its place. */
static int
parse_command(struct parser *parser)
{
	const char *word = parser->argv[parser->next++];

	parser->options->command = command_named(word);
	if (parser->options->command != COMMAND_NONE)
		return 0;
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		parser->options->command = COMMAND_HELP;
	else if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
		parser->options->command = COMMAND_VERSION;
	else
		return fail_command(parser, word);
	return 0;
}

static int
check_operands(struct parser *parser)
{
	struct options *options = parser->options;
	const struct command_spec *spec = &command_table[options->command];

	if (options->operands.nr < spec->least ||
	    options->operands.nr > spec->most)
		return fail(parser,
			    "BALE-CLI-004 %s takes %s; see: bale help %s",
			    spec->name,
			    options->operands.nr < spec->least ? "more"
			    : spec->most == 0                  ? "nothing more"
							       : "less",
			    spec->name);
	for (size_t i = 0; i < options->operands.nr; i++) {
		if (*options->operands.items[i] == '\0')
			return fail(parser,
				    "BALE-CLI-004 an argument of %s is empty",
				    spec->name);
	}
	if (options->command != COMMAND_HELP || options->operands.nr == 0)
		return 0;
	options->topic = command_named(options->operands.items[0]);
	if (options->topic == COMMAND_NONE)
		return fail_command(parser, options->operands.items[0]);
	return 0;
}

static int
check_weights(struct parser *parser)
{
	const struct pack_options *pack = &parser->options->pack;

	if (pack->relevance_weight + pack->recency_weight +
		    pack->source_weight >
	    0)
		return 0;
	return fail(parser,
		    "--relevance-weight, --recency-weight and --source-weight "
		    "are all 0; at least one has to be greater");
}

static int
check_budget(struct parser *parser)
{
	const struct pack_options *pack = &parser->options->pack;
	uint64_t reserved =
		pack->response_reserve_tokens + pack->system_reserve_tokens;

	if (pack->budget_tokens == BUDGET_ALL || reserved < pack->budget_tokens)
		return 0;
	return fail(parser,
		    "BALE-BUD-005 the reserves (%llu for the response, %llu "
		    "for the system prompt) leave nothing of a budget of %llu "
		    "tokens; raise --budget, or lower --reserve-response or "
		    "--reserve-system",
		    (unsigned long long)pack->response_reserve_tokens,
		    (unsigned long long)pack->system_reserve_tokens,
		    (unsigned long long)pack->budget_tokens);
}

/* Numbers before lines are those of the source: all of it has to be there. */
static int
check_numbers(struct parser *parser)
{
	const struct pack_options *pack = &parser->options->pack;

	if (!pack->markup.numbers || (!pack->compress && !pack->strip_comments))
		return 0;
	return fail(parser,
		    "BALE-CLI-002 --line-numbers cannot be with %s, which "
		    "leaves lines out: headers say which lines there are",
		    pack->compress ? "--compress" : "--strip-comments");
}

/*
 * Whether files may be in by their signatures: pieces are what a query is
 * after, and a least number of chunks is one of chunks.
 */
static int
set_tiers(struct parser *parser)
{
	struct options *options = parser->options;
	struct pack_options *pack = &options->pack;
	const char *other = NULL;

	if (pack->compress)
		other = "--compress, which takes all files by them";
	else if (pack->markup.numbers)
		other = "--line-numbers: signatures have no lines of their own";
	else if (pack->min_chunks > 1)
		other = "--min-chunks, which is about chunks of text";
	pack->tiers =
		options->tiers != TIERS_OFF && other == NULL &&
		(options->tiers == TIERS_ON || options->query_text == NULL) &&
		pack->budget_tokens != BUDGET_ALL && !pack->whole_files;
	if (options->tiers == TIERS_ON && other != NULL)
		return fail(parser, "BALE-CLI-002 --tiers on cannot be with %s",
			    other);
	return 0;
}

/* Whether an option was said in a place that comes before the other's. */
static bool
beats(const struct options *options, enum option_id id, enum option_id other)
{
	return options->from[id] > options->from[other];
}

/* Files in full, or all by their signatures: what was said last of all. */
static int
set_pins(struct parser *parser)
{
	struct options *options = parser->options;
	struct pack_options *pack = &options->pack;

	if (pack->compress && options->pins.nr > 0) {
		if (beats(options, OPTION_COMPRESS, OPTION_PIN))
			return 0;
		if (!beats(options, OPTION_PIN, OPTION_COMPRESS))
			return fail(parser,
				    "BALE-CLI-002 --pin cannot be with "
				    "--compress, which takes all files by "
				    "their signatures");
		pack->compress = false;
	}
	pack->pins = options->pins.items;
	pack->pin_nr = options->pins.nr;
	return 0;
}

/*
 * A model stands for its encoding, its window and how sure a count is; what
 * was said of these in the same place, or in one that comes before it, stays.
 */
static int
take_model(struct parser *parser)
{
	struct options *options = parser->options;
	const struct tokenizer_model *model;
	char quoted[WORD_QUOTE_BYTES];

	if (options->model == NULL)
		return 0;
	model = tokenizer_model(options->model);
	if (model == NULL)
		return fail(parser,
			    "--model %s is not known; see bale models, or "
			    "give --encoding and --budget",
			    word_quote(quoted, options->model));
	if (beats(options, OPTION_MODEL, OPTION_ENCODING)) {
		options->encoding = model->encoding;
		options->from[OPTION_ENCODING] = FROM_MODEL;
	}
	if (beats(options, OPTION_MODEL, OPTION_BUDGET)) {
		options->pack.budget_tokens = model->window_tokens;
		options->from[OPTION_BUDGET] = FROM_MODEL;
	}
	/* with the model's own tokenizer there is nothing to estimate */
	if (model->tokenizer != MODEL_PUBLISHED ||
	    !encoding_is_file(options->encoding))
		options->pack.margin_percent = model->margin_percent;
	return 0;
}

/* What a template goes with. */
static int
check_template(struct parser *parser)
{
	struct options *options = parser->options;
	struct pack_options *pack = &options->pack;

	if (options->template_path == NULL)
		return 0;
	if (options->from[OPTION_FORMAT] > FROM_FILE)
		return fail(parser, "--template and --format cannot be given "
				    "together: a template is a format");
	if (pack->split_tokens > 0)
		return fail(parser, "--template cannot be given with --split: "
				    "what a part would begin and end with is "
				    "for the template to say");
	if (pack->git_log_nr > 0 || pack->git_diff)
		return fail(parser, "--template cannot be given with --git-log "
				    "or --git-diff: there is no name for what "
				    "they write");
	pack->markup.kind = MARKUP_TEMPLATE;
	return 0;
}

/* What the output looks like, and what of that goes together. */
static int
complete_output(struct parser *parser)
{
	struct options *options = parser->options;
	struct pack_options *pack = &options->pack;

	if (options->command != COMMAND_PACK)
		pack->split_tokens = 0; /* a plan is not cut */
	if (pack->split_tokens > 0 && options->output_path == NULL)
		return fail(parser,
			    "BALE-CLI-002 --split writes several files: give "
			    "--output NAME.md, and they are NAME-001.md and so "
			    "on");
	pack->by_rank = options->order == ORDER_RANK &&
			pack->budget_tokens != BUDGET_ALL;
	if (options->command == COMMAND_PACK && !pack->by_rank &&
	    options->order == ORDER_RANK)
		return fail(parser,
			    "BALE-CLI-002 --order rank: with --budget all "
			    "nothing is ranked; give a --budget of tokens, "
			    "however many");
	if (check_template(parser) != 0)
		return -EINVAL;
	if (pack->git_diff && pack->rev != NULL)
		return fail(parser, "--git-diff cannot be given with --rev: a "
				    "commit has no work tree that differs "
				    "from it");
	return 0;
}

/* Values that are lists of names and numbers, or have forms of their own. */
static int
read_texts(struct parser *parser)
{
	struct options *options = parser->options;
	struct pack_options *pack = &options->pack;
	char quoted[WORD_QUOTE_BYTES];
	char allowed[256];

	if (!(options->has_shares && options->categories == NULL) &&
	    !options_read_shares(options->categories, pack->percents, allowed,
				 sizeof(allowed)))
		return fail(parser, "BALE-BUD-005 --categories %s: %s",
			    word_quote(quoted, options->categories), allowed);
	if (!options_read_priorities(options->priorities_text,
				     options->priorities, allowed,
				     sizeof(allowed)))
		return fail(parser, "BALE-CLI-002 --source-priority %s: %s",
			    word_quote(quoted, options->priorities_text),
			    allowed);
	if (!options_read_chunk(options, allowed, sizeof(allowed)))
		return fail(parser, "BALE-BUD-005 %s", allowed);
	return 0;
}

/* What follows from what was given. */
static int
complete(struct parser *parser)
{
	struct options *options = parser->options;
	struct pack_options *pack = &options->pack;
	bool has_sources = options->opens.nr + options->searches.nr +
				   options->tools.nr + options->references.nr +
				   options->source_files.nr >
			   0;

	pack->sources_only = has_sources && options->operands.nr == 0 &&
			     options->files_from == NULL;
	if (has_sources && pack->rev != NULL)
		return fail(parser,
			    "--rev cannot be given with --open, --search, "
			    "--tool, --reference or --sources: what they name "
			    "is looked up in the directory, not in a commit");
	pack->names_commit = pack->history && options->report_path != NULL &&
			     options->command != COMMAND_TREE;
	if (options->operands.nr == 0 &&
	    text_list_add(&options->operands, ".") != 0)
		return fail_memory(parser);
	if (pack->budget_tokens == BUDGET_ALL &&
	    !options->given[OPTION_MAX_FILE_SIZE])
		pack->max_file_bytes = UINT64_MAX;
	if (options->output_path != NULL &&
	    strcmp(options->output_path, "-") == 0)
		options->output_path = NULL;
	if (complete_output(parser) != 0)
		return -EINVAL;
	pack->roots = options->operands.items;
	pack->root_nr = options->operands.nr;
	pack->includes = options->includes.items;
	pack->include_nr = options->includes.nr;
	pack->excludes = options->excludes.items;
	pack->exclude_nr = options->excludes.nr;
	pack->boosts = options->boosts.items;
	pack->boost_nr = options->boosts.nr;
	if (set_pins(parser) != 0)
		return -EINVAL;
	/*
	 * A preview of a budget makes the output, and throws it away: what fits
	 * is known for certain when all of it has been counted as one text.
	 */
	pack->plan_only = options->command == COMMAND_TREE ||
			  (options->command == COMMAND_PREVIEW &&
			   pack->budget_tokens == BUDGET_ALL);
	pack->whole_files = options->command == COMMAND_TREE;
	pack->markup.stripped = pack->strip_comments;
	if (options->command == COMMAND_TREE) {
		pack->budget_tokens = BUDGET_ALL;
		options->quiet = true;
	}
	if (read_texts(parser) != 0)
		return -EINVAL;
	pack->wants_scores = options->command == COMMAND_PREVIEW ||
			     options->explain || options->report_path != NULL ||
			     options->audit_path != NULL || pack->by_rank;
	pack->tells_code = options->report_path != NULL;
	if (set_tiers(parser) != 0)
		return -EINVAL;
	return check_weights(parser) != 0 ? -EINVAL : check_budget(parser);
}

int
options_parse(int argc, char **argv, struct options *out, char *error,
	      size_t error_size)
{
	struct parser parser = {
		.argc = argc,
		.argv = argv,
		.next = 1,
		.from = FROM_COMMAND_LINE,
		.options = out,
		.complaint = { .text = error, .size = error_size },
	};
	int result;

	*error = '\0';
	set_defaults(out);
	if (argc < 2)
		return 0;
	result = parse_command(&parser);
	if (result != 0)
		return result;
	result = parse_arguments(&parser);
	if (result != 0) /* 1: --help and --version ask for nothing else */
		return result == 1 ? 0 : result;
	result = check_operands(&parser);
	return result == 0 ? read_environment(&parser) : result;
}

int
options_set_file(struct options *options, enum option_id id, const char *text,
		 char *allowed, size_t allowed_size)
{
	const struct option_spec *spec = &option_table[id];
	const char *copy;
	int error;

	if (options->from[id] > FROM_FILE)
		return option_check(spec, text, allowed, allowed_size);
	copy = copy_text(options, text);
	if (copy == NULL)
		return -ENOMEM;
	error = option_set(options, spec, copy, allowed, allowed_size);
	if (error == 0) {
		options->given[id] = true;
		options->from[id] = FROM_FILE;
	}
	return error;
}

int
options_complete(struct options *options, char *error, size_t error_size)
{
	struct parser parser = {
		.options = options,
		.complaint = { .text = error, .size = error_size },
	};
	int result = 0;

	*error = '\0';
	if (takes(options->command, &option_table[OPTION_MODEL]))
		result = take_model(&parser);
	if (result == 0 && options->command == COMMAND_CONFIG)
		result = check_weights(&parser) != 0 ? -EINVAL
						     : check_budget(&parser);
	if (result == 0 &&
	    takes(options->command, &option_table[OPTION_WORKERS]))
		result = complete(&parser);
	return result != 0 ? result : check_numbers(&parser);
}

void
options_fini(struct options *options)
{
	while (options->copies != NULL) {
		struct text_copy *next = options->copies->next;

		free(options->copies);
		options->copies = next;
	}
	free(options->operands.items);
	free(options->includes.items);
	free(options->excludes.items);
	free(options->pins.items);
	free(options->boosts.items);
	free(options->opens.items);
	free(options->searches.items);
	free(options->tools.items);
	free(options->references.items);
	free(options->source_files.items);
	memset(options, 0, sizeof(*options));
}
