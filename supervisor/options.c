/* SPDX-License-Identifier: MIT */
/*
 * options.c - the walk over the command line.
 *
 * Does: defaults, arguments, then the environment for what no argument said;
 *       says what is wrong.
 * Does not: look at what options mean together (options_complete.c).
 */
#include "supervisor/options.h"
#include "supervisor/words.h"

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
		/* the start of a name is nearer than any other */
		if (takes(command, spec) && strlen(name) > 2 &&
		    strncmp(spec->name, name, strlen(name)) == 0)
			distance = 1;
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
		if (text == NULL && option_takes_next(spec)) {
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
		if (option_takes_next(&option_table[i])) {
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
