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
#include <stdlib.h>
#include <string.h>

#include "cli/help.h"
#include "tools/doc_gen.h"

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
man_option(enum command command, const struct option_spec *spec)
{
	char *text = help_text(command, spec);

	fputs(".It ", stdout);
	if (spec->letter != 0)
		printf("Fl %c , ", spec->letter);
	printf("Fl \\-%s", spec->name);
	if (spec->argument != NULL) {
		fputs(option_takes_next(spec) ? " Ar " : " Ns ", stdout);
		put_quoted(spec->argument);
	}
	putchar('\n');
	put_roff(text != NULL ? text : spec->help);
	putchar('\n');
	free(text);
}

static void
man_actions(enum command command)
{
	if (!command_has_actions(command))
		return;
	puts(".Pp\nIts actions are:\n.Bl -tag -width Ds");
	for (int i = 1; i < ACTION_NR; i++) {
		const struct action_spec *spec = &action_table[i];

		if (spec->command != command)
			continue;
		printf(".It Cm %s%s%s\n", spec->name,
		       *spec->operands != '\0' ? " Ar " : "", spec->operands);
		put_roff(spec->does);
		putchar('\n');
	}
	puts(".El\n.Pp\nIts options are:");
}

static void
man_command(enum command command)
{
	const struct command_spec *spec = &command_table[command];
	const struct option_spec *option;

	printf(".Ss bale %s", spec->name);
	if (*spec->operands != '\0')
		printf(" %s\\&", spec->operands);
	putchar('\n');
	put_roff(spec->does);
	putchar('\n');
	man_actions(command);
	puts(".Bl -tag -width Ds");
	for (size_t i = 0; (option = doc_option_at(command, i)) != NULL; i++)
		man_option(command, option);
	puts(".El");
	if (help_more(command) != NULL) {
		puts(".Pp");
		put_roff(help_more(command));
		putchar('\n');
	}
}

static void
man_keys(void)
{
	puts(".Bl -tag -width Ds");
	for (int i = 0; i < OPTION_NR; i++) {
		const struct option_spec *spec = &option_table[i];

		if (option_table[i].key == NULL)
			continue;
		printf(".It Cm %s\n", option_table[i].key);
		if (spec->takers & FOR(PACK)) {
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
	     ".Pp\n"
	     ".Ev XDG_CACHE_HOME ,\n"
	     ".Ev XDG_STATE_HOME\n"
	     "and\n"
	     ".Ev TMPDIR\n"
	     "say where files are kept.\n"
	     "docs/configuration.md lists all variables.\n"
	     ".Sh FILES\n"
	     ".Bl -tag -width Ds\n"
	     ".It Pa ~/.cache/bale/surveys\n"
	     "what\n"
	     ".Fl \\-cache\n"
	     "keeps between runs\n"
	     ".It Pa ~/.local/state/bale\n"
	     "the reports of the last runs, for\n"
	     ".Cm bale report\n"
	     ".El\n"
	     ".Pp\n"
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
	     "Pack the current directory into at most 128,000 tokens:\n"
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
