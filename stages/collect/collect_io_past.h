/* SPDX-License-Identifier: MIT */
/*
 * collect_io_past.h - past commits, read and written into the catalogue.
 *
 * Does: reads the last commits of the repositories that the roots lie in, and
 *       writes into the catalogue which files each changed and how often its
 *       message has the words of the query; and the texts of --git-log and
 *       --git-diff.
 * Does not: weigh any of it; fail the run: without a history there is none.
 * Runs in: collect, in the survey: while it waits for slabs, and when the walk
 *          is over. What could not be had is logged here, where it is known
 *          why.
 * Limits: HISTORY_COMMITS_MAX commits of a repository, merges not counted;
 *         one that changed more than HISTORY_FILES_MAX files, such as a change
 *         of the style, says nothing of any; HISTORY_PATHS_MAX paths in all.
 */
#ifndef COLLECT_COLLECT_IO_PAST_H
#define COLLECT_COLLECT_IO_PAST_H

#include "catalogue/catalogue.h"
#include "catalogue/history.h"
#include "catalogue/past.h"
#include "stages/collect/collect_heat.h"
#include "stages/collect/collect_io_git_text.h"
#include "stages/collect/collect_io_history.h"
#include "stages/job.h"

/* Options for reading the history. */
struct past_options {
	const struct job *job;
	const struct collect_rev *revs; /* of the roots; NULL: HEAD */
	uint64_t object_bytes;
	void (*beat)(void *context); /* a sign of life */
	void *context;
};

/* A commit as it was read. */
struct past {
	uint32_t text_bytes;
	uint32_t age; /* commits of its repository that were given before */
	uint32_t path_first;
	uint32_t path_nr;
	uint32_t term_first;
	uint32_t term_nr;
};

/* A path, by a hash of its bytes, and the file that it is now. */
struct past_path {
	uint64_t key; /* once renames are followed, of what it is called now */
	uint32_t at;  /* place among all, in the order of commits */
	enum past_what what;
};

/* What is known of past commits, by memos. Owner: past_free(). */
struct past_known {
	uint32_t *slots;  /* by key: where a memo that was kept begins, and 1 */
	uint32_t slot_nr; /* a power of two; 0: none is kept */
	uint64_t used;    /* bytes of those that this run has used */
	uint32_t fresh_nr;
	bool is_open; /* what was kept has been looked through */
	bool is_full; /* there is no room for more: no run keeps these */
};

/* Everything read, before it is written. Owner: past_free(). */
struct history_ctx {
	const struct past_options *options;
	struct history *history;
	const struct catalogue *catalogue;
	uint64_t file_nr; /* in the catalogue */
	struct past *commits;
	uint32_t commit_nr;
	size_t commit_room;
	struct past_path *paths; /* then sorted by key */
	uint32_t path_nr;
	size_t path_room;
	struct history_term *terms;
	uint32_t term_nr;
	size_t term_room;
	uint8_t (*blobs)[COLLECT_OBJECT_BYTES]; /* what each path became; if it
						 * is gone, was */
	size_t blob_room;
	struct history_file *about; /* of each file, while it is written */
	uint32_t *files;     /* one a path: index; FILE_NONE: it is not there */
	uint64_t seed;       /* of the keys of a repository */
	uint32_t repo;       /* in work */
	bool is_begun;       /* its first commit was asked for */
	uint32_t given_nr;   /* of its commits, merges not counted */
	bool is_over;        /* all is read, or can be */
	int result;          /* when it is over: 0 or -errno */
	uint32_t changed_nr; /* of the commit in work */
	uint64_t log_left;   /* commits to be told of, of this repository */
	bool is_reported;    /* the commit in work is one of them */
	struct git_text log;
	struct git_text diff;
	struct history_head head;
	struct past_known known;
	bool is_refused;       /* the revision names nothing: the run ends */
	bool reported_refused; /* a line has named a link */
	int error;
};

/* Reads one more commit, or the changes of a work tree: whether it did. */
bool
past_read_ahead(struct history_ctx *history_ctx);

/*
 * shape:  reads the commits of all repositories, and what the work trees have
 *         changed, except what was read ahead
 * errors: -EINVAL: --git-diff names nothing, said already; -ENOMEM of a text
 */
int
past_read(struct history_ctx *history_ctx);

/* ---- collect_io_past_renames.c ---- */

/*
 * shape:  gives the paths of commits before a rename the key of the new name,
 *         where the content stayed the same
 * errors: -ENOMEM
 * calls:  past_find_files(), before the paths are sorted
 */
int
past_follow_renames(struct history_ctx *history_ctx);

/* ---- collect_io_past_paths.c ---- */

/*
 * shape:  sorts the paths, and finds the files of the catalogue that they are
 *         now
 * errors: -ENOMEM
 */
int
past_find_files(struct history_ctx *history_ctx);

/* The commits' paths that are a file, the newest first, *nr of them. */
const struct past_path *
past_paths_of(const struct history_ctx *history_ctx, uint32_t file_idx,
	      uint32_t *nr);

/* ---- writing ---- */

/*
 * shape:  finds the files of the catalogue that the paths are now, and writes
 *         all of it
 * errors: -errno of the table; -ENOMEM
 */
int
past_write(struct history_ctx *history_ctx);

/*
 * shape:  writes which lines of the hottest files were changed, at `off` of the
 *         table
 * errors: -errno of the table; -ENOMEM
 * calls:  past_write(); collect_io_heat.c
 */
int
past_write_hot(struct history_ctx *history_ctx, struct history_head *head,
	       uint64_t off);

/*
 * shape:  writes which lines came with the commits whose messages match the
 *         query best, likewise
 * calls:  past_write(); collect_io_message.c
 */
int
past_write_message(struct history_ctx *history_ctx, struct history_head *head,
		   uint64_t off);

/* ---- collect_io_past_known.c ------------------------------------------------- */

/* The name of a memo: of its kind, and of all that it depends on. */
void
past_key(uint8_t key[PAST_KEY_BYTES], enum past_kind kind, const void *of,
	 size_t bytes);

/*
 * shape:  a memo that an earlier run has kept; NULL: none
 * owner:  the table's
 */
const struct past_memo *
past_find(struct history_ctx *history_ctx, const uint8_t key[PAST_KEY_BYTES]);

/*
 * shape:  notes a memo and what it says, for the next run: one that was found, or
 *         a new one
 * errors: none: what has no room is not kept
 */
void
past_note(struct history_ctx *history_ctx, const struct past_memo *memo,
	  const void *says, bool is_fresh);

/* All that was used is noted. */
void
past_end_notes(struct history_ctx *history_ctx);

/* ---- collect_io_past_lines.c ------------------------------------ */

#define PAST_LINES_FILES_MAX 512u
#define PAST_LINES_MAX (1u << 17)

/* Lines of files that came with past commits. Owner: past_lines_free(). */
struct past_lines {
	struct history_ctx *past;
	struct history_lines *lines; /* of all files */
	uint32_t line_nr;
	struct history_hot hots[PAST_LINES_FILES_MAX]; /* lines_off: in lines */
	uint32_t hot_nr;
	struct repo_object text;  /* the file in work, as it is now */
	struct collect_heat heat; /* its versions */
};

/* units: object_nr: that may be read, of all files; NULL: no memory. */
struct past_lines *
past_lines_create(struct history_ctx *history_ctx, uint64_t object_nr);

/* owner: NULL is accepted */
void
past_lines_free(struct past_lines *lines);

/*
 * shape:  begins a file, as the path has it
 * errors: -errno: it cannot be read; -EDQUOT: nor can anything else
 */
int
past_lines_begin(struct past_lines *lines, const struct past_path *path);

/* An earlier version of it, NULL: there was none; as collect_heat_version(). */
int
past_lines_version(struct past_lines *lines, const struct past_path *path,
		   const struct heat_span *commits);

/* The versions of a file end: what came with them is kept. */
void
past_lines_end(struct past_lines *lines, uint32_t file_idx);

/*
 * shape:  the lines of a file, as they were found before
 * errors: -EAGAIN: there are more than may be, or to find them would take more
 *         than may be read: find them
 */
int
past_lines_take(struct past_lines *lines, uint32_t file_idx,
		const struct past_memo *memo);

/* Writes all of it at `off` of the table; errors: -errno of the table. */
int
past_lines_write(struct past_lines *lines, struct history_head *head,
		 uint64_t off);

/* Frees all but the history. */
void
past_free(struct history_ctx *history_ctx);

#endif
