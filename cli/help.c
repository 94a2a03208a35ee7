/* SPDX-License-Identifier: MIT */
/*
 * help.c - the help, laid out in 79 columns, and the version.
 */
#include "cli/help.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <git2/version.h>
#include <jansson.h>
#include <openssl/opensslv.h>
#include <yaml.h>
#include <zstd.h>

#include "base/exit_code.h"
#include "base/stream.h"
#include "base/version.h"
#include "cli/command_line.h"
#include "supervisor/sandbox.h"

#define COLUMNS 79
#define INDENT 26                           /* where the explanations begin */
#define MARGIN "                          " /* as wide */

const struct help_exit_code help_exit_codes[] = {
	{ "0", "complete" },
	{ "2", "usage or configuration" },
	{ "3",
	  "written, but a file was unreadable, changed while being read, or crashed "
	  "its worker" },
	{ "4", "the output could not be written" },
	{ "5", "resources: memory, disk, processes, descriptors" },
	{ "6", "internal error" },
	{ "7", "--secrets=fail found a secret" },
	{ "8",
	  "the budget is too small for any content, or --fail-over is exceeded" },
	{ "9", "nothing to pack, or nothing found" },
	{ "128+n", "killed by signal n" },
	{ NULL, NULL },
};

void
print_wrapped(FILE *out, const char *text, size_t column, const char *begin)
{
	bool is_first = true;

	while (*text != '\0') {
		size_t bytes = strcspn(text, " ");

		if (!is_first && column + 1 + bytes > COLUMNS) {
			fprintf(out, "\n%s", begin);
			column = strlen(begin);
			is_first = true;
		}
		fprintf(out, "%s%.*s", is_first ? "" : " ", (int)bytes, text);
		column += bytes + !is_first;
		is_first = false;
		text += bytes;
		text += *text == ' ';
	}
	fputc('\n', out);
}

/* What is explained stands from column INDENT on; n: bytes printed so far. */
static void
print_column(FILE *out, int n, const char *text)
{
	if (n + 2 > INDENT) {
		fputc('\n', out);
		n = 0;
	}
	fprintf(out, "%*s", INDENT - n, "");
	print_wrapped(out, text, INDENT, MARGIN);
}

static void
print_exit_codes(FILE *out)
{
	fputs("Exit codes:\n", out);
	for (const struct help_exit_code *row = help_exit_codes;
	     row->code != NULL; row++) {
		fprintf(out, "  %-6s ", row->code);
		print_wrapped(out, row->meaning, 9, "         ");
	}
}

#define LONG_CHOICES 40 /* bytes; those go into the text */

static bool
is_long_choice(const struct option_spec *spec)
{
	return spec->kind == KIND_CHOICE &&
	       strlen(spec->argument) > LONG_CHOICES;
}

/* "add, list: " in front of what only these actions take. */
static void
put_actions(FILE *out, enum command command, const struct option_spec *spec)
{
	enum option_id id = (enum option_id)(spec - option_table);
	const char *between = "";
	bool is_of_all = true;

	for (int i = 1; i < ACTION_NR; i++)
		if (action_table[i].command == command)
			is_of_all &= option_is_of_action((enum action)i, id);
	for (int i = 1; i < ACTION_NR && !is_of_all; i++) {
		if (action_table[i].command != command ||
		    !option_is_of_action((enum action)i, id))
			continue;
		fprintf(out, "%s%s", between, action_table[i].name);
		between = ", ";
	}
	if (!is_of_all)
		fputs(": ", out);
}

char *
help_text(enum command command, const struct option_spec *spec)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (out == NULL)
		return NULL;
	put_actions(out, command, spec);
	fputs(spec->help, out);
	if (is_long_choice(spec)) {
		fputs("; one of ", out);
		for (const char *c = spec->argument; *c != '\0'; c++)
			fputs(*c == '|' ? ", " : (char[]){ *c, '\0' }, out);
	}
	if (spec->standard != NULL)
		fprintf(out, " (default: %s)", spec->standard);
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static void
print_option(FILE *out, enum command command, const struct option_spec *spec)
{
	char *text = help_text(command, spec);
	int n;

	if (spec->letter != 0)
		n = fprintf(out, "  -%c, --%s", spec->letter, spec->name);
	else
		n = fprintf(out, "      --%s", spec->name);
	if (spec->argument != NULL)
		n += fprintf(out, "%s%s", option_takes_next(spec) ? " " : "",
			     is_long_choice(spec) ? "WORD" : spec->argument);
	print_column(out, n, text != NULL ? text : spec->help);
	free(text);
}

static void
print_group(FILE *out, enum command topic, enum option_group group)
{
	bool is_titled = false;

	for (int i = 0; i < OPTION_NR; i++) {
		const struct option_spec *spec = &option_table[i];

		if (spec->group != group || (spec->takers & 1ull << topic) == 0)
			continue;
		if (!is_titled)
			fprintf(out, "\n%s:\n", group_titles[group]);
		is_titled = true;
		print_option(out, topic, spec);
	}
}

static void
print_actions(FILE *out, enum command topic)
{
	if (command_has_actions(topic))
		fputs("\nActions:\n", out);
	for (int i = 1; i < ACTION_NR; i++) {
		const struct action_spec *spec = &action_table[i];
		int n;

		if (spec->command != topic)
			continue;
		n = fprintf(out, "  %s %s", spec->name, spec->operands);
		print_column(out, n, spec->does);
	}
}

const char *
help_more(enum command command)
{
	switch (command) {
	case COMMAND_WINDOW:
		return "docs/window.md describes the file, the events and the "
		       "error codes.";
	case COMMAND_COMPACT:
		return "Exit codes: 0 done, or not due; 2 usage, or no valid "
		       "conversation; 3 the summarizer failed and the older "
		       "part was left out; 8 it cannot be brought under its "
		       "limit; with --check 10: due, 11: critical. See "
		       "docs/compact.md.";
	default:
		return NULL;
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

static void
print_usage_line(FILE *out, enum command command)
{
	const struct command_spec *spec = &command_table[command];
	bool has_options = false;

	for (int i = 0; i < OPTION_NR; i++)
		has_options |= option_table[i].group != GROUP_TELL &&
			       (option_table[i].takers & 1ull << command) != 0;
	if (command_has_actions(command))
		fprintf(out, "Usage: bale %s %s [OPTIONS] [ARGUMENTS]\n",
			spec->name, spec->operands);
	else
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

		print_column(out, n, command_table[i].does);
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
	return stream_finish(out);
}

int
help_print(FILE *out, enum command topic)
{
	ASSERT(topic < COMMAND_NR);
	if (topic == COMMAND_NONE)
		return print_overview(out);
	print_usage_line(out, topic);
	fputc('\n', out);
	print_wrapped(out, command_table[topic].does, 0, "");
	print_actions(out, topic);
	for (int g = 1; g < GROUP_NR; g++)
		print_group(out, topic, (enum option_group)g);
	if (help_more(topic) != NULL) {
		fputc('\n', out);
		print_wrapped(out, help_more(topic), 0, "");
	}
	if ((option_table[OPTION_BUDGET].takers & 1ull << topic) != 0) {
		print_environment(out);
		fputc('\n', out);
		print_exit_codes(out);
	}
	return stream_finish(out);
}

int
help_print_usage(FILE *out)
{
	fputs("Usage: bale COMMAND [OPTIONS] [ARGUMENTS]\n\n", out);
	print_commands(out);
	fputs("\nTry: bale pack . -o context.md\n"
	      "More: bale help, bale help COMMAND\n",
	      out);
	return stream_finish(out);
}

int
cmd_help(struct command_line *line)
{
	return exit_cannot_write(NULL, help_print(stdout, line->topic));
}

static void
print_libraries(FILE *out)
{
	fprintf(out,
		"libcrypto: %s\n"
		"libzstd: %s\njansson: %s\nlibyaml: %s\n"
		"libgit2: %s (built with; loaded when it is needed)\n",
		OPENSSL_VERSION_TEXT, ZSTD_versionString(),
		jansson_version_str(), yaml_get_version_string(),
		LIBGIT2_VERSION);
}

/* A call without sense: a kernel that has it finds fault with that. */
static const char *
has_call(long number)
{
	long result = syscall(number, 0, NULL, NULL, 0);

	if (result >= 0 || (errno != ENOSYS && errno != EPERM))
		return "yes";
	return errno == EPERM ? "forbidden" : "no";
}

static void
print_machine(FILE *out)
{
	struct utsname name;

	if (uname(&name) == 0)
		fprintf(out, "kernel: %s %s %s\n", name.sysname, name.release,
			name.machine);
	fprintf(out, "io_uring: %s\nopenat2: %s\n",
		has_call(SYS_io_uring_setup), has_call(SYS_openat2));
	fprintf(out, "processor: avx2 %s, avx512 %s\n",
		__builtin_cpu_supports("avx2") ? "yes" : "no",
		__builtin_cpu_supports("avx512vbmi2") ? "yes" : "no");
	fprintf(out, "processors to use: %u\n", options_cpu_nr());
}

/* "bale 0.1.0", and which layers of the sandbox this kernel has; verbose: also
 * libraries, kernel, processor. */
int
cmd_version(struct command_line *line)
{
	FILE *out = stdout;
	char layers[SANDBOX_TEXT_BYTES];
	struct sandbox sandbox;

	sandbox_probe(&sandbox);
	fprintf(out, "bale %s\nsandbox: %s\n", BALE_VERSION,
		sandbox_describe(layers, sizeof(layers), &sandbox));
	if (line->run.verbose) {
		print_libraries(out);
		print_machine(out);
	}
	return exit_cannot_write(NULL, stream_finish(out));
}
