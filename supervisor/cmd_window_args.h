/* SPDX-License-Identifier: MIT */
/*
 * cmd_window_args.h - options of commands that have verbs of their own.
 *
 * Does: reads command line, environment and configuration by a table, with the kinds, conventions and
 *       errors of options.h: --name VALUE, --name=VALUE, BALE_NAME in the
 *       environment, BALE-CLI-001 to -004.
 * Does not: share a table with options.def, whose commands have no verbs and
 *           whose options are the bits of one word.
 * Runs in: the supervisor, for window, compact and rounds.
 */
#ifndef SUPERVISOR_CMD_WINDOW_ARGS_H
#define SUPERVISOR_CMD_WINDOW_ARGS_H

#include <stdio.h>

#include "supervisor/config.h"
#include "supervisor/options.h"

#define ARG_VERBS_ALL (~0u)
#define ARG_SPECS_MAX 62 /* --config and --no-config make it 64 */

struct arg_spec {
	const char *name;
	const char *argument; /* NULL: a flag */
	enum option_kind kind;
	size_t offset; /* of the field */
	uint64_t min;
	uint64_t max;
	uint32_t verbs; /* bits: who takes it */
	const char *help;
};

/* An option that the configuration file can set. */
struct arg_key {
	const char *option;
	const char *path; /* a SETTING of config.def */
	uint32_t verbs;   /* bits: for whom it holds */
};

struct arg_command {
	const char *name;         /* "window" */
	const char *usage;        /* lines behind "Usage: " */
	const char *epilogue;     /* behind the options; NULL: nothing */
	const char *const *verbs; /* NULL: it has none */
	unsigned verb_nr;
	unsigned verb_place; /* of the operands: which is the verb */
	const struct arg_spec *specs;
	size_t spec_nr; /* at most ARG_SPECS_MAX */
	const struct arg_key *keys;
	size_t key_nr;
};

/* What a command line came to, beside the fields. */
struct args {
	struct text_list operands;
	unsigned verb;      /* number in verbs */
	uint64_t given;     /* bit of a spec: it is not the default */
	uint64_t from_file; /* bit of a spec: the configuration gave it */
	bool help;          /* --help: nothing else counts */
	const char *config_path;
	bool no_config;
	struct config config; /* holds texts of it */
};

/*
 * shape:  reads argv[1] on; fields has the defaults and gets the values
 * owner:  *args: args_fini(); texts stay those of argv and the environment
 * errors: -EINVAL, -ENOMEM: `error` holds a sentence for the user
 */
int
args_parse(const struct arg_command *command, int argc, char **argv,
	   void *fields, struct args *args, char *error, size_t error_size);

/*
 * shape:  the same, and says what is wrong, or prints the help that was asked
 *         for; false: that is all, *code is the exit code
 * owner:  *args: args_fini(), whatever is returned
 */
bool
args_begin(const struct arg_command *command, int argc, char **argv,
	   void *fields, struct args *args, int *code);

/* Whether the configuration gave an option of the table. */
bool
args_is_from_file(const struct arg_command *command, const struct args *args,
		  const char *name);

void
args_fini(struct args *args);

/* Option number i of a command; NULL: there is none behind the last. */
const struct arg_spec *
args_spec_at(const struct arg_command *command, size_t i);

/* The help from the table; -errno of writing. */
int
args_help(const struct arg_command *command, FILE *out);

/* Ends what was written to stdout: an exit code. */
int
args_finish_stdout(void);

/* The exit code for what a function of window/ returned. */
int
window_exit_code(int result);

/*
 * shape:  logs an error about a file: its code, the file, what is wrong; one
 *         that names the file already is logged as it is
 */
void
args_log_about(const char *path, const char *text);

#endif
