/* SPDX-License-Identifier: MIT */
/*
 * cmd_window_args.c - a command line by a table.
 */
#include "supervisor/cmd_window_args.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "supervisor/supervisor.h"

#define QUOTE_BYTES 128
#define NAME_BYTES 80
#define HELP_INDENT 28
#define HELP_COLUMNS 79

struct parser {
	const struct arg_command *command;
	int argc;
	char **argv;
	int next;
	void *fields;
	struct args *args;
	char *error;
	size_t error_size;
};

static int
fail(struct parser *parser, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static int
fail(struct parser *parser, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(parser->error, parser->error_size, format, args);
	va_end(args);
	return -EINVAL;
}

static const char *
quote(char out[static QUOTE_BYTES], const char *text)
{
	return diag_quote(out, QUOTE_BYTES, (const uint8_t *)text,
			  strlen(text));
}

/* The factor of a suffix, 0: there is none like that. */
static double
suffix_factor(enum arg_kind kind, const char *suffix)
{
	if (*suffix == '\0')
		return 1;
	if (suffix[1] != '\0' || kind == ARG_NUMBER || kind == ARG_REAL)
		return 0;
	switch (*suffix) {
	case 'k':
	case 'K':
		return kind == ARG_SIZE ? 1 << 10 : 1e3;
	case 'M':
		return kind == ARG_SIZE ? 1 << 20 : 1e6;
	case 'G':
		return kind == ARG_SIZE ? 1 << 30 : 0;
	default:
		return 0;
	}
}

/* Numbers up to 2^53, which a double holds exactly. */
static bool
parse_number(const struct arg_spec *spec, const char *text, double *out)
{
	size_t digits = strspn(text, spec->kind == ARG_REAL ? "0123456789."
							    : "0123456789");
	double factor = suffix_factor(spec->kind, text + digits);
	char *end;

	if (digits == 0 || digits > 32 || factor == 0)
		return false;
	*out = strtod(text, &end);
	if (end != text + digits)
		return false;
	*out *= factor;
	return *out >= spec->min && *out <= spec->max;
}

static int
set_number(struct parser *parser, const struct arg_spec *spec, const char *text,
	   const char *from)
{
	char *field = (char *)parser->fields + spec->offset;
	char quoted[QUOTE_BYTES];
	double number;

	if (!parse_number(spec, text, &number))
		return fail(parser,
			    "BALE-CLI-002 %s: %s is not a number from %g to %g",
			    from, quote(quoted, text), spec->min, spec->max);
	if (spec->kind == ARG_REAL)
		memcpy(field, &number, sizeof(number));
	else
		*(uint64_t *)(void *)field = (uint64_t)number;
	return 0;
}

static int
set_flag(struct parser *parser, const struct arg_spec *spec, const char *text,
	 const char *from)
{
	bool *field = (bool *)(void *)((char *)parser->fields + spec->offset);
	char quoted[QUOTE_BYTES];
	bool is_on = text == NULL || strcmp(text, "1") == 0 ||
		     strcmp(text, "yes") == 0 || strcmp(text, "true") == 0 ||
		     strcmp(text, "on") == 0;

	if (!is_on && strcmp(text, "0") != 0 && strcmp(text, "no") != 0 &&
	    strcmp(text, "false") != 0 && strcmp(text, "off") != 0)
		return fail(parser,
			    "BALE-CLI-002 %s: %s is not yes or no, 1 or 0",
			    from, quote(quoted, text));
	*field = (spec->kind == ARG_FLAG) == is_on;
	return 0;
}

/* `from` is how the user would name the option. */
static int
set(struct parser *parser, size_t i, const char *text, const char *from)
{
	const struct arg_spec *spec = &parser->command->specs[i];
	char *field = (char *)parser->fields + spec->offset;

	parser->args->given |= 1ull << i;
	switch (spec->kind) {
	case ARG_FLAG:
	case ARG_NEGATE:
		return set_flag(parser, spec, text, from);
	case ARG_TEXT:
		*(const char **)(void *)field = text;
		return 0;
	case ARG_LIST:
		if (text_list_add((struct text_list *)(void *)field, text) == 0)
			return 0;
		fail(parser, "out of memory");
		return -ENOMEM;
	default:
		ASSERT(text != NULL); /* only flags go without */
		return set_number(parser, spec, text, from);
	}
}

static int
fail_unknown(struct parser *parser, const char *name)
{
	const struct arg_command *command = parser->command;
	const char *nearest = NULL;
	unsigned best = (unsigned)(strlen(name) + 2) / 3;
	char dashed[NAME_BYTES];
	char quoted[QUOTE_BYTES];

	for (size_t i = 0; i < command->spec_nr; i++) {
		unsigned distance = edit_distance(name, command->specs[i].name);

		if (distance <= best) {
			best = distance;
			nearest = command->specs[i].name;
		}
	}
	snprintf(dashed, sizeof(dashed), "--%s", name);
	quote(quoted, dashed);
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
	for (size_t i = 0; i < command->spec_nr; i++) {
		const struct arg_spec *spec = &command->specs[i];

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
			result = fail(parser, "out of memory");
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
	char quoted[QUOTE_BYTES];
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
	return fail(parser,
		    "BALE-CLI-001 unknown action %s of %s; did you mean %s? "
		    "see: bale %s --help",
		    quote(quoted, word), command->name, nearest, command->name);
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

	for (size_t i = 0; i < command->spec_nr; i++) {
		const struct option_spec name = {
			.name = command->specs[i].name
		};
		char variable[NAME_BYTES];
		const char *text;
		int result;

		if ((parser->args->given & 1ull << i) != 0 ||
		    (command->specs[i].verbs & 1u << parser->args->verb) == 0)
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

int
args_parse(const struct arg_command *command, int argc, char **argv,
	   void *fields, struct args *args, char *error, size_t error_size)
{
	struct parser parser = {
		.command = command,
		.argc = argc,
		.argv = argv,
		.next = 1,
		.fields = fields,
		.args = args,
		.error = error,
		.error_size = error_size,
	};
	int result;

	ASSERT(command->spec_nr <= 64);
	*args = (struct args){ .given = 0 };
	result = parse_arguments(&parser);
	if (result != 0 || args->help)
		return result;
	if (command->verbs != NULL) {
		result = find_verb(&parser);
		if (result == 0)
			result = check_verb(&parser);
	}
	return result == 0 ? read_environment(&parser) : result;
}

void
args_fini(struct args *args)
{
	free(args->operands.items);
	*args = (struct args){ .given = 0 };
}

static void
print_option(FILE *out, const struct arg_spec *spec)
{
	const char *text = spec->help;
	size_t column;
	int n = fprintf(out, "  --%s%s%s", spec->name,
			spec->argument != NULL ? " " : "",
			spec->argument != NULL ? spec->argument : "");

	if (n + 2 > HELP_INDENT)
		n = fprintf(out, "\n") - 1;
	fprintf(out, "%*s", HELP_INDENT - n, "");
	column = HELP_INDENT;
	while (*text != '\0') {
		size_t bytes = strcspn(text, " ");

		if (column + 1 + bytes > HELP_COLUMNS) {
			fprintf(out, "\n%*s", HELP_INDENT, "");
			column = HELP_INDENT;
		}
		fprintf(out, "%s%.*s", column > HELP_INDENT ? " " : "",
			(int)bytes, text);
		column += bytes + 1;
		text += bytes;
		text += strspn(text, " ");
	}
	fputc('\n', out);
}

int
args_help(const struct arg_command *command, FILE *out)
{
	fprintf(out, "Usage: %s\n\nOptions:\n", command->usage);
	for (size_t i = 0; i < command->spec_nr; i++)
		print_option(out, &command->specs[i]);
	if (command->epilogue != NULL)
		fprintf(out, "\n%s", command->epilogue);
	return fflush(out) != 0 || ferror(out) ? -EIO : 0;
}

int
args_finish_stdout(void)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return EXIT_COMPLETE;
	diag_log(DIAG_ERROR, "stdout: cannot be written");
	return EXIT_OUTPUT;
}
