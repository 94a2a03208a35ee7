/* SPDX-License-Identifier: MIT */
/*
 * options.h - what the user asked for.
 *
 * Does: reads the command line and the environment by the table of
 *       options.def, checks ranges and what contradicts, names what is wrong.
 * Does not: look at the file system, open anything, print anything.
 * Runs in: the supervisor, first of all.
 *
 * Command line beats environment (BALE_BUDGET for --budget, and so on) beats
 * configuration file (config.h) beats default. In the environment a flag is 1, yes, true, on or 0, no, false,
 * off; a list has one entry a line; an empty variable counts as unset.
 */
#ifndef SUPERVISOR_OPTIONS_H
#define SUPERVISOR_OPTIONS_H

#include <limits.h>

#include "shm/diag.h"
#include "stages/stage.h"

enum command {
	COMMAND_NONE = 0, /* nothing was given */
#define COMMAND(id, name, operands, least, most, does) COMMAND_##id,
#include "supervisor/options.def"
	COMMAND_NR
};

enum option_group {
	GROUP_NONE = 0,
#define GROUP(id, title) GROUP_##id,
#include "supervisor/options.def"
	GROUP_NR
};

enum option_id {
#define OPTION(id, ...) OPTION_##id,
#include "supervisor/options.def"
	OPTION_NR
};

#define RATIO_ONE 1000000 /* of KIND_RATIO */

enum option_kind {
	KIND_FLAG = 0, /* bool, becomes true */
	KIND_NEGATE,   /* bool, becomes false */
	KIND_NUMBER,   /* uint64_t */
	KIND_TOKENS,   /* uint64_t; k and M are powers of 1000 */
	KIND_BUDGET,   /* the same, or all: BUDGET_ALL */
	KIND_SIZE,     /* uint64_t bytes; K, M, G, T are powers of 1024 */
	KIND_RATIO,    /* uint64_t: millionths; "0.8"; min, max in millionths */
	KIND_CHOICE,   /* an enum from 0, in the order of the choices */
	KIND_TEXT,     /* const char * */
	KIND_LIST,     /* struct text_list */
	KIND_REVISION, /* const char *; NULL: no; a flag that is given: HEAD */
	KIND_HELP,
	KIND_VERSION
};

/* Where a value is from; a greater one beats a smaller one. */
enum option_from {
	FROM_DEFAULT = 0,
	FROM_MODEL, /* what --model stands for */
	FROM_FILE,
	FROM_ENVIRONMENT,
	FROM_COMMAND_LINE
};

enum tiers_mode { TIERS_AUTO = 0, TIERS_ON, TIERS_OFF };

enum hashes_mode { HASHES_AUTO = 0, HASHES_ON, HASHES_OFF };

enum order { ORDER_AUTO = 0, ORDER_RANK, ORDER_PATH };

enum progress_mode { PROGRESS_AUTO = 0, PROGRESS_ALWAYS, PROGRESS_NEVER };

struct text_list {
	const char **items;
	size_t nr;
	size_t room;
};

struct text_copy {
	struct text_copy *next;
	char text[];
};

/* What a run is asked to do. Owner: the supervisor; options_fini(). */
struct options {
	enum command command;
	enum command topic;       /* of COMMAND_HELP; NONE: all */
	struct pack_options pack; /* its lists point into the ones below */
	const char *output_path;  /* NULL: stdout */
	const char *report_path;  /* NULL: none */
	const char *metrics_path; /* NULL: none */
	const char *audit_path;   /* NULL: none */
	const char *html_path;    /* NULL: none */
	const char *encoding;
	const char *model;  /* NULL: none was named */
	uint64_t worker_nr; /* 1 to LANES_MAX */
	uint64_t memory_bytes;
	uint64_t max_output_bytes; /* 0: by what is read */
	uint64_t stage_timeout_s;
	enum progress_mode progress;
	enum diag_level log_level;
	bool log_json;
	bool strict;
	bool quiet;
	bool print_ids;
	bool by_nul;
	bool keeps_last; /* the report, for bale report --last */
	bool last;
	bool json;
	bool chunk_detail;
	bool selection_detail;
	bool dedup_detail;
	bool cache_stats;
	bool special_tokens;
	const char *chunk_text; /* "lines:40"; complete() reads it */
	const char *query_text; /* or @ and the name of a file; NULL: none */
	enum tiers_mode tiers;
	enum order order;
	enum hashes_mode hashes;
	bool explain;
	const char *files_from; /* NULL: no list */
	const char *directory;  /* NULL: the current one */
	const char *against;    /* a report; NULL: none */
	bool force;
	const char *header;            /* a text, or @ and a path; NULL: none */
	const char *instructions_path; /* NULL: none */
	const char *template_path;     /* NULL: none */
	const char *categories; /* "tool_results=40,..."; NULL: the defaults */
	const char *priorities_text; /* "open_files=90,..."; NULL: none */
	uint32_t priorities[CATEGORY_NR];
	uint64_t source_timeout_s;
	uint64_t search_context;
	uint64_t overlap_threshold; /* millionths */
	bool no_merge;
	bool no_structure; /* the configuration does not prefer it */
	bool has_shares;   /* pack.shares are from the configuration */
	uint64_t tree_threshold_tokens;
	uint64_t tree_depth_max;
	const char *config_path; /* NULL: that of the repository */
	bool no_config;
	bool verbose;            /* of COMMAND_VERSION */
	bool no_sandbox;         /* pack.sandbox is SANDBOX_OFF */
	unsigned sandbox_layers; /* by sandbox_begin() */
	bool given[OPTION_NR];   /* from the user, not the default */
	uint8_t from[OPTION_NR]; /* enum option_from */
	struct text_list operands;
	struct text_list includes;
	struct text_list excludes;
	struct text_list pins;
	struct text_list boosts;
	struct text_list opens;
	struct text_list searches;
	struct text_list tools;
	struct text_list references;
	struct text_list source_files;
	struct text_copy *copies; /* of the environment and of a file */
};

/* A line of options.def. */
struct option_spec {
	const char *name;
	const char *argument;
	const char *standard; /* the default, as text */
	const char *help;
	uint64_t min;
	uint64_t max;
	size_t offset;     /* of the field, in struct options */
	uint32_t commands; /* bit of an enum command */
	enum option_kind kind;
	enum option_group group;
	char letter;
};

struct command_spec {
	const char *name;
	const char *operands;
	const char *does;
	unsigned least;
	unsigned most;
};

/* Both have an empty entry 0. */
extern const struct command_spec command_table[COMMAND_NR];
extern const char *const group_titles[GROUP_NR];
extern const struct option_spec option_table[OPTION_NR];

/*
 * shape:  the options of a command line; argv as main() has it, no arguments
 *         give COMMAND_NONE
 * owner:  *out keeps pointers into argv and into the environment; to be given
 *         to options_fini() whatever is returned
 * errors: -EINVAL: `error` holds a sentence for the user, exit code 2;
 *         -ENOMEM, with a sentence too
 * calls:  main(), before anything else; tests
 * order:  options_parse(), options_set_file() for what a file says,
 *         options_complete()
 */
int
options_parse(int argc, char **argv, struct options *out, char *error,
	      size_t error_size);

/*
 * shape:  a value of a configuration file, unless the command line or the
 *         environment gave one
 * owner:  the text is copied
 * errors: -EINVAL: `allowed` says what would have been right; -ENOMEM
 * calls:  config_apply()
 */
int
options_set_file(struct options *options, enum option_id id, const char *text,
		 char *allowed, size_t allowed_size);

/*
 * shape:  what follows from what was given: the model's encoding and window,
 *         roots, limits; and whether it makes sense
 * errors: as options_parse()
 */
int
options_complete(struct options *options, char *error, size_t error_size);

/*
 * shape:  what --sandbox and --no-sandbox come to, in pack.sandbox
 * errors: as options_parse()
 * calls:  options_complete(); main(), before a configuration file is read,
 *         which cannot say it
 */
int
options_complete_sandbox(struct options *options, char *error,
			 size_t error_size);

/* Whether what stands behind an option is its value: --name VALUE. */
static inline bool
option_takes_next(const struct option_spec *spec)
{
	return spec->argument != NULL && spec->argument[0] != '[';
}

/* Whether a command takes an option. */
bool
option_is_of(enum command command, enum option_id id);

/*
 * shape:  whether no two of output, report, metrics and audit log are one file,
 *         the parts of an output among them
 * errors: as options_parse()
 * calls:  options_complete()
 */
struct complaint;
int
options_check_outputs(const struct options *options,
		      const struct complaint *complaint);

/*
 * shape:  how files are to be cut, from the options on chunks; false:
 *         `problem` says what is wrong
 * calls:  options_complete()
 */
bool
options_read_chunk(struct options *options, char *problem, size_t problem_size);

/*
 * shape:  shares of the budget from "NAME=PERCENT,...", from "none" (all of
 *         them 0), or the defaults for NULL; false: `problem` says what is
 *         wrong
 * units:  per cent in the text, of SHARE_ALL in `shares`; those that are not
 *         named are 0
 */
bool
options_read_shares(const char *text, uint32_t shares[CATEGORY_NR],
		    char *problem, size_t problem_size);

/*
 * shape:  the same of priorities: "open_files=90,search_results=20"; those
 *         that are not named stay as they are
 */
bool
options_read_priorities(const char *text, uint32_t priorities[CATEGORY_NR],
			char *problem, size_t problem_size);

/* Frees the lists. */
void
options_fini(struct options *options);

/*
 * shape:  the name of the environment variable of an option
 * owner:  written to `out`, cut to size
 */
const char *
option_variable(char *out, size_t size, const struct option_spec *spec);

/*
 * shape:  reads one value as its kind wants it into the field of *options;
 *         `text` is NULL for a flag without a value
 * errors: -EINVAL: `allowed` says what would have been right; -ENOMEM
 * calls:  options_parse(), options_set_file()
 */
int
option_set(struct options *options, const struct option_spec *spec,
	   const char *text, char *allowed, size_t allowed_size);

/*
 * shape:  the same into a field that is no part of struct options
 * calls:  cmd_window_args.c
 */
int
option_set_field(const struct option_spec *spec, const char *text, void *field,
		 char *allowed, size_t allowed_size);

/*
 * shape:  whether a file may have a value: what option_set() takes, but no
 *         revision, which can name what was taken out of the work tree
 * errors: as option_set(); nothing is changed
 */
int
option_check(const struct option_spec *spec, const char *text, char *allowed,
	     size_t allowed_size);

/*
 * shape:  the value of an option as text, much as option_set() would take it;
 *         "" for none
 */
void
option_print(const struct options *options, const struct option_spec *spec,
	     char *out, size_t size);

/* A value of KIND_RATIO. */
static inline double
option_ratio(uint64_t millionths)
{
	return (double)millionths / RATIO_ONE;
}

/* The key of the configuration file that sets an option; NULL: none. */
const char *
option_key(enum option_id id);

/* Why no file can set an option that has no key; else NULL. */
const char *
option_no_key(enum option_id id);

/*
 * shape:  adds an item; the list owns its array, not the text
 * errors: -ENOMEM
 */
int
text_list_add(struct text_list *list, const char *text);

/*
 * shape:  the processors that this process may use: those of its affinity
 *         mask, no more than its control group's quota (rounded up)
 * units:  1 to LANES_MAX
 */
uint32_t
options_cpu_nr(void);

/*
 * shape:  the quota of a control group file system mounted at `mount` for the
 *         group `path`: the least of the group and those above it
 * units:  processors, rounded up; 0: no limit, or none can be read
 * calls:  options_cpu_nr(), tests
 */
uint32_t
cgroup_cpu_quota(const char *mount, const char *path);

#endif
