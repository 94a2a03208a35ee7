/* SPDX-License-Identifier: MIT */
/*
 * command_run.c - from a command line to its command.
 */
#include <errno.h>
#include <string.h>

#include "base/diag.h"
#include "base/fault.h"
#include "cli/command_line.h"
#include "cli/config.h"
#include "cli/conversation.h"
#include "cli/help.h"
#include "supervisor/sandbox.h"
#include "supervisor/supervisor.h"

/* Those that conversation.h is for. */
static bool
is_conversation(const struct command_line *line)
{
	return line->command == COMMAND_WINDOW ||
	       line->command == COMMAND_COMPACT ||
	       line->command == COMMAND_ROUNDS;
}

static int
run_command(struct command_line *line)
{
	static int (*const commands[COMMAND_NR])(struct command_line * line) = {
#define COMMAND(id, name, run, ...) [COMMAND_##id] = run,
#include "cli/commands.def"
	};
	int code = EXIT_COMPLETE;

	if (line->command == COMMAND_NONE) {
		help_print_usage(stderr);
		return EXIT_USAGE;
	}
	if (is_conversation(line))
		code = conversation_confine(line);
	return code == EXIT_COMPLETE ? commands[line->command](line) : code;
}

/* What a configuration file says, and what follows from it all. */
static bool
take_config(struct command_line *line)
{
	const struct options *run = &line->run;
	struct config config = { .path = NULL };
	int result = 0;

	if (option_is_of(line->command, OPTION_CONFIG)) {
		result = config_load(&config, run->config_path, run->no_config,
				     run->sandbox_layers);
		config_log(&config);
	}
	if (result == 0)
		result = config_apply(&config, line);
	if (result == -ENOMEM)
		diag_log(DIAG_ERROR, "out of memory");
	if (result == 0) {
		result = config_complete(&config, line);
		if (result != 0)
			diag_log(DIAG_ERROR, "%s", line->error);
	}
	config_fini(&config);
	FAULT("config_read");
	return result == 0;
}

/* Before anything is read: 0 or an exit code. */
static int
begin_sandbox(struct command_line *line)
{
	struct options *run = &line->run;
	int code = EXIT_COMPLETE;

	if (!option_is_of(line->command, OPTION_SANDBOX))
		return EXIT_COMPLETE;
	if (command_line_complete_sandbox(line) != 0)
		return exit_with(EXIT_USAGE, "%s", line->error);
	if (is_conversation(line))
		code = conversation_open_input(line);
	if (code == EXIT_COMPLETE && is_conversation(line) &&
	    run->pack.sandbox != SANDBOX_OFF)
		code = conversation_begin(line);
	return code == EXIT_COMPLETE
		       ? sandbox_begin(run->pack.sandbox, &run->sandbox_layers)
		       : code;
}

int
command_line_run(struct command_line *line)
{
	int code = begin_sandbox(line);

	if (code != EXIT_COMPLETE)
		return code;
	if (option_is_of(line->command, OPTION_CONFIG) &&
	    command_line_complete_config(line) != 0)
		return exit_with(EXIT_USAGE, "%s", line->error);
	/* `bale config` reads the file by itself */
	return line->command == COMMAND_CONFIG || take_config(line)
		       ? run_command(line)
		       : EXIT_USAGE;
}
