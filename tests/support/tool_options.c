/* SPDX-License-Identifier: MIT */
/*
 * tool_options.c - the options of bale pack as a table for shell tests, from
 * the list that the program itself is made of: a new option is in it.
 *
 *   tool_options COMMAND    name, kind, argument, default: a line each,
 *                           separated by tabs; - for none
 */
#include <stdio.h>
#include <string.h>

enum command {
#define COMMAND(id, ...) COMMAND_##id,
#include "cli/commands.def"
	COMMAND_NR
};

enum action {
#define ACTION(command, id, ...) ACTION_##command##_##id,
#include "cli/commands.def"
	ACTION_NR
};

static const char *const commands[] = {
#define COMMAND(id, name, ...) name,
#include "cli/commands.def"
};

#define FOR(id) (1ull << COMMAND_##id)
#define ON(command, id) FOR(command)
#define FOR_ALL (~0ull)
#define TOKENIZER_ENCODINGS "" /* of a help text, which is left out here */

static const struct {
	const char *name;
	const char *kind;
	const char *argument;
	const char *standard;
	unsigned long long commands;
} options[] = {
#define OPTION(id, name, letter, argument, kind, field, min, max, standard, \
	       commands, group, key, help)                                  \
	{ name, #kind, argument, standard, commands },
#include "cli/options.def"
};

static const char *
or_none(const char *text)
{
	return text == NULL ? "-" : text;
}

int
main(int argc, char **argv)
{
	unsigned command = 0;

	while (command < COMMAND_NR &&
	       (argc != 2 || strcmp(argv[1], commands[command]) != 0))
		command++;
	if (command == COMMAND_NR) {
		fprintf(stderr, "usage: tool_options COMMAND\n");
		return 2;
	}
	for (size_t i = 0; i < sizeof(options) / sizeof(*options); i++)
		if ((options[i].commands >> command & 1) != 0)
			printf("%s\t%s\t%s\t%s\n", options[i].name,
			       options[i].kind, or_none(options[i].argument),
			       or_none(options[i].standard));
	return 0;
}
