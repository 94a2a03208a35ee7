/* SPDX-License-Identifier: MIT */
/*
 * doc_gen.c - the manual and the completions, from the tables that the program
 *             itself reads its options by.
 *
 *   doc_gen man|bash|zsh|fish  > FILE
 *
 * Runs in: the build; `make install` installs what it wrote.
 */
#include <stdio.h>
#include <string.h>

#include "supervisor/config.h"
#include "supervisor/help.h"
#include "supervisor/options.h"
#include "tools/doc_gen.h"

bool
doc_row_at(enum command command, size_t i, struct doc_row *out)
{
	const struct arg_command *verbs = help_own_table(command);
	size_t n = 0;

	if (verbs != NULL) {
		const struct arg_spec *spec = args_spec_at(verbs, i);

		if (spec == NULL)
			return false;
		*out = (struct doc_row){ .name = spec->name,
					 .argument = spec->argument,
					 .help = spec->help };
		return true;
	}
	for (int id = 0; id < OPTION_NR; id++) {
		const struct option_spec *spec = &option_table[id];

		if ((spec->commands & 1u << command) == 0 || n++ != i)
			continue;
		*out = (struct doc_row){ .name = spec->name,
					 .argument = option_takes_next(spec)
							     ? spec->argument
							     : NULL,
					 .optional = option_takes_next(spec)
							     ? NULL
							     : spec->argument,
					 .standard = spec->standard,
					 .help = spec->help,
					 .letter = spec->letter };
		return true;
	}
	return false;
}

/*
 * Text of mdoc, in lines of no more than 78 bytes, a new one for a sentence:
 * none begins with a dot, no backslash is an escape.
 */
static void
put_roff(const char *text)
{
	size_t column = 0;
	bool is_end = false; /* of a sentence */

	while (*text != '\0') {
		size_t bytes = strcspn(text, " ");

		if (column > 0 && (is_end || column + 1 + 2 * bytes > 78)) {
			putchar('\n');
			column = 0;
		} else if (column > 0) {
			column += (size_t)printf(" ");
		}
		if (column == 0 && (*text == '.' || *text == '\''))
			column += (size_t)printf("\\&");
		for (size_t i = 0; i < bytes; i++)
			column += (size_t)printf(text[i] == '\\'  ? "\\e"
						 : text[i] == '-' ? "\\-"
								  : "%c",
						 text[i]);
		text += bytes;
		is_end = bytes > 1 && strchr(".?!", text[-1]) != NULL;
		text += strspn(text, " ");
	}
}

/* An argument of a macro, as one word. */
static void
put_quoted(const char *text)
{
	putchar('"');
	for (; *text != '\0'; text++) {
		if (*text == '"')
			fputs("\\(dq", stdout);
		else if (*text == '\\')
			fputs("\\e", stdout);
		else
			putchar(*text);
	}
	putchar('"');
}

static void
man_option(const struct doc_row *row)
{
	fputs(".It ", stdout);
	if (row->letter != 0)
		printf("Fl %c , ", row->letter);
	printf("Fl \\-%s", row->name);
	if (row->argument != NULL) {
		fputs(" Ar ", stdout);
		put_quoted(row->argument);
	}
	if (row->optional != NULL) {
		fputs(" Ns ", stdout);
		put_quoted(row->optional);
	}
	putchar('\n');
	put_roff(row->help);
	if (row->standard != NULL) {
		fputs("\n(default: ", stdout);
		put_roff(row->standard);
		putchar(')');
	}
	putchar('\n');
}

static void
man_command(enum command command)
{
	const struct command_spec *spec = &command_table[command];
	struct doc_row row;

	printf(".Ss bale %s", spec->name);
	if (*spec->operands != '\0')
		printf(" %s\\&", spec->operands);
	putchar('\n');
	put_roff(spec->does);
	putchar('\n');
	if (!doc_row_at(command, 0, &row))
		return;
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; doc_row_at(command, i, &row); i++)
		man_option(&row);
	puts(".El");
}

static void
man_keys(void)
{
	puts(".Bl -tag -width Ds");
	for (int i = 0; i < OPTION_NR + SETTING_NR; i++) {
		const char *key = i < OPTION_NR
					  ? option_key((enum option_id)i)
					  : setting_table[i - OPTION_NR].name;
		const struct option_spec *spec =
			i < OPTION_NR ? &option_table[i]
				      : &setting_table[i - OPTION_NR];

		if (key == NULL)
			continue;
		printf(".It Cm %s\n", key);
		if (i < OPTION_NR) {
			printf("as\n.Fl \\-%s\n", spec->name);
		} else {
			put_roff(spec->help);
			putchar('\n');
		}
	}
	puts(".El");
}

static void
write_man(void)
{
	puts(".\\\" SPDX-License-Identifier: MIT\n"
	     ".Dd November 22, 2026\n"
	     ".Dt BALE 1\n"
	     ".Os\n"
	     ".Sh NAME\n"
	     ".Nm bale\n"
	     ".Nd pack source trees into the context window of a language "
	     "model\n"
	     ".Sh SYNOPSIS\n"
	     ".Nm\n"
	     ".Ar command\n"
	     ".Op Ar options\n"
	     ".Op Ar arguments\n"
	     ".Sh DESCRIPTION\n"
	     ".Nm\n"
	     "packs source trees into the context window of a language model, "
	     "within an\nexact token budget, and keeps the context of a "
	     "running conversation under its\nlimit.\n"
	     "The commands are:");
	for (int i = 1; i < COMMAND_NR; i++)
		man_command((enum command)i);
	puts(".Sh ENVIRONMENT\n"
	     "Each option can be set in the environment, as its name in "
	     "capitals behind\n"
	     ".Ev BALE_ :\n"
	     ".Ev BALE_BUDGET\n"
	     "for\n"
	     ".Fl \\-budget .\n"
	     "The command line beats it.\n"
	     "A flag is 1 or 0, a list has one entry a line, an empty "
	     "variable counts as\nunset.\n"
	     ".Sh FILES\n"
	     "What neither the command line nor the environment says is taken "
	     "from\n"
	     ".Pa .agent/config.yml\n"
	     "of the repository that\n"
	     ".Nm\n"
	     "is started in.\n"
	     "Its keys are:");
	man_keys();
	puts(".Sh EXIT STATUS\n"
	     ".Bl -tag -width Ds");
	for (size_t i = 0; help_exit_codes[i].code != NULL; i++) {
		printf(".It %s\n", help_exit_codes[i].code);
		put_roff(help_exit_codes[i].meaning);
		putchar('\n');
	}
	puts(".El\n"
	     ".Sh EXAMPLES\n"
	     "Pack the current directory for a window of 128,000 tokens:\n"
	     ".Pp\n"
	     ".Dl $ bale pack . \\-\\-budget 128k \\-o context.md");
}

int
main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*write)(void);
	} kinds[] = {
		{ "man", write_man },
		{ "bash", doc_write_bash },
		{ "zsh", doc_write_zsh },
		{ "fish", doc_write_fish },
	};

	for (size_t i = 0; argc == 2 && i < ARRAY_LEN(kinds); i++) {
		if (strcmp(kinds[i].name, argv[1]) != 0)
			continue;
		kinds[i].write();
		return fflush(stdout) != 0 || ferror(stdout);
	}
	fputs("usage: doc_gen man|bash|zsh|fish > FILE\n", stderr);
	return 2;
}
