/* SPDX-License-Identifier: MIT */
/*
 * doc_shells.c - completions for bash, zsh and fish.
 */
#include "tools/doc_gen.h"

#include <stdio.h>
#include <string.h>

#include "supervisor/help.h"

/* What an argument may be: words parted by |, a file, or anything. */
static bool
is_choice(const char *argument)
{
	return strchr(argument, '|') != NULL &&
	       strspn(argument, "abcdefghijklmnopqrstuvwxyz|-_") ==
		       strlen(argument);
}

static bool
is_file(const char *argument)
{
	return strstr(argument, "FILE") != NULL ||
	       strstr(argument, "PATH") != NULL;
}

/* Words of a choice, or of verbs, with `between`. */
static void
put_choices(const char *choices, char between)
{
	for (; *choices != '\0'; choices++)
		putchar(*choices == '|' ? between : *choices);
}

static void
put_verbs(const struct arg_command *verbs)
{
	for (unsigned i = 0; i < verbs->verb_nr; i++)
		printf("%s%s", i > 0 ? " " : "", verbs->verbs[i]);
}

static void
put_commands(void)
{
	for (int i = 1; i < COMMAND_NR; i++)
		printf("%s%s", i > 1 ? " " : "", command_table[i].name);
}

/* Text within single quotes of a shell; `special` gets a backslash, too. */
static void
put_single(const char *text, const char *special)
{
	for (; *text != '\0'; text++) {
		if (*text == '\'')
			fputs("'\\''", stdout);
		else if (strchr(special, *text) != NULL)
			printf("\\%c", *text);
		else
			putchar(*text);
	}
}

/* The words that may stand where no option is expected. */
static void
bash_operands(enum command command)
{
	const struct arg_command *verbs = help_own_table(command);

	if (verbs != NULL && verbs->verbs != NULL) {
		fputs("\t\twords+=' ", stdout);
		put_verbs(verbs);
		puts("'");
	} else if (command == COMMAND_HELP) {
		fputs("\t\tfiles= words+=' ", stdout);
		put_commands();
		puts("'");
	} else if (is_choice(command_table[command].operands)) {
		fputs("\t\tfiles= words+=' ", stdout);
		put_choices(command_table[command].operands, ' ');
		puts("'");
	} else if (command_table[command].most == 0) {
		puts("\t\tfiles=");
	}
}

static void
bash_command(enum command command)
{
	struct doc_row row;

	printf("\t%s)\n\t\twords='", command_table[command].name);
	for (size_t i = 0; doc_row_at(command, i, &row); i++)
		printf("%s--%s", i > 0 ? " " : "", row.name);
	puts("'");
	bash_operands(command);
	puts("\t\tcase $prev in");
	for (size_t i = 0; doc_row_at(command, i, &row); i++) {
		if (row.argument == NULL)
			continue;
		fputs("\t\t", stdout);
		if (row.letter != 0)
			printf("-%c | ", row.letter);
		printf("--%s) ", row.name);
		if (is_choice(row.argument)) {
			fputs("words='", stdout);
			put_choices(row.argument, ' ');
			puts("' files= ;;");
		} else {
			printf("words= files=%s ;;\n",
			       is_file(row.argument) ? "yes" : "");
		}
	}
	puts("\t\tesac\n\t\t;;");
}

void
doc_write_bash(void)
{
	puts("# SPDX-License-Identifier: MIT\n"
	     "# Completion of bale for bash.\n"
	     "_bale() {\n"
	     "\tlocal cur=${COMP_WORDS[COMP_CWORD]} words= files=yes\n"
	     "\tlocal prev=${COMP_WORDS[COMP_CWORD - 1]}\n"
	     "\tCOMPREPLY=()\n"
	     "\tif [ \"$COMP_CWORD\" = 1 ]; then");
	fputs("\t\tCOMPREPLY=($(compgen -W '", stdout);
	put_commands();
	puts(" --help --version' -- \"$cur\"))\n"
	     "\t\treturn\n"
	     "\tfi\n"
	     "\tcase ${COMP_WORDS[1]} in");
	for (int i = 1; i < COMMAND_NR; i++)
		bash_command((enum command)i);
	puts("\tesac\n"
	     "\tif [ -z \"$cur\" ] || [ \"${cur:0:1}\" != - ]; then\n"
	     "\t\t[ -z \"$files\" ] || compopt -o filenames 2>/dev/null\n"
	     "\t\t[ -z \"$files\" ] || COMPREPLY=($(compgen -f -- \"$cur\"))\n"
	     "\tfi\n"
	     "\tCOMPREPLY+=($(compgen -W \"$words\" -- \"$cur\"))\n"
	     "}\n"
	     "complete -F _bale bale");
}

static void
zsh_option(const struct doc_row *row)
{
	fputs(" \\\n\t\t'", stdout);
	printf("*--%s%s[", row->name, row->argument != NULL ? "=" : "");
	put_single(row->help, "[]:\\");
	putchar(']');
	if (row->argument != NULL) {
		putchar(':');
		put_single(row->argument, "[]:\\()");
		putchar(':');
		if (is_choice(row->argument)) {
			putchar('(');
			put_choices(row->argument, ' ');
			putchar(')');
		} else if (is_file(row->argument)) {
			fputs("_files", stdout);
		}
	}
	putchar('\'');
}

static void
zsh_command(enum command command)
{
	const struct arg_command *verbs = help_own_table(command);
	struct doc_row row;

	printf("\t%s)\n\t\t_arguments", command_table[command].name);
	for (size_t i = 0; doc_row_at(command, i, &row); i++)
		zsh_option(&row);
	if (verbs != NULL && verbs->verbs != NULL) {
		if (verbs->verb_place > 0)
			fputs(" \\\n\t\t'1:file:_files'", stdout);
		printf(" \\\n\t\t'%u:action:(", verbs->verb_place + 1);
		put_verbs(verbs);
		fputs(")'", stdout);
	} else if (is_choice(command_table[command].operands)) {
		fputs(" \\\n\t\t'1:action:(", stdout);
		put_choices(command_table[command].operands, ' ');
		fputs(")'", stdout);
	} else if (command_table[command].most > 0) {
		fputs(" \\\n\t\t'*:file:_files'", stdout);
	}
	puts("\n\t\t;;");
}

void
doc_write_zsh(void)
{
	puts("#compdef bale\n"
	     "# SPDX-License-Identifier: MIT\n"
	     "# Completion of bale for zsh.\n"
	     "_bale() {\n"
	     "\tlocal context state state_descr line\n"
	     "\ttypeset -A opt_args\n"
	     "\tif ((CURRENT == 2)); then\n"
	     "\t\tlocal -a commands=(");
	for (int i = 1; i < COMMAND_NR; i++) {
		printf("\t\t\t'%s:", command_table[i].name);
		put_single(command_table[i].does, ":\\");
		puts("'");
	}
	puts("\t\t)\n"
	     "\t\t_describe command commands\n"
	     "\t\treturn\n"
	     "\tfi\n"
	     "\tlocal command=$words[2]\n"
	     "\tshift words\n"
	     "\t((CURRENT--))\n"
	     "\tcase $command in");
	for (int i = 1; i < COMMAND_NR; i++)
		zsh_command((enum command)i);
	puts("\tesac\n"
	     "}\n"
	     "_bale \"$@\"");
}

static void
fish_line(const char *command, const char *what)
{
	printf("complete -c bale -n '__fish_seen_subcommand_from %s' %s",
	       command, what);
}

static void
fish_command(enum command command)
{
	const char *name = command_table[command].name;
	const struct arg_command *verbs = help_own_table(command);
	struct doc_row row;

	printf("complete -c bale -n __fish_use_subcommand -f -a %s -d '", name);
	put_single(command_table[command].does, "\\");
	puts("'");
	for (size_t i = 0; doc_row_at(command, i, &row); i++) {
		fish_line(name, "-l ");
		fputs(row.name, stdout);
		if (row.letter != 0)
			printf(" -s %c", row.letter);
		if (row.argument != NULL && is_choice(row.argument)) {
			fputs(" -x -a '", stdout);
			put_choices(row.argument, ' ');
			putchar('\'');
		} else if (row.argument != NULL) {
			fputs(is_file(row.argument) ? " -r -F" : " -x", stdout);
		}
		fputs(" -d '", stdout);
		put_single(row.help, "\\");
		puts("'");
	}
	if (verbs != NULL && verbs->verbs != NULL) {
		fish_line(name, "-a '");
		put_verbs(verbs);
		puts("'");
	} else if (is_choice(command_table[command].operands)) {
		fish_line(name, "-f -a '");
		put_choices(command_table[command].operands, ' ');
		puts("'");
	}
}

void
doc_write_fish(void)
{
	puts("# SPDX-License-Identifier: MIT\n"
	     "# Completion of bale for fish.");
	for (int i = 1; i < COMMAND_NR; i++)
		fish_command((enum command)i);
}
