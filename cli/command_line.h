/* SPDX-License-Identifier: MIT */
/*
 * command_line.h - how the user says what is to be done.
 *
 * Does: reads the command line and the environment by the table of
 *       options.def, checks ranges and what contradicts, names what is wrong
 *       and what was probably meant.
 * Does not: look at the file system, open anything, print anything.
 * Runs in: the supervisor, first of all.
 *
 * Command line beats environment (BALE_BUDGET for --budget, and so on) beats
 * configuration file (config.h) beats default. In the environment a flag is 1,
 * yes, true, on or 0, no, false, off; a list has one entry a line; an empty
 * variable counts as unset.
 */
#ifndef CLI_COMMAND_LINE_H
#define CLI_COMMAND_LINE_H

#include "supervisor/options.h"
#include "window/chat.h"
#include "window/rounds.h"
#include "window/window.h"

enum command {
	COMMAND_NONE = 0, /* nothing was given */
#define COMMAND(id, ...) COMMAND_##id,
#include "cli/commands.def"
	COMMAND_NR
};

/* The action of a command with several actions. */
enum action {
	ACTION_NONE = 0,
#define ACTION(command, id, ...) ACTION_##command##_##id,
#include "cli/commands.def"
	ACTION_NR
};

enum option_group {
	GROUP_NONE = 0,
#define GROUP(id, title) GROUP_##id,
#include "cli/options.def"
	GROUP_NR
};

enum option_id {
#define OPTION(id, ...) OPTION_##id,
#include "cli/options.def"
	OPTION_NR
};

enum option_kind {
	KIND_FLAG = 0, /* bool, becomes true */
	KIND_NEGATE,   /* bool, becomes false */
	KIND_NUMBER,   /* uint64_t */
	KIND_TOKENS,   /* uint64_t; k and M are powers of 1000 */
	KIND_BUDGET,   /* the same, or all: BUDGET_ALL */
	KIND_SIZE,     /* uint64_t bytes; K, M, G, T are powers of 1024 */
	KIND_RATIO,    /* uint64_t: millionths; "0.8"; min, max in millionths */
	KIND_CHOICE,   /* an enum from 0, in the order of the choices */
	KIND_TEXT,     /* const char *, not empty */
	KIND_STRING,   /* const char * */
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

/* The commands that take an option, and from bit ACTION_SHIFT on actions. */
typedef uint64_t taker_set;
#define ACTION_SHIFT 32
#define FOR(id) (1ull << COMMAND_##id)
#define ON(command, id) \
	(FOR(command) | 1ull << (ACTION_SHIFT + ACTION_##command##_##id))
#define FOR_ALL 0xffffffffull

/* Of window and compact. */
struct talk_args {
	enum window_tier tier;
	const char *summarizer; /* NULL: none */
	uint64_t time_limit_s;
	uint64_t summary_bytes;
};

struct window_args {
	struct window_item item;
	uint64_t priority; /* of it */
	bool jsonl;
	bool is_pack;     /* the content */
	bool is_messages; /* the same */
	bool strict;
	struct window_options settings;
	uint64_t threshold; /* millionths of a per cent */
	const char *model;
	bool pinned;
	bool openmetrics;
	uint64_t message_nr;
	struct window_build_options build;
	uint64_t target; /* the same */
	bool with_pinned;
	const char *events;
	uint64_t wait_s;
};

struct compact_args {
	struct chat_options chat;
	struct text_list betas;
	uint64_t threshold; /* in millionths, as the next two */
	uint64_t critical;
	uint64_t preserve;
	const char *in_place;
	const char *record;
	bool check;
	bool strict;
	bool quiet;
};

struct rounds_args {
	uint64_t max_tokens;
	const char *encoding;
	struct rounds_usage usage;
};

struct mcp_args {
	struct text_list roots;
	uint64_t result_tokens;
	uint64_t memory_bytes;
	bool is_structured;
	const char *client; /* to be installed in; NULL: serve */
	bool writes_client;
};

#define BATCH_JOBS_MAX 256

struct batch_args {
	const char *dir;       /* NULL: none was named */
	uint64_t job_nr;       /* 0: as many as there are processors */
	uint64_t memory_bytes; /* of all lines that are packed at a time; 0 */
	uint64_t failure_nr;   /* that end the batch; 0: none do */
	bool keeps_going;      /* said in words: none do */
	bool compresses;       /* outputs without a name of their own */
};

/* Which part of how many. */
struct shard_args {
	const char *text; /* "3/64"; NULL: by the environment */
	uint64_t nr;      /* 0: not given */
};

struct bench_args {
	uint64_t run_nr;      /* rounds */
	const char *old_path; /* results to compare with; NULL: none */
	bool is_query;        /* what queries find is measured, not time */
	uint64_t commit_nr;   /* past commits that are queries */
};

#define OPTIONS_ERROR_BYTES 512
#define OPTION_WANTED_BYTES 256

/* The whole command line. Owner: main(); command_line_fini(). */
struct command_line {
	struct options run;
	enum command command;
	enum command topic; /* of COMMAND_HELP; NONE: all */
	enum action action;
	struct talk_args talk;
	struct window_args window;
	struct compact_args compact;
	struct rounds_args rounds;
	struct mcp_args mcp;
	struct batch_args batch;
	struct shard_args shard;
	struct bench_args bench;
	uint64_t share_percents[CATEGORY_NR]; /* millionths; of a file */
	uint64_t priorities[CATEGORY_NR];     /* of a file */
	unsigned tokenizer_type;
	bool no_structure;       /* chunks need not be cut at definitions */
	bool has_shares;         /* run.pack.shares are those of a file */
	bool no_cache;           /* whatever run.cache is */
	uint8_t from[OPTION_NR]; /* enum option_from */
	uint8_t window_from;     /* where the model is from that it is of */
	struct text_list copies; /* of the environment and of a file */
	char error[OPTIONS_ERROR_BYTES]; /* what is wrong, a sentence */
};

/* A line of options.def. */
struct option_spec {
	const char *name; /* NULL: a key of the file, but no option */
	const char *argument;
	const char *standard; /* the default, as text */
	const char *help;
	const char *key;    /* of the configuration file; NULL: none */
	const char *no_key; /* why no file can set it; NULL: one can */
	uint64_t min;
	uint64_t max;
	size_t offset; /* of the field, in struct command_line */
	taker_set takers;
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

struct action_spec {
	enum command command;
	const char *name;
	const char *operands; /* after the action */
	const char *does;
	unsigned nr; /* of these */
};

/* All but the options have an empty entry 0. */
extern const struct command_spec command_table[COMMAND_NR];
extern const struct action_spec action_table[ACTION_NR];
extern const char *const group_titles[GROUP_NR];
extern const struct option_spec option_table[OPTION_NR];

/*
 * shape:  what a command line says; argv as main() has it, no arguments give
 *         COMMAND_NONE
 * owner:  *out keeps pointers into argv and into the environment; to be given
 *         to command_line_fini() whatever is returned
 * errors: -EINVAL: out->error holds a sentence for the user, exit code 2;
 *         -ENOMEM, with a sentence too
 * calls:  main(), before anything else; tests
 * order:  command_line_parse(), command_line_set() for what a file says,
 *         command_line_complete()
 */
int
command_line_parse(int argc, char **argv, struct command_line *out);

/*
 * shape:  a value of a configuration file, unless the command line or the
 *         environment gave one
 * owner:  the text is copied
 * errors: -EINVAL: `wanted` says what would have been right; -ENOMEM
 * calls:  config_apply()
 */
int
command_line_set(struct command_line *line, enum option_id id, const char *text,
		 char wanted[static OPTION_WANTED_BYTES]);

/*
 * shape:  derives values from those given: the model's encoding and window,
 *         roots, limits; and checks them together
 * errors: as command_line_parse()
 */
int
command_line_complete(struct command_line *line);

/*
 * shape:  resolves --sandbox and --no-sandbox, into pack.sandbox
 * errors: as command_line_parse()
 * calls:  command_line_complete(); main(), before a configuration file is
 *         read, which cannot set it
 */
int
command_line_complete_sandbox(struct command_line *line);

/* The same of --config and --no-config. calls: before the file is read */
int
command_line_complete_config(struct command_line *line);

/* Writes the sentence of what is wrong; always -EINVAL. */
int
complain(struct command_line *line, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Frees the lists. */
void
command_line_fini(struct command_line *line);

/* Whether the option was given, by the user or in a file. */
static inline bool
option_given(const struct command_line *line, enum option_id id)
{
	return line->from[id] >= FROM_FILE;
}

/* Whether the user gave it. */
static inline bool
option_requested(const struct command_line *line, enum option_id id)
{
	return line->from[id] > FROM_FILE;
}

/* Whether the argument that follows an option is its value: --name VALUE. */
static inline bool
option_takes_next(const struct option_spec *spec)
{
	return spec->argument != NULL && spec->argument[0] != '[';
}

/* Whether a command has actions, one of which has to be named. */
bool
command_has_actions(enum command command);

/* Whether a command takes an option, in at least one of its actions. */
bool
option_is_of(enum command command, enum option_id id);

/* Whether an action does, of a command that takes it. */
bool
option_is_of_action(enum action action, enum option_id id);

/* The option that gave a key its value: its own, or one that says the same. */
enum option_id
option_giver(const struct command_line *line, enum option_id key);

/*
 * shape:  the name of the environment variable of an option
 * owner:  written to `out`, cut to size
 */
const char *
option_variable(char *out, size_t size, const struct option_spec *spec);

/*
 * shape:  reads one value as its kind wants it into the field of *line;
 *         `text` is NULL for a flag without a value
 * errors: -EINVAL: `wanted` says what would have been right, and what was
 *         probably meant; -ENOMEM
 */
int
option_set(struct command_line *line, const struct option_spec *spec,
	   const char *text, char wanted[static OPTION_WANTED_BYTES]);

/*
 * shape:  whether a file may have a value: what option_set() takes, but no
 *         revision, which can name what was taken out of the work tree
 * errors: as option_set(); nothing is changed
 */
int
option_check(const struct option_spec *spec, const char *text,
	     char wanted[static OPTION_WANTED_BYTES]);

/*
 * shape:  replaces the patterns of --include and of the options like it by
 *         those that their commas and braces stand for
 * errors: -ENOMEM; -EINVAL: line->error says which stands for too many
 * calls:  command_line_complete(), once
 */
int
options_expand_globs(struct command_line *line);

/*
 * shape:  whether no two of the files that a run writes are one, the parts of
 *         an output among them
 * errors: as command_line_parse()
 * calls:  command_line_complete()
 */
int
options_check_outputs(struct command_line *line);

/* The same of `window` and `compact`: the file that they keep, and the one that
 * lines are added to. */
int
options_check_kept(struct command_line *line);

/*
 * shape:  which part it is, by the options and by the environment of a
 *         scheduler; one of one if neither says anything
 * errors: EXIT_USAGE, said
 */
int
shard_find(struct shard *shard, const struct shard_args *args);

/* What --enough needs, and what it cannot be given with: 0 or an exit code. */
int
options_check_enough(struct command_line *line);

/*
 * shape:  for bale find alone: its query is the first operand; its places are of the
 *         text as it is, and of what has to do with the query alone, whatever
 *         a configuration file has for outputs
 * calls:  command_line_complete()
 */
void
options_set_find(struct command_line *line);

/* Takes the first operand off, where one is needed and the rest are PATHs. */
const char *
options_take_operand(struct command_line *line);

/*
 * shape:  for bale merge: its parts are the first operand; for pack --shard: it
 *         surveys, and what past commits say is nothing that it needs
 * calls:  command_line_complete()
 */
void
options_set_shards(struct command_line *line);

/* What --shard needs: 0 or an exit code. */
int
options_check_shard(struct command_line *line);

/* Digits alone, within a range; false: something else. */
bool
option_read_number(const char *text, size_t bytes, uint64_t min, uint64_t max,
		   uint64_t *out);

/*
 * shape:  the value of an option as text, much as option_set() would take it;
 *         "" for none
 */
void
option_print(const struct command_line *line, const struct option_spec *spec,
	     char *out, size_t size);

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

/*
 * shape:  carries out a command line that is parsed: confines the process,
 *         reads the configuration, runs the command: its exit code
 * calls:  main(), once; a process of bale mcp that is to be that command
 */
int
command_line_run(struct command_line *line);

/* What each command does, by commands.def: its exit code. */
#define COMMAND(id, name, run, ...) int run(struct command_line *line);
#include "cli/commands.def"

/* As QUOTED(), of a word, that is cut sooner. */
#define WORD_QUOTE_BYTES 128
#define WORD_QUOTED(word) \
	diag_quote_text((char[WORD_QUOTE_BYTES]){ 0 }, WORD_QUOTE_BYTES, word)

#endif
