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

/* ---- config_yaml.c: a small, plain part of YAML as a flat list of entries --- */

#define CONFIG_FILE ".agent/config.yml"
#define CONFIG_BYTES_MAX (256u << 10)
#define CONFIG_DEPTH_MAX 16
#define CONFIG_ENTRIES_MAX 4096
#define CONFIG_KEY_BYTES 64
#define CONFIG_PATH_BYTES 512
#define CONFIG_VALUE_BYTES 4096

/* Line and column of a file, from 1; 0: nowhere. */
struct config_place {
	uint32_t line;
	uint32_t column;
};

enum config_kind {
	CONFIG_SCALAR = 0, /* the value of a key */
	CONFIG_ITEM,       /* a scalar in a list */
	CONFIG_MAP,
	CONFIG_LIST
};

#define CONFIG_TEXT_BYTES 384

struct config_fault {
	struct config_place place;
	char text[CONFIG_TEXT_BYTES];
};

#define CONFIG_TEXTS_BYTES (CONFIG_BYTES_MAX + (1u << 20))
#define CONFIG_NO_TEXT UINT32_MAX

struct config_entry {
	uint32_t path_off;  /* in texts: keys joined by dots; "" for the root */
	uint32_t value_off; /* CONFIG_NO_TEXT: null, or no scalar */
	uint32_t kind;      /* enum config_kind */
	uint32_t depth;     /* entries with more belong to this one */
	uint32_t parent;    /* number of the mapping or list it stands in */
	struct config_place place;
};

/*
 * The entries of a text, in its order. Keys are repeated in the path of each
 * entry below them, so texts may take more than the file; a text without room
 * is not a configuration. It lies in memory of its own that a child may fill.
 */
struct config_entries {
	int32_t result; /* of config_yaml_read() */
	uint32_t nr;
	uint32_t texts_bytes;
	struct config_fault fault; /* of -EBADMSG */
	struct config_entry items[CONFIG_ENTRIES_MAX];
	char texts[CONFIG_TEXTS_BYTES];
};

/*
 * shape:  room for entries, shared with children forked later; NULL: none
 * owner:  config_entries_free()
 */
struct config_entries *
config_entries_new(void);

/* Accepts NULL. */
void
config_entries_free(struct config_entries *entries);

/*
 * shape:  whether all of it is within its bounds, whoever has written it
 * calls:  config_yaml_read_apart(), tests
 */
bool
config_entries_valid(const struct config_entries *entries);

/* Keys joined by dots. */
static inline const char *
config_entry_path(const struct config_entries *entries, size_t i)
{
	return entries->texts + entries->items[i].path_off;
}

/* NULL: null, or no scalar. */
static inline const char *
config_entry_value(const struct config_entries *entries, size_t i)
{
	uint32_t off = entries->items[i].value_off;

	return off == CONFIG_NO_TEXT ? NULL : entries->texts + off;
}

/*
 * shape:  the entries of a text; nothing or only comments: none
 * errors: -EBADMSG: out->fault says what and where; -ENOMEM; out->result is
 *         the same
 * calls:  config_yaml_read_apart(), tests
 */
int
config_yaml_read(const char *text, size_t bytes, struct config_entries *out);

/*
 * shape:  as config_yaml_read(); out: config_entries_new()
 * units:  layers: of sandbox_begin(); 0: it is done here
 * errors: likewise; -EBADMSG also for a child that did not live to its end
 */
int
config_yaml_read_apart(unsigned layers, const char *text, size_t bytes,
		       struct config_entries *out);

/*
 * shape:  a key in snake case: maxTokens and max-tokens become max_tokens
 * owner:  writes at most `size` bytes to `out`, NUL included
 */
void
config_snake_case(char *out, size_t size, const char *key);

/* ---- config.c: entries to options ---------------------------------------- */

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

/*
 * ---- config_key.c --------------------------------------------------------
 *
 * Does: finds the file in the working directory or beside the .git above it,
 *       and opens it without following a link out of that directory; says
 *       which option a path of it means: both spellings of the documents,
 *       paths without the sections in front, the nearest to one that is not
 *       known, and what no file may set.
 */

#define CONFIG_LEVELS_MAX 64
#define CONFIG_SHOWN_BYTES (3 * CONFIG_LEVELS_MAX + 32)

/*
 * shape:  the text of .agent/config.yml of the repository bale is started in,
 *         and its path relative to the working directory
 * owner:  *text: free(); ended by NUL, which *bytes does not count
 * errors: -ENOENT: there is none; else -errno, `shown` says of which file
 */
int
config_file_find(char shown[static CONFIG_SHOWN_BYTES], char **text,
		 size_t *bytes);

/* The same for a file that the user named; links are followed. */
int
config_file_read(const char *path, char **text, size_t *bytes);

/* A negative errno in words. */
const char *
config_file_error(int error);

/* What a path stands for. */
struct config_key {
	int option; /* enum option_id; -1: a section, or not known */
	bool is_section;
};

/* The key of a path; with no option and no section it is not known. */
struct config_key
config_key_find(const char *path);

/* The nearest key, or section, to a path that is neither. */
void
config_key_nearest(const char *path, bool is_section,
		   char out[static CONFIG_PATH_BYTES]);

/*
 * shape:  why a file of a repository must not set it, or name it: a noun;
 *         *option is the one to give instead, or OPTION_NR. NULL: it is not
 *         refused
 */
const char *
config_key_refused(const char *path, enum option_id *option);

/* Whether `path` is `section` and a dot and more. */
bool
config_path_is_below(const char *path, const char *section);

#endif
