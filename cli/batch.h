/* SPDX-License-Identifier: MIT */
/*
 * batch.h - many trees, an output each, one manifest.
 *
 *   cmd_batch.c       starts lines, waits for them, says what became of them
 *   batch_list.c      LIST: a path or a JSON object a line
 *   batch_line.c      a line: a run of pack in a process of its own
 *   batch_manifest.c  the manifest, and what an earlier batch has left to do
 *   batch_shard.c     parts of LIST, and what becomes of them when all are done
 *
 * Invariants:
 * 1. A line is done when its line of the manifest is written, which is after
 *    its output has its name. Killed in between, the batch packs it again: the
 *    same bytes under the same name.
 * 2. A manifest has one line for each line of LIST that is done: torn ones,
 *    those of other options and those whose output is not there, or is not
 *    what was written, are dropped before anything is packed.
 * 3. A line is known by its id, which is made of what it says, not of where
 *    it stands: LIST may grow and be sorted anew.
 */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include "base/child_process.h"
#include "cli/command_line.h"
#include "report/outcome.h"

#define BATCH_LIST_MAX (1u << 30) /* bytes of LIST, and of a manifest */
#define BATCH_SAID_BYTES 512
#define BATCH_CODE_BYTES 13             /* BALE-CTX-004 */
#define BATCH_TEMP_FILES 18             /* that a run makes, or a few more */
#define BATCH_LINE_MEMORY (48ull << 20) /* a run has no less */

/* What became of a line. */
enum batch_class {
	BATCH_WAITING = 0,
	BATCH_DONE,
	BATCH_DEGRADED, /* an output, but not all of it could be read */
	BATCH_FAILED,   /* and would again */
	BATCH_RETRY,    /* and may not the next time */
	BATCH_CLASS_NR
};

/* An option that a line sets. */
struct batch_setting {
	uint16_t option; /* enum option_id */
	const char *text;
};

/* A line of LIST. */
struct batch_item {
	uint64_t id;
	uint64_t number;   /* of the line, from 1 */
	const char *path;  /* NULL: see error */
	const char *name;  /* of its output, below DIR */
	const char *error; /* why it cannot be packed; NULL */
	struct batch_setting *settings;
	size_t setting_nr;
	bool is_ours; /* of the part of LIST that this batch packs */
	enum batch_class class;
	uint64_t record_off; /* of its line of the manifest */
	uint64_t record_bytes;
};

struct batch_list {
	struct batch_item *items;
	size_t nr;
	size_t room;
	struct batch_item **by_id; /* sorted */
	struct text_list texts;    /* that items point to */
};

/* ---- batch_list.c ---- */

/*
 * shape:  what the lines of a LIST say; one that says nothing of use is an item
 *         with an error. An output without a name has one made of its path and
 *         its id, which ends in `suffix`
 * owner:  batch_list_fini(), whatever is returned; `text` may go
 * errors: -ENOMEM
 */
int
batch_list_read(struct batch_list *list, const char *text, size_t bytes,
		const char *suffix);
void
batch_list_fini(struct batch_list *list);

/* The item of an id; NULL: there is none. */
struct batch_item *
batch_list_find(const struct batch_list *list, uint64_t id);

/* ---- batch_line.c ---- */

/* A line that is being packed. */
struct batch_run {
	struct helper helper;
	struct batch_item *item; /* NULL: none */
	struct outcome *outcome; /* that the process writes */
	int said_fd;
	int temp_fds[BATCH_TEMP_FILES]; /* of temp_file_open(), empty */
	size_t temp_nr;
	uint64_t begun_ns;
};

/*
 * shape:  makes what lines need that are packed one after another: it is made
 *         once, since that takes longer than to pack a small tree
 * owner:  until the process ends
 * errors: -errno
 */
int
batch_run_open(struct batch_run *run);

/* What all lines have in common. */
struct batch_scope {
	const struct command_line *line; /* with what is not of one line */
	const char *dir;
	uint64_t memory_bytes;        /* of one line */
	uint64_t worker_nr;           /* 0: not given */
	const struct batch_run *runs; /* all of them */
	size_t run_nr;
};

/*
 * shape:  starts to pack a line
 * owner:  batch_run_end()
 * errors: -errno: there is no process
 */
int
batch_run_begin(struct batch_run *run, struct batch_item *item,
		const struct batch_scope *scope);

/* How a line ended. */
struct batch_result {
	enum batch_class class;
	int exit_code;               /* 128 + a signal; -1: it was not run */
	char code[BATCH_CODE_BYTES]; /* "": the error has none */
	char said[BATCH_SAID_BYTES]; /* "": nothing */
	struct outcome outcome;
	uint64_t wall_ns;
};

/* Waits for it, and says what became of it. */
void
batch_run_end(struct batch_run *run, struct batch_result *result);

/* The code that a message begins with; "": none. */
const char *
batch_code_of(const char *said, char out[static BATCH_CODE_BYTES]);

/* The class of an exit code of pack; docs/batch.md. */
enum batch_class
batch_class_of(int exit_code, bool has_output);

/*
 * shape:  whether the options are good for any line: an exit code, said
 * calls:  once, before the first line
 */
int
batch_check_options(const struct batch_scope *scope);

/* ---- batch_manifest.c ---- */

struct batch_manifest {
	int dir_fd;       /* of DIR */
	int home_fd;      /* of the directory that it is in */
	int fd;           /* is appended to; -1 */
	int lock_fd;      /* one batch at a time */
	const char *name; /* in that directory */
	uint64_t bytes;   /* that it has */
	uint64_t options; /* the hash of what all lines have in common */
};

#define BATCH_MANIFEST_NONE       \
	((struct batch_manifest){ \
		.dir_fd = -1, .home_fd = -1, .fd = -1, .lock_fd = -1 })

/*
 * shape:  opens it, and gives the items that are done their class; the manifest
 *         has their lines alone
 * owner:  batch_manifest_close(), whatever is returned
 * errors: -errno; -EBUSY: another batch writes it; -EFBIG
 */
int
batch_manifest_open(struct batch_manifest *manifest, struct batch_list *list);

/* Adds the line of an item: 0 or -errno. */
int
batch_manifest_add(struct batch_manifest *manifest, struct batch_item *item,
		   const struct batch_result *result);

/* The lines in the order of LIST: 0 or -errno. */
int
batch_manifest_sort(struct batch_manifest *manifest, struct batch_list *list);

/* Closes what is open; another batch may have it. */
void
batch_manifest_close(struct batch_manifest *manifest);

/*
 * shape:  gives items the places of their lines in a text of manifests, if the
 *         options are these; whether each has one
 */
bool
batch_manifest_find(const struct batch_manifest *manifest,
		    struct batch_list *list, const char *text, size_t bytes);

/* Writes the lines of all items to a file, in the order of LIST: 0 or -errno. */
int
batch_manifest_copy(const struct batch_list *list, const char *text, int fd);

/* The word of a class, as in a manifest; its class; BATCH_WAITING: none. */
const char *batch_class_name(enum batch_class class);
enum batch_class
batch_class_named(const char *name);

/* ---- batch_shard.c ---- */

/* Marks the items of a part. */
void
batch_shard_mark(const struct shard *shard, struct batch_list *list);

/*
 * shape:  makes the directories and opens that of the manifest, whose name it
 *         sets; as long as the part has lines to be packed it is not complete
 * errors: -errno
 */
int
batch_shard_open(const struct shard *shard, struct batch_manifest *manifest);
int
batch_shard_begin(const struct shard *shard,
		  const struct batch_manifest *manifest);

/*
 * shape:  the part is complete, and on the disk; the last one of all writes the
 *         manifest of all and stats.json. *is_whole: that was this one
 * errors: -errno
 * calls:  when each item of the part has a line that will stay
 */
int
batch_shard_end(const struct shard *shard, struct batch_manifest *manifest,
		struct batch_list *list, bool *is_whole);

/* ---- batch_stats.c ---- */

/*
 * shape:  stats.json in DIR: sums of the lines of a manifest
 * errors: -errno
 */
int
batch_stats_write(int dir_fd, const char *text, size_t bytes);

#endif
