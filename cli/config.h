/* SPDX-License-Identifier: MIT */
/*
 * config.h - the configuration file of the repository that bale is started in.
 *
 * Does: finds and reads it, knows its keys (options.def, config.def), checks
 *       each value, names what is wrong by line and column, and hands the
 *       values to those who use them.
 * Does not: look into what is packed; let a file name a command, a hook or
 *           an output path.
 * Runs in: the supervisor, after the command line and before anything else.
 * Invariants:
 *   1. Command line beats environment beats file beats default.
 *   2. A file with an error sets nothing.
 *   3. A key that is not known is a warning.
 */
#ifndef CLI_CONFIG_H
#define CLI_CONFIG_H

#include "cli/command_line.h"
#include "cli/config_yaml.h"

#define CONFIG_PROBLEMS_MAX 32

/* What is wrong with a file. */
struct config_problem {
	const char *code;
	bool is_warning;
	struct config_fault fault;
};

/* A file, as read and checked. Owner: the supervisor; config_fini(). */
struct config {
	char *path; /* as the user would write it; NULL: there is none */
	struct config_entries *entries; /* NULL: none */
	int16_t *option_of; /* enum option_id of an entry; -1: none */
	struct config_place places[OPTION_NR];
	struct config_problem problems[CONFIG_PROBLEMS_MAX];
	size_t problem_nr;
	size_t more_nr; /* that there was no room for */
	size_t error_nr;
};

/*
 * shape:  the file of --config, else that of the repository: .agent/config.yml
 *         in the working directory, else beside the .git above it; read and
 *         checked. That there is none is no error, with --config it is.
 * units:  layers: of the sandbox, for the child that parses it; 0: it is
 *         parsed here
 * owner:  config_fini(), whatever is returned
 * errors: -EINVAL: *out has at least one error; -ENOMEM, the same
 * calls:  main(), cmd_config()
 */
int
config_load(struct config *out, const char *path, bool no_config,
	    unsigned layers);

/*
 * shape:  the same for a text that is there already; path is for messages
 * calls:  config_load(), tests, the fuzzer
 */
int
config_load_text(struct config *out, const char *path, const char *text,
		 size_t bytes, unsigned layers);

/* Frees what was read; accepts what holds nothing. */
void
config_fini(struct config *config);

/*
 * shape:  sets the options that the file has and that neither the command
 *         line nor the environment gave
 * owner:  texts are copied
 * errors: -ENOMEM
 * order:  after config_load() has returned 0
 */
int
config_apply(const struct config *config, struct command_line *line);

/* The text of a key, of a list the first item; NULL: the file has none. */
const char *
config_text(const struct config *config, enum option_id id);

/*
 * shape:  command_line_complete(), and the place in the file of what it refuses
 * errors: as command_line_complete()
 */
int
config_complete(const struct config *config, struct command_line *line);

/*
 * shape:  where the file sets the first option that line->error names; line 0:
 *         nowhere
 */
struct config_place
config_blamed(const struct config *config, const struct command_line *line);

/* The number of a key, or its default. */
double
config_number(const struct config *config, enum option_id id);

/* Logs all problems; how many of them were errors. */
size_t
config_log(const struct config *config);

/*
 * shape:  the sum of the categories' shares in per cent, and whether it has to
 *         be looked at: the file names at least one
 * units:  shares that add up to 1 or less count as parts of 1
 */
bool
config_categories(const struct config *config,
		  double shares[static CATEGORY_NR], double *sum);

#endif
