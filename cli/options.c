/* SPDX-License-Identifier: MIT */
/*
 * options.c - the walk over the command line.
 *
 * Does: defaults, arguments, then the environment for what no argument said;
 *       says what is wrong.
 * Does not: look at what options mean together (options_complete.c).
 */
#include "cli/command_line.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "tokenizer/models.h"

const struct command_spec command_table[COMMAND_NR] = {
#define COMMAND(id, name_, run, operands_, least_, most_, does_) \
	[COMMAND_##id] = { .name = name_,                        \
			   .operands = operands_,                \
			   .does = does_,                        \
			   .least = least_,                      \
			   .most = most_ },
#include "cli/commands.def"
};

const struct action_spec action_table[ACTION_NR] = {
#define ACTION(command_, id, name_, operands_, nr_, does_)            \
	[ACTION_##command_##_##id] = { .command = COMMAND_##command_, \
				       .name = name_,                 \
				       .operands = operands_,         \
				       .does = does_,                 \
				       .nr = nr_ },
#include "cli/commands.def"
};

const char *const group_titles[GROUP_NR] = {
#define GROUP(id, title) [GROUP_##id] = title,
#include "cli/options.def"
};

#define KEY(path) .key = path
#define NO_KEY(why) .no_key = why

const struct option_spec option_table[OPTION_NR] = {
#define OPTION(id, name_, letter_, argument_, kind_, field_, min_, max_,   \
	       standard_, takers_, group_, key_, help_)                    \
	[OPTION_##id] = { .name = name_,                                   \
			  .argument = argument_,                           \
			  .standard = standard_,                           \
			  key_,                                            \
			  .help = help_,                                   \
			  .min = min_,                                     \
			  .max = max_,                                     \
			  .offset = offsetof(struct command_line, field_), \
			  .takers = takers_,                               \
			  .kind = KIND_##kind_,                            \
			  .group = GROUP_##group_,                         \
			  .letter = letter_ },
#include "cli/options.def"
};

#define VARIABLE_BYTES 64

struct parser {
	int argc;
	char **argv;
	int next;              /* argument not looked at yet */
	enum option_from from; /* of what is being read */
	struct command_line *line;
};

#define fail(parser, ...) complain((parser)->line, __VA_ARGS__)

int
complain(struct command_line *line, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(line->error, sizeof(line->error), format, args);
	va_end(args);
	return -EINVAL;
}

static int
fail_memory(struct parser *parser)
{
	fail(parser, "out of memory");
	return -ENOMEM;
}

const char *
option_variable(char *out, size_t size, const struct option_spec *spec)
{
	snprintf(out, size, "BALE_%s", spec->name);
	for (char *c = out; *c != '\0'; c++)
		*c = *c == '-' ? '_' : (char)toupper((unsigned char)*c);
	return out;
}

/* Options that say what keys say, and those keys. */
static const struct {
	enum option_id option;
	enum option_id key; /* the first */
	unsigned nr;
} says_table[] = {
#define SAYS(option_, key_, nr_) \
	{ .option = OPTION_##option_, .key = OPTION_##key_, .nr = nr_ },
#include "cli/options.def"
};

/* Whether it says what a file can set. */
static bool
is_shown(enum option_id id)
{
	bool is = option_table[id].key != NULL;

	for (size_t i = 0; i < ARRAY_LEN(says_table) && !is; i++)
		is = says_table[i].option == id;
	return is;
}

enum option_id
option_giver(const struct command_line *line, enum option_id key)
{
	enum option_id giver = key;

	for (size_t i = 0; i < ARRAY_LEN(says_table); i++)
		if (key >= says_table[i].key &&
		    key - says_table[i].key < says_table[i].nr &&
		    line->from[says_table[i].option] > line->from[giver])
			giver = says_table[i].option;
	return giver;
}

/* `bale config` shows what a file can set, so it takes all of that. */
bool
option_is_of(enum command command, enum option_id id)
{
	taker_set takers = option_table[id].takers;

	return (takers & 1ull << command) != 0 ||
	       (command == COMMAND_CONFIG && is_shown(id) &&
		(takers & FOR(PACK)) != 0);
}

/* All actions of a command. */
static taker_set
actions_of(enum command command)
{
	taker_set set = 0;

	for (int i = 1; i < ACTION_NR; i++)
		if (action_table[i].command == command)
			set |= 1ull << (ACTION_SHIFT + i);
	return set;
}

bool
command_has_actions(enum command command)
{
	return actions_of(command) != 0;
}

bool
option_is_of_action(enum action action, enum option_id id)
{
	taker_set takers = option_table[id].takers;

	return (takers & actions_of(action_table[action].command)) == 0 ||
	       (takers & 1ull << (ACTION_SHIFT + action)) != 0;
}

static bool
takes(const struct parser *parser, int id)
{
	return option_is_of(parser->line->command, (enum option_id)id);
}

static const char *
command_name(const struct parser *parser)
{
	return command_table[parser->line->command].name;
}

/* What was probably meant, else where to read on. */
static int
fail_unknown(struct parser *parser, const char *what,
	     const struct nearest *nearest, const char *before,
	     const char *otherwise)
{
	char word[WORD_QUOTE_BYTES];

	snprintf(word, sizeof(word), "%s%s", before, nearest->word);
	return fail(parser, "BALE-CLI-001 unknown %s %s%s", what,
		    WORD_QUOTED(word),
		    nearest->found != NULL ? HINT(nearest, before) : otherwise);
}

static int
fail_option(struct parser *parser, const char *dashed)
{
	const char *name = dashed + 2;
	struct nearest nearest = { .word = name };
	/* a query, and none of its words is an option, or may be one */
	bool is_text = strchr(name, ' ') != NULL ||
		       (parser->line->command == COMMAND_FIND &&
			parser->line->run.operands.nr == 0);
	char see[64];

	snprintf(see, sizeof(see),
		 is_text ? "; a text comes after --: bale %s --"
			 : "; see: bale help %s",
		 command_name(parser));

	for (int i = 0; i < OPTION_NR; i++) {
		const char *known = option_table[i].name;

		if (known == NULL)
			continue;
		if (strcmp(name, known) == 0)
			return fail(parser,
				    "BALE-CLI-001 %s is not an option of %s%s",
				    dashed, command_name(parser), see);
		if (takes(parser, i))
			nearest_try(&nearest, known, 0);
	}
	return fail_unknown(parser, "option", &nearest, "--", see);
}

static int
fail_command(struct parser *parser, const char *name)
{
	struct nearest nearest = { .word = name };

	for (int i = 1; i < COMMAND_NR; i++)
		nearest_try(&nearest, command_table[i].name, 0);
	return fail_unknown(parser, "command", &nearest, "",
			    "; a command comes first: bale pack PATH; see: "
			    "bale help");
}

/* Sets a value; `from` is how the user would name the option. */
static int
set(struct parser *parser, enum option_id id, const char *text,
    const char *from)
{
	char wanted[OPTION_WANTED_BYTES];
	int error = option_set(parser->line, &option_table[id], text, wanted);

	if (error == -EINVAL)
		return fail(parser, "%s %s: invalid value %s: %s",
			    id == OPTION_ITEM_TYPE ? "BALE-WIN-003"
						   : "BALE-CLI-002",
			    from, WORD_QUOTED(text == NULL ? "" : text),
			    wanted);
	parser->line->from[id] = (uint8_t)parser->from;
	return error == 0 ? 0 : fail_memory(parser);
}

static void
set_defaults(struct command_line *line)
{
	char wanted[OPTION_WANTED_BYTES];

	memset(line, 0, sizeof(*line));
	line->window.build = window_build_defaults();
	for (int i = 0; i < OPTION_NR; i++) {
		const struct option_spec *spec = &option_table[i];
		int error;

		/* what --no-x takes away is there */
		if (spec->kind == KIND_NEGATE)
			*(bool *)((char *)line + spec->offset) = true;
		if (spec->standard == NULL)
			continue;
		error = option_set(line, spec, spec->standard, wanted);
		ASSERT(error == 0); /* a default is within its range */
	}
}

/* A copy that lives as long as the options; NULL: no memory. */
static char *
copy_text(struct command_line *line, const char *text)
{
	if (text_list_add_copy(&line->copies, text) != 0)
		return NULL;
	return (char *)(uintptr_t)line->copies.items[line->copies.nr - 1];
}

/* A list of the environment: an entry a line. */
static int
set_lines(struct parser *parser, enum option_id id, const char *text,
	  const char *from)
{
	char *copy = copy_text(parser->line, text);
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

/* One option; what is only shown, by `bale config`, may be bad. */
static int
read_variable(struct parser *parser, enum option_id id)
{
	const struct option_spec *spec = &option_table[id];
	bool is_only_shown = parser->line->command == COMMAND_CONFIG &&
			     is_shown(id) && !takes(parser, (int)id);
	char name[VARIABLE_BYTES];
	const char *text;
	int error;

	if (spec->name == NULL || spec->kind == KIND_HELP ||
	    spec->kind == KIND_VERSION || option_given(parser->line, id) ||
	    !(is_only_shown || (takes(parser, (int)id) &&
				option_is_of_action(parser->line->action, id))))
		return 0;
	text = getenv(option_variable(name, sizeof(name), spec));
	if (text == NULL || *text == '\0')
		return 0;
	error = spec->kind == KIND_LIST ? set_lines(parser, id, text, name)
					: set(parser, id, text, name);
	if (error != -EINVAL || !is_only_shown)
		return error;
	*parser->line->error = '\0';
	return 0;
}

static int
read_environment(struct parser *parser)
{
	int error = 0;

	parser->from = FROM_ENVIRONMENT;
	for (int i = 0; i < OPTION_NR && error == 0; i++)
		error = read_variable(parser, (enum option_id)i);
	return error;
}

/* An option met on the command line; 1: stop here, it was --help. */
static int
apply(struct parser *parser, enum option_id id, const char *text,
      const char *from)
{
	const struct option_spec *spec = &option_table[id];
	struct command_line *line = parser->line;

	if (text == NULL && option_takes_next(spec)) {
		if (parser->next == parser->argc)
			return fail(parser,
				    "BALE-CLI-003 %s needs a value: %s %s",
				    from, from, spec->argument);
		text = parser->argv[parser->next++];
	}
	if (spec->kind == KIND_HELP) {
		line->topic = line->command;
		line->command = COMMAND_HELP;
		return 1;
	}
	if (spec->kind == KIND_VERSION) {
		line->command = COMMAND_VERSION;
		return 1;
	}
	return set(parser, id, text, from);
}

/* --name, --name=value, --name value */
static int
parse_long(struct parser *parser, const char *argument)
{
	const char *equals = strchrnul(argument, '=');
	const char *text = *equals == '=' ? equals + 1 : NULL;
	char from[WORD_BYTES + 2];
	int i = 0;

	snprintf(from, sizeof(from), "%.*s",
		 (int)min_size((size_t)(equals - argument), WORD_BYTES + 2),
		 argument);
	while (i < OPTION_NR && (!takes(parser, i) ||
				 strcmp(option_table[i].name, from + 2) != 0))
		i++;
	return i < OPTION_NR ? apply(parser, (enum option_id)i, text, from)
			     : fail_option(parser, from);
}

/* -q, -o FILE, -oFILE, -qo FILE */
static int
parse_short(struct parser *parser, const char *argument)
{
	for (const char *letter = argument + 1; *letter != '\0'; letter++) {
		const char from[] = { '-', *letter, '\0' };
		bool has_value;
		int i = 0;
		int result;

		while (i < OPTION_NR &&
		       (option_table[i].letter != *letter || !takes(parser, i)))
			i++;
		if (i == OPTION_NR)
			return fail(parser,
				    "BALE-CLI-001 unknown option %s; see: bale "
				    "help %s",
				    WORD_QUOTED(from), command_name(parser));
		has_value = option_takes_next(&option_table[i]);
		result = apply(parser, (enum option_id)i,
			       has_value && letter[1] != '\0' ? letter + 1
							      : NULL,
			       from);
		if (result != 0 || has_value)
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
			if (text_list_add(&parser->line->run.operands,
					  argument))
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
	struct command_line *line = parser->line;

	line->command = command_named(word);
	if (line->command != COMMAND_NONE)
		return 0;
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
		line->command = COMMAND_HELP;
	else if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0)
		line->command = COMMAND_VERSION;
	else
		return fail_command(parser, word);
	return 0;
}

/* "unpack needs a FILE"; what is needed is as in the usage line, up to what may
 * be left out. */
static int
fail_few(struct parser *parser, const char *name, const char *operands)
{
	const char *rest = strstr(operands, " [");
	size_t bytes = rest != NULL ? (size_t)(rest - operands)
				    : strcspn(operands, ".");
	bool is_one = memchr(operands, ' ', bytes) == NULL;

	return fail(parser, "BALE-CLI-004 %s needs %s%.*s; see: bale help %s",
		    name,
		    !is_one                             ? ""
		    : strchr("AEIO", *operands) != NULL ? "an "
							: "a ",
		    (int)bytes, operands, command_name(parser));
}

static int
fail_many(struct parser *parser, const char *name, size_t most)
{
	if (most == 0)
		return fail(parser,
			    "BALE-CLI-004 %s takes no arguments; see: bale "
			    "help %s",
			    name, command_name(parser));
	return fail(parser,
		    "BALE-CLI-004 %s takes no more than %zu argument%s; see: "
		    "bale help %s",
		    name, most, most == 1 ? "" : "s", command_name(parser));
}

static int
fail_action(struct parser *parser, const char *word)
{
	struct nearest nearest = { .word = word };
	char known[OPTION_WANTED_BYTES];
	size_t n = 0;

	for (int i = 1; i < ACTION_NR; i++) {
		const struct action_spec *spec = &action_table[i];

		if (spec->command != parser->line->command)
			continue;
		nearest_try(&nearest, spec->name, 0);
		n += (size_t)snprintf(known + n, sizeof(known) - n, "%s%s",
				      n > 0 ? ", " : "", spec->name);
		ASSERT(n < sizeof(known));
	}
	return fail(parser,
		    "BALE-CLI-001 unknown action %s of %s: expected one of "
		    "%s%s",
		    WORD_QUOTED(word), command_name(parser), known,
		    HINT(&nearest, ""));
}

/* "FILE [PATH...]": any number; "[INPUT]": one more than are needed */
static size_t
most_operands(const struct action_spec *spec)
{
	if (strstr(spec->operands, "...]") != NULL)
		return SIZE_MAX;
	return spec->nr + (strchr(spec->operands, '[') != NULL);
}

/* Which action it is, and whether it takes what was given. */
static int
parse_action(struct parser *parser)
{
	struct command_line *line = parser->line;
	size_t place = line->command == COMMAND_WINDOW; /* after FILE */
	const char *word = line->run.operands.items[place];
	size_t nr = line->run.operands.nr - place - 1;
	int i = ACTION_NR - 1;

	while (i > 0 && (action_table[i].command != line->command ||
			 strcmp(action_table[i].name, word) != 0))
		i--;
	line->action = (enum action)i;
	if (line->action == ACTION_NONE)
		return fail_action(parser, word);
	if (nr < action_table[i].nr)
		return fail_few(parser, word, action_table[i].operands);
	if (nr > most_operands(&action_table[i]))
		return fail_many(parser, word, most_operands(&action_table[i]));
	return 0;
}

/* An option that this action has no use for is a mistake. */
static int
check_action_options(struct parser *parser)
{
	const struct command_line *line = parser->line;

	for (int i = 0; i < OPTION_NR; i++)
		if (option_given(line, (enum option_id)i) &&
		    !option_is_of_action(line->action, (enum option_id)i))
			return fail(parser,
				    "BALE-CLI-001 --%s is not an option of %s "
				    "%s; see: bale help %s",
				    option_table[i].name, command_name(parser),
				    action_table[line->action].name,
				    command_name(parser));
	return 0;
}

static int
check_operands(struct parser *parser)
{
	struct command_line *line = parser->line;
	const struct text_list *operands = &line->run.operands;
	const struct command_spec *spec = &command_table[line->command];
	int result = 0;

	if (operands->nr < spec->least)
		return fail_few(parser, spec->name, spec->operands);
	if (operands->nr > spec->most)
		return fail_many(parser, spec->name, spec->most);
	for (size_t i = 0; i < operands->nr; i++) {
		if (*operands->items[i] == '\0')
			return fail(parser,
				    "BALE-CLI-004 an argument of %s is empty",
				    spec->name);
	}
	if (command_has_actions(line->command)) {
		result = parse_action(parser);
		return result == 0 ? check_action_options(parser) : result;
	}
	if (line->command != COMMAND_HELP || operands->nr == 0)
		return 0;
	line->topic = command_named(operands->items[0]);
	return line->topic == COMMAND_NONE
		       ? fail_command(parser, operands->items[0])
		       : 0;
}

int
command_line_parse(int argc, char **argv, struct command_line *out)
{
	struct parser parser = {
		.argc = argc,
		.argv = argv,
		.next = 1,
		.from = FROM_COMMAND_LINE,
		.line = out,
	};
	int result;

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

/* Whether the user gave a value of the same field, by whatever option. */
static bool
is_beaten(const struct command_line *line, enum option_id id)
{
	for (int i = 0; i < OPTION_NR; i++)
		if (option_table[i].offset == option_table[id].offset &&
		    option_requested(line, (enum option_id)i))
			return true;
	return false;
}

int
command_line_set(struct command_line *line, enum option_id id, const char *text,
		 char wanted[static OPTION_WANTED_BYTES])
{
	const struct option_spec *spec = &option_table[id];
	const char *copy;
	int error;

	if (is_beaten(line, id))
		return option_check(spec, text, wanted);
	copy = copy_text(line, text);
	if (copy == NULL)
		return -ENOMEM;
	error = option_set(line, spec, copy, wanted);
	if (error == 0)
		line->from[id] = FROM_FILE;
	return error;
}

void
command_line_fini(struct command_line *line)
{
	text_list_free(&line->copies);
	free(line->run.operands.items);
	for (int i = 0; i < OPTION_NR; i++)
		if (option_table[i].kind == KIND_LIST)
			free(((struct text_list *)(void *)((char *)line +
							   option_table[i]
								   .offset))
				     ->items);
	memset(line, 0, sizeof(*line));
}
