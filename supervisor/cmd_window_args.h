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
#define ARG_SPECS_MAX 60 /* those of every command make it 64 */

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

struct args;
struct broker_names;

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
	/* the files and commands that the user has named */
	void (*name_outside)(const void *fields, const struct args *args,
			     struct broker_names *out);
};

/* What a command line came to, beside the fields. */
struct args {
	struct text_list operands;
	unsigned verb;      /* number in verbs */
	uint64_t given;     /* bit of a spec: it is not the default */
	uint64_t from_file; /* bit of a spec: the configuration gave it */
	bool help;          /* --help: nothing else counts */
	enum sandbox_mode sandbox;
	bool no_sandbox;
	const char *config_path;
	bool no_config;
	struct config config; /* holds texts of it */
};

/*
 * shape:  reads argv[1] on, and shuts the process in; fields has the defaults
 *         and gets the values. False: that is all, an error or the help was
 *         said, and *code is the exit code. Afterwards files are opened and
 *         commands run through broker.h alone
 * owner:  *args: args_fini(), whatever is returned; texts stay those of argv
 *         and the environment
 */
bool
args_begin(const struct arg_command *command, int argc, char **argv,
	   void *fields, struct args *args, int *code);

/* Whether the configuration gave an option of the table. */
bool
args_is_from_file(const struct arg_command *command, const struct args *args,
		  const char *name);

/* Ends what args_begin() has begun; whatever is open has to be closed. */
void
args_fini(struct args *args);

/* Option number i of a command; NULL: there is none behind the last. */
const struct arg_spec *
args_spec_at(const struct arg_command *command, size_t i);

/* The help from the table; -errno of writing. */
int
args_help(const struct arg_command *command, FILE *out);

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
