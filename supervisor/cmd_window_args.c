/* SPDX-License-Identifier: MIT */
/*
 * cmd_window_args.c - a command line by a table.
 */
#include "supervisor/cmd_window_args.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "supervisor/broker.h"
#include "supervisor/sandbox.h"
#include "supervisor/stream.h"
#include "supervisor/supervisor.h"
#include "supervisor/words.h"

#define ALLOWED_BYTES 256
#define ERROR_BYTES 512
#define NAME_BYTES 80
#define HELP_INDENT 28

struct parser {
	const struct arg_command *command;
	int argc;
	char **argv;
	int next;
	void *fields;
	struct args *args;
	struct complaint complaint;
};

#define fail(parser, ...) complain(&(parser)->complaint, __VA_ARGS__)
#define fail_memory(parser) complain_memory(&(parser)->complaint)

/* Those of every command; the last two of those that have keys. */
static const struct arg_spec common_specs[] = {
	{ "sandbox", "require|auto|off", KIND_CHOICE,
	  offsetof(struct args, sandbox), 0, 0, ARG_VERBS_ALL,
	  "where the kernel has no part of the sandbox: require ends the run, "
	  "auto (default) warns; off: disable the sandbox" },
	{ "no-sandbox", NULL, KIND_FLAG, offsetof(struct args, no_sandbox), 0,
	  0, ARG_VERBS_ALL, "the same as --sandbox=off" },
	{ "config", "FILE", KIND_TEXT, offsetof(struct args, config_path), 0, 0,
	  ARG_VERBS_ALL,
	  "read the configuration from FILE and not from .agent/config.yml" },
	{ "no-config", NULL, KIND_FLAG, offsetof(struct args, no_config), 0, 0,
	  ARG_VERBS_ALL, "read no configuration file" },
};

/* How many options a command takes; the last ones are the common ones. */
static size_t
spec_nr(const struct arg_command *command)
{
	return command->spec_nr + ARRAY_LEN(common_specs) -
	       (command->key_nr > 0 ? 0 : 2);
}

static const struct arg_spec *
spec_at(const struct arg_command *command, size_t i)
{
	return i < command->spec_nr ? &command->specs[i]
				    : &common_specs[i - command->spec_nr];
}

/* `from` is how the user would name the option. */
static int
set(struct parser *parser, size_t i, const char *text, const char *from)
{
	const struct arg_spec *spec = spec_at(parser->command, i);
	const struct option_spec read = { .argument = spec->argument,
					  .kind = spec->kind,
					  .min = spec->min,
					  .max = spec->max };
	char allowed[ALLOWED_BYTES];
	char quoted[WORD_QUOTE_BYTES];
	void *field = (i < parser->command->spec_nr ? (char *)parser->fields
						    : (char *)parser->args) +
		      spec->offset;
	int error;

	parser->args->given |= 1ull << i;
	if (spec->kind == KIND_TEXT) { /* may be empty: a separator, say */
		*(const char **)field = text;
		return 0;
	}
	error = option_set_field(&read, text, field, allowed, sizeof(allowed));
	if (error == -EINVAL)
		return fail(parser, "BALE-CLI-002 %s: %s is not %s", from,
			    word_quote(quoted, text == NULL ? "" : text),
			    allowed);
	return error == 0 ? 0 : fail_memory(parser);
}

const struct arg_spec *
args_spec_at(const struct arg_command *command, size_t i)
{
	return i < spec_nr(command) ? spec_at(command, i) : NULL;
}

static int
fail_unknown(struct parser *parser, const char *name)
{
	const struct arg_command *command = parser->command;
	const char *nearest = NULL;
	unsigned best = (unsigned)(strlen(name) + 2) / 3;
	char dashed[NAME_BYTES];
	char quoted[WORD_QUOTE_BYTES];

	for (size_t i = 0; i < spec_nr(command); i++) {
		const char *known = spec_at(command, i)->name;
		unsigned distance = edit_distance(name, known);

		if (distance <= best) {
			best = distance;
			nearest = known;
		}
	}
	snprintf(dashed, sizeof(dashed), "--%s", name);
	word_quote(quoted, dashed);
	if (nearest != NULL)
		return fail(parser,
			    "BALE-CLI-001 unknown option %s; did you mean "
			    "--%s?",
			    quoted, nearest);
	return fail(parser,
		    "BALE-CLI-001 unknown option %s; see: bale %s --help",
		    quoted, command->name);
}

/* --name, --name=value, --name value */
static int
parse_option(struct parser *parser, const char *argument)
{
	const struct arg_command *command = parser->command;
	const char *equals = strchrnul(argument, '=');
	const char *text = *equals == '=' ? equals + 1 : NULL;
	char name[NAME_BYTES];
	char from[NAME_BYTES + 2];

	snprintf(name, sizeof(name), "%.*s",
		 (int)min_size((size_t)(equals - argument), NAME_BYTES - 1),
		 argument);
	if (strcmp(name, "help") == 0 && text == NULL) {
		parser->args->help = true;
		return 0;
	}
	for (size_t i = 0; i < spec_nr(command); i++) {
		const struct arg_spec *spec = spec_at(command, i);

		if (strcmp(spec->name, name) != 0)
			continue;
		snprintf(from, sizeof(from), "--%s", name);
		if (text == NULL && spec->argument != NULL) {
			if (parser->next == parser->argc)
				return fail(parser,
					    "BALE-CLI-003 %s needs a value: %s "
					    "%s",
					    from, from, spec->argument);
			text = parser->argv[parser->next++];
		}
		return set(parser, i, text, from);
	}
	return fail_unknown(parser, name);
}

static int
parse_arguments(struct parser *parser)
{
	bool only_operands = false;

	while (parser->next < parser->argc && !parser->args->help) {
		const char *argument = parser->argv[parser->next++];
		int result = 0;

		if (!only_operands && strcmp(argument, "--") == 0)
			only_operands = true;
		else if (!only_operands && strcmp(argument, "-h") == 0)
			parser->args->help = true;
		else if (!only_operands && strncmp(argument, "--", 2) == 0)
			result = parse_option(parser, argument + 2);
		else if (!only_operands && argument[0] == '-' &&
			 argument[1] != '\0')
			result = fail_unknown(parser, argument + 1);
		else if (text_list_add(&parser->args->operands, argument) != 0)
			result = fail_memory(parser);
		if (result != 0)
			return result;
	}
	return 0;
}

static int
find_verb(struct parser *parser)
{
	const struct arg_command *command = parser->command;
	const struct text_list *operands = &parser->args->operands;
	const char *nearest = command->verbs[0];
	unsigned best = UINT_MAX;
	char quoted[WORD_QUOTE_BYTES];
	const char *word;

	if (operands->nr <= command->verb_place)
		return fail(parser,
			    "BALE-CLI-004 %s takes more; see: bale %s --help",
			    command->name, command->name);
	word = operands->items[command->verb_place];
	for (unsigned i = 0; i < command->verb_nr; i++) {
		unsigned distance = edit_distance(word, command->verbs[i]);

		if (distance == 0) {
			parser->args->verb = i;
			return 0;
		}
		if (distance < best) {
			best = distance;
			nearest = command->verbs[i];
		}
	}
	word_quote(quoted, word);
	if (word_is_near(word, best))
		return fail(parser,
			    "BALE-CLI-001 unknown action %s of %s; did you "
			    "mean %s? see: bale %s --help",
			    quoted, command->name, nearest, command->name);
	return fail(parser,
		    "BALE-CLI-001 unknown action %s of %s; see: bale %s --help",
		    quoted, command->name, command->name);
}

/* An option that this verb has no use for is a mistake. */
static int
check_verb(struct parser *parser)
{
	const struct arg_command *command = parser->command;

	for (size_t i = 0; i < command->spec_nr; i++) {
		if ((parser->args->given & 1ull << i) != 0 &&
		    (command->specs[i].verbs & 1u << parser->args->verb) == 0)
			return fail(parser,
				    "BALE-CLI-001 --%s is not an option of %s "
				    "%s; see: bale %s --help",
				    command->specs[i].name, command->name,
				    command->verbs[parser->args->verb],
				    command->name);
	}
	return 0;
}

static int
read_environment(struct parser *parser)
{
	const struct arg_command *command = parser->command;

	for (size_t i = 0; i < spec_nr(command); i++) {
		const struct arg_spec *spec = spec_at(command, i);
		const struct option_spec name = { .name = spec->name };
		char variable[NAME_BYTES];
		const char *text;
		int result;

		if ((parser->args->given & 1ull << i) != 0 ||
		    (spec->verbs & 1u << parser->args->verb) == 0)
			continue;
		option_variable(variable, sizeof(variable), &name);
		text = getenv(variable);
		if (text == NULL || *text == '\0')
			continue;
		result = set(parser, i, text, variable);
		if (result != 0)
			return result;
	}
	return 0;
}

/* The number of an option of the command's own. */
static size_t
spec_named(const struct arg_command *command, const char *name)
{
	size_t i = 0;

	while (strcmp(command->specs[i].name, name) != 0) {
		i++;
		ASSERT(i < command->spec_nr);
	}
	return i;
}

/* What the file says of options that nobody gave. */
static int
take_settings(struct parser *parser)
{
	const struct arg_command *command = parser->command;
	struct args *args = parser->args;

	for (size_t k = 0; k < command->key_nr; k++) {
		const struct arg_key *key = &command->keys[k];
		size_t i = spec_named(command, key->option);
		enum setting_id id = config_find_setting(key->path);
		const char *text;
		int result;

		ASSERT(id < SETTING_NR); /* a line of config.def */
		text = config_setting(&args->config, id);
		if (text == NULL || (args->given & 1ull << i) != 0 ||
		    (key->verbs & 1u << args->verb) == 0)
			continue;
		result = set(parser, i, text, key->path);
		if (result != 0)
			return result;
		args->from_file |= 1ull << i;
	}
	return 0;
}

static int
read_config(struct parser *parser, unsigned layers)
{
	struct args *args = parser->args;
	char sentence[CONFIG_SENTENCE_BYTES];
	size_t first = 0;
	int result;

	if (parser->command->key_nr == 0)
		return 0;
	result = config_load(&args->config, args->config_path, args->no_config,
			     layers);
	if (result == -ENOMEM)
		return fail_memory(parser);
	if (result == 0) {
		config_log(&args->config);
		return take_settings(parser);
	}
	while (args->config.problems[first].is_warning)
		first++;
	return fail(parser, "%s",
		    config_sentence(&args->config, first, sentence));
}

/* Which of --sandbox and --no-sandbox there were: two bits. */
static uint64_t
sandbox_given(const struct parser *parser)
{
	return parser->args->given >> parser->command->spec_nr & 3;
}

static int
take_sandbox(struct parser *parser, uint64_t given)
{
	struct args *args = parser->args;

	if (!args->no_sandbox)
		return 0;
	if (given == 3 && args->sandbox != SANDBOX_OFF)
		return fail(parser, "BALE-CLI-005 --no-sandbox cannot be given "
				    "with --sandbox: it is the same as "
				    "--sandbox=off");
	args->sandbox = SANDBOX_OFF;
	return 0;
}

/* Command line and environment. */
static int
parse_words(struct parser *parser)
{
	const struct arg_command *command = parser->command;
	struct args *args = parser->args;
	uint64_t given;
	int result;

	ASSERT(command->spec_nr <= ARG_SPECS_MAX);
	*args = (struct args){ .sandbox = SANDBOX_AUTO };
	result = parse_arguments(parser);
	if (result != 0 || args->help)
		return result;
	if (command->verbs != NULL) {
		result = find_verb(parser);
		if (result == 0)
			result = check_verb(parser);
	}
	/* said on the command line, neither is asked of the environment */
	given = sandbox_given(parser);
	if (given != 0)
		args->given |= 3ull << command->spec_nr;
	if (result == 0)
		result = read_environment(parser);
	if (given == 0)
		given = sandbox_given(parser);
	return result == 0 ? take_sandbox(parser, given) : result;
}

/* Forks who does what this process may not do when it is shut in, and looks at
 * what there is to shut it in: an exit code. */
static int
begin_sandbox(const struct parser *parser, struct broker_names *names,
	      unsigned *layers)
{
	const struct args *args = parser->args;
	int error;

	*layers = 0;
	if (args->sandbox == SANDBOX_OFF)
		return EXIT_COMPLETE;
	error = broker_begin(names);
	if (error == 0)
		return sandbox_begin(args->sandbox, layers);
	diag_log(DIAG_ERROR, "cannot fork: %s", strerror(-error));
	return EXIT_RESOURCES;
}

/* Shuts the process in, but for a file that it only reads: an exit code. */
static int
shut_in(const struct broker_names *names, unsigned layers)
{
	const struct sandbox_place store = { .path = names->store };

	return sandbox_enter_command(layers, &store,
				     names->reads_only && store.path != NULL);
}

bool
args_is_from_file(const struct arg_command *command, const struct args *args,
		  const char *name)
{
	return (args->from_file & 1ull << spec_named(command, name)) != 0;
}

bool
args_begin(const struct arg_command *command, int argc, char **argv,
	   void *fields, struct args *args, int *code)
{
	char error[ERROR_BYTES];
	struct parser parser = {
		.command = command,
		.argc = argc,
		.argv = argv,
		.next = 1,
		.fields = fields,
		.args = args,
		.complaint = { .text = error, .size = sizeof(error) },
	};
	static struct broker_names names; /* the broker's as well */
	unsigned layers;

	*code = EXIT_USAGE;
	if (parse_words(&parser) != 0) {
		diag_log(DIAG_ERROR, "%s", error);
		return false;
	}
	if (args->help) {
		*code = args_help(command, stdout) == 0
				? EXIT_COMPLETE
				: stream_finish_stdout();
		return false;
	}
	command->name_outside(fields, args, &names);
	*code = begin_sandbox(&parser, &names, &layers);
	if (*code != EXIT_COMPLETE)
		return false;
	if (read_config(&parser, layers) != 0) {
		diag_log(DIAG_ERROR, "%s", error);
		*code = EXIT_USAGE;
		return false;
	}
	*code = shut_in(&names, layers);
	return *code == EXIT_COMPLETE;
}

void
args_fini(struct args *args)
{
	broker_end();
	free(args->operands.items);
	config_fini(&args->config);
	*args = (struct args){ .given = 0 };
}

static void
print_option(FILE *out, const struct arg_spec *spec)
{
	int n = fprintf(out, "  --%s%s%s", spec->name,
			spec->argument != NULL ? " " : "",
			spec->argument != NULL ? spec->argument : "");

	if (n + 2 > HELP_INDENT)
		n = fprintf(out, "\n") - 1;
	fprintf(out, "%*s", HELP_INDENT - n, "");
	print_wrapped(out, spec->help, HELP_INDENT, HELP_INDENT);
}

int
args_help(const struct arg_command *command, FILE *out)
{
	fprintf(out, "Usage: %s\n\nOptions:\n", command->usage);
	for (size_t i = 0; i < spec_nr(command); i++)
		print_option(out, spec_at(command, i));
	if (command->epilogue != NULL)
		fprintf(out, "\n%s", command->epilogue);
	return stream_finish(out);
}

int
window_exit_code(int result)
{
	switch (result) {
	case 0:
		return EXIT_COMPLETE;
	case -E2BIG:
		return EXIT_FRAME;
	case -ENOMEM:
	case -ETIMEDOUT:
	case -EMFILE:
	case -ENFILE:
		return EXIT_RESOURCES;
	case -EIO:
	case -EROFS:
	case -EDQUOT:
	case -ENOSPC:
		return EXIT_OUTPUT;
	case -EPROTO:
		return EXIT_INTERNAL;
	default:
		return EXIT_USAGE;
	}
}

void
args_log_about(const char *path, const char *text)
{
	char quoted[WORD_QUOTE_BYTES];
	size_t code = strcspn(text, " ");

	diag_quote_text(quoted, sizeof(quoted), path);
	if (strncmp(text, "BALE-", 5) != 0 || text[code] == '\0' ||
	    strncmp(text + code + 1, quoted, strlen(quoted)) == 0)
		diag_log(DIAG_ERROR, "%s", text);
	else
		diag_log(DIAG_ERROR, "%.*s %s:%s", (int)code, text, quoted,
			 text + code);
}
