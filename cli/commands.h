/* SPDX-License-Identifier: MIT */
/*
 * commands.h - what each command of commands.def does; each gives its exit
 *              code.
 *
 * Runs in: the supervisor, which starts no worker for them. supervisor_pack()
 *          has pack, preview and tree.
 */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include <stdio.h>

#include "cli/command_line.h"

/* Counts the operands, or stdin for none and for "-". */
int
cmd_count(const struct options *options);

/* The report of a run as tables, JSON or a page. */
int
cmd_report(const struct options *options);

/* Writes the files of the operands below the directory. */
int
cmd_unpack(const struct options *options);

/* Counts each operand and compares it with the budget and with a report. */
int
cmd_verify(const struct options *options);

/* Prints a line a model, or docs/models.schema.json. */
int
cmd_models(const struct options *options);

/* Reads a list, says what is a duplicate and what was merged. */
int
cmd_dedup(const struct options *options);

/* show, validate or init, as the action says. */
int
cmd_config(struct command_line *line);

/*
 * shape:  init: writes a file in which every key stands as a comment, with its
 *         default and what it means; path NULL: .agent/config.yml. An existing
 *         file is left unchanged.
 * calls:  cmd_config()
 */
int
config_init(const char *path);

/* The text of that file. */
void
config_print_template(FILE *out);

/* One action on the window of a conversation in a file. */
int
cmd_window(const struct command_line *line);

/* Makes a conversation shorter: stdin to stdout, or a file in place. */
int
cmd_compact(const struct command_line *line);

/* What one round hands to the next, and what rounds cost. */
int
cmd_rounds(const struct command_line *line);

#endif
