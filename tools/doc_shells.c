/* SPDX-License-Identifier: MIT */
/*
 * doc_shells.c - completions for bash, zsh and fish.
 */
#include "tools/doc_gen.h"

#include <stdio.h>
#include <string.h>

const struct option_spec *
doc_option_at(enum command command, size_t i)
{
	size_t n = 0;

	for (int id = 0; id < OPTION_NR; id++)
		if ((option_table[id].takers & 1ull << command) != 0 &&
		    n++ == i)
			return &option_table[id];
	return NULL;
}

/* The value that follows an option; NULL: a flag. */
static const char *
value_of(const struct option_spec *spec)
{
	return option_takes_next(spec) ? spec->argument : NULL;
}

static bool
is_file(const char *argument)
{
	return strstr(argument, "FILE") != NULL ||
	       strstr(argument, "PATH") != NULL;
}

/* Words of a choice, one by one. */
static void
put_choices(const char *choices)
{
	for (; *choices != '\0'; choices++)
		putchar(*choices == '|' ? ' ' : *choices);
}

static void
put_actions(enum command command)
{
	const char *between = "";

	for (int i = 1; i < ACTION_NR; i++) {
		if (action_table[i].command != command)
			continue;
		printf("%s%s", between, action_table[i].name);
		between = " ";
	}
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
	if (command_has_actions(command)) {
		printf("\t\t%swords+=' ",
		       command == COMMAND_CONFIG ? "files= " : "");
		put_actions(command);
		puts("'");
	} else if (command == COMMAND_HELP) {
		fputs("\t\tfiles= words+=' ", stdout);
		put_commands();
		puts("'");
	} else if (command_table[command].most == 0) {
		puts("\t\tfiles=");
	}
}

static void
bash_command(enum command command)
{
	const struct option_spec *spec;

	printf("\t%s)\n\t\twords='", command_table[command].name);
	for (size_t i = 0; (spec = doc_option_at(command, i)) != NULL; i++)
		printf("%s--%s", i > 0 ? " " : "", spec->name);
	puts("'");
	bash_operands(command);
	puts("\t\tcase $prev in");
	for (size_t i = 0; (spec = doc_option_at(command, i)) != NULL; i++) {
		if (value_of(spec) == NULL)
			continue;
		fputs("\t\t", stdout);
		if (spec->letter != 0)
			printf("-%c | ", spec->letter);
		printf("--%s) ", spec->name);
		if (spec->kind == KIND_CHOICE) {
			fputs("words='", stdout);
			put_choices(spec->argument);
			puts("' files= ;;");
		} else {
			printf("words= files=%s ;;\n",
			       is_file(spec->argument) ? "yes" : "");
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
zsh_option(const struct option_spec *spec)
{
	const char *value = value_of(spec);

	fputs(" \\\n\t\t'", stdout);
	printf("*--%s%s[", spec->name, value != NULL ? "=" : "");
	put_single(spec->help, "[]:\\");
	putchar(']');
	if (value != NULL) {
		putchar(':');
		put_single(value, "[]:\\()");
		putchar(':');
		if (spec->kind == KIND_CHOICE) {
			putchar('(');
			put_choices(value);
			putchar(')');
		} else if (is_file(value)) {
			fputs("_files", stdout);
		}
	}
	putchar('\'');
}

static void
zsh_command(enum command command)
{
	const struct option_spec *spec;

	printf("\t%s)\n\t\t_arguments", command_table[command].name);
	for (size_t i = 0; (spec = doc_option_at(command, i)) != NULL; i++)
		zsh_option(spec);
	if (command_has_actions(command)) {
		bool is_behind = command == COMMAND_WINDOW; /* FILE */

		if (is_behind)
			fputs(" \\\n\t\t'1:file:_files'", stdout);
		printf(" \\\n\t\t'%d:action:(", 1 + is_behind);
		put_actions(command);
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
	const struct option_spec *spec;

	printf("complete -c bale -n __fish_use_subcommand -f -a %s -d '", name);
	put_single(command_table[command].does, "\\");
	puts("'");
	for (size_t i = 0; (spec = doc_option_at(command, i)) != NULL; i++) {
		const char *value = value_of(spec);

		fish_line(name, "-l ");
		fputs(spec->name, stdout);
		if (spec->letter != 0)
			printf(" -s %c", spec->letter);
		if (value != NULL && spec->kind == KIND_CHOICE) {
			fputs(" -x -a '", stdout);
			put_choices(value);
			putchar('\'');
		} else if (value != NULL) {
			fputs(is_file(value) ? " -r -F" : " -x", stdout);
		}
		fputs(" -d '", stdout);
		put_single(spec->help, "\\");
		puts("'");
	}
	if (!command_has_actions(command))
		return;
	fish_line(name, command == COMMAND_CONFIG ? "-f -a '" : "-a '");
	put_actions(command);
	puts("'");
}

void
doc_write_fish(void)
{
	puts("# SPDX-License-Identifier: MIT\n"
	     "# Completion of bale for fish.");
	for (int i = 1; i < COMMAND_NR; i++)
		fish_command((enum command)i);
}
