/* SPDX-License-Identifier: MIT */
/*
 * help.c - the help, laid out in 79 columns.
 */
#include "supervisor/help.h"

#include <errno.h>
#include <string.h>

#include "supervisor/cmd_compact.h"
#include "supervisor/cmd_rounds.h"
#include "supervisor/cmd_window.h"
#include "supervisor/stream.h"
#include "supervisor/words.h"

#define INDENT 26 /* where the explanations begin */

const struct help_exit_code help_exit_codes[] = {
	{ "0", "complete" },
	{ "2", "usage or configuration" },
	{ "3",
	  "written, but a file was unreadable, changed or ended its worker" },
	{ "4", "the output could not be written" },
	{ "5", "resources: memory, disk, processes, descriptors" },
	{ "6", "internal error" },
	{ "8", "the budget cannot hold the frame" },
	{ "9", "nothing to pack" },
	{ "128+n", "ended by signal n" },
	{ NULL, NULL },
};

static void
print_exit_codes(FILE *out)
{
	fputs("Exit codes:\n", out);
	for (const struct help_exit_code *row = help_exit_codes;
	     row->code != NULL; row++)
		fprintf(out, "  %-6s %s\n", row->code, row->meaning);
}

static void
print_option(FILE *out, const struct option_spec *spec)
{
	char text[512];
	int n;

	if (spec->letter != 0)
		n = fprintf(out, "  -%c, --%s", spec->letter, spec->name);
	else
		n = fprintf(out, "      --%s", spec->name);
	if (spec->argument != NULL)
		n += fprintf(out, "%s%s", option_takes_next(spec) ? " " : "",
			     spec->argument);
	if (n + 2 > INDENT) {
		fputc('\n', out);
		n = 0;
	}
	fprintf(out, "%*s", INDENT - n, "");
	snprintf(text, sizeof(text), "%s%s%s%s", spec->help,
		 spec->standard != NULL ? " (default: " : "",
		 spec->standard != NULL ? spec->standard : "",
		 spec->standard != NULL ? ")" : "");
	print_wrapped(out, text, INDENT, INDENT);
}

static void
print_group(FILE *out, enum command topic, enum option_group group)
{
	bool is_titled = false;

	for (int i = 0; i < OPTION_NR; i++) {
		const struct option_spec *spec = &option_table[i];

		if (spec->group != group || (spec->commands & 1u << topic) == 0)
			continue;
		if (!is_titled)
			fprintf(out, "\n%s:\n", group_titles[group]);
		is_titled = true;
		print_option(out, spec);
	}
}

static void
print_environment(FILE *out)
{
	char name[64];

	fputc('\n', out);
	option_variable(name, sizeof(name), &option_table[OPTION_BUDGET]);
	fprintf(out,
		"Every option can be set in the environment, --budget as %s "
		"and so on;\n"
		"the command line beats it. A flag is 1 or 0, a list has one "
		"entry a line.\n",
		name);
}

int
help_finish(FILE *out)
{
	return stream_finish(out);
}

static void
print_usage_line(FILE *out, enum command command)
{
	const struct command_spec *spec = &command_table[command];
	bool has_options = false;

	for (int i = 0; i < OPTION_NR; i++)
		has_options |= option_table[i].group != GROUP_TELL &&
			       (option_table[i].commands & 1u << command) != 0;
	fprintf(out, "Usage: bale %s%s%s%s\n", spec->name,
		has_options ? " [OPTIONS]" : "",
		*spec->operands != '\0' ? " " : "", spec->operands);
}

static void
print_commands(FILE *out)
{
	fputs("Commands:\n", out);
	for (int i = 1; i < COMMAND_NR; i++) {
		int n = fprintf(out, "  %s %s", command_table[i].name,
				command_table[i].operands);

		if (n + 2 > INDENT) {
			fputc('\n', out);
			n = 0;
		}
		fprintf(out, "%*s", INDENT - n, "");
		print_wrapped(out, command_table[i].does, INDENT, INDENT);
	}
}

static int
print_overview(FILE *out)
{
	fputs("Usage: bale COMMAND [OPTIONS] [ARGUMENTS]\n\n", out);
	print_commands(out);
	fputs("\nThe main job, packing the current directory into a file:\n\n"
	      "  bale pack . --budget 128k -o context.md\n\n"
	      "bale help COMMAND explains a command and its options.\n\n",
	      out);
	print_exit_codes(out);
	print_environment(out);
	return help_finish(out);
}

const struct arg_command *
help_own_table(enum command command)
{
	switch (command) {
	case COMMAND_WINDOW:
		return &window_command;
	case COMMAND_COMPACT:
		return &compact_command;
	case COMMAND_ROUNDS:
		return &rounds_command;
	default:
		return NULL;
	}
}

int
help_print(FILE *out, enum command topic)
{
	ASSERT(topic < COMMAND_NR);
	if (topic == COMMAND_NONE)
		return print_overview(out);
	if (help_own_table(topic) != NULL)
		return args_help(help_own_table(topic), out);
	print_usage_line(out, topic);
	fputc('\n', out);
	print_wrapped(out, command_table[topic].does, 0, 0);
	for (int g = 1; g < GROUP_NR; g++)
		print_group(out, topic, (enum option_group)g);
	if ((option_table[OPTION_BUDGET].commands & 1u << topic) != 0) {
		print_environment(out);
		fputc('\n', out);
		print_exit_codes(out);
	}
	return help_finish(out);
}

int
help_print_usage(FILE *out)
{
	fputs("Usage: bale COMMAND [OPTIONS] [ARGUMENTS]\n\n", out);
	print_commands(out);
	fputs("\nTry: bale pack . -o context.md\n"
	      "More: bale help, bale help COMMAND\n",
	      out);
	return help_finish(out);
}
