/* SPDX-License-Identifier: MIT */
/*
 * history.h - git's history of the files, by collect; complete when the survey
 * is over.
 *
 *   | history_head | history_file ... | history_commit, its files, its terms |
 *   ... | log | diff | history_lines ... | history_hot ... |
 *
 * A history_file a file; a history_hot each of the files that were changed
 * most, by index; with a query, of those that were changed by the commits whose
 * messages match it best. The newest commit comes first.
 */
#ifndef CATALOGUE_HISTORY_H
#define CATALOGUE_HISTORY_H

#include "catalogue/catalogue.h"

struct history_head {
	uint64_t text_bytes; /* of all messages */
	uint64_t files_off;  /* both from the start of the table */
	uint64_t commits_off;
	uint64_t log_off; /* text of --git-log */
	uint64_t log_bytes;
	uint64_t diff_off; /* text of --git-diff */
	uint64_t diff_bytes;
	uint64_t hot_off; /* of the files whose lines are known */
	uint32_t hot_nr;
	uint32_t is_short; /* 1: something was not read for want of memory */
	uint32_t commit_nr;
	uint32_t file_nr;   /* records of files */
	uint8_t commit[20]; /* HEAD of the first repository, or of --rev */
	uint8_t has_commit; /* 1: it is known */
	uint8_t dirty;      /* enum history_dirty */
	uint8_t is_read;    /* 1: reading it was not abandoned */
	uint8_t is_partial; /* 1: some of it could not be read */
};

static_assert(sizeof(struct history_head) == HISTORY_HEAD_BYTES, "no holes");

/* Whether the work tree differs from its commit. */
enum history_dirty {
	HISTORY_DIRTY_UNKNOWN = 0,
	HISTORY_DIRTY_NO,
	HISTORY_DIRTY_YES
};

/* What the commits that were read say of a file. */
struct history_file {
	uint32_t commit_nr; /* that changed it */
	uint32_t heat;      /* rank/heat.h */
};

static_assert(sizeof(struct history_file) == 8, "a word");

struct history_commit {
	uint32_t text_bytes; /* of its message */
	uint32_t changed_nr; /* paths that it changed, there or not */
	uint32_t file_nr;    /* those in the catalogue; uint32_t each */
	uint32_t term_nr;    /* struct history_term each, an even number */
};

static_assert(sizeof(struct history_commit) == 16, "two words");

/* Of the commit whose message matches the query best, if it changed one file:
 * the heat of the lines that came with it. */
#define HISTORY_ONE 65536u

/* Lines of a file, side by side, that were changed alike. */
struct history_lines {
	uint32_t first; /* 1-based, as the last commit has the file */
	uint32_t nr;
	uint32_t heat; /* of each */
};

/* A file of which it is known which lines were changed. */
struct history_hot {
	uint64_t lines_off; /* from the start of the table */
	uint32_t lines_nr;  /* struct history_lines, by line */
	uint32_t file_idx;
};

static_assert(sizeof(struct history_hot) == 16, "two words");

/* How often a message has a word of the query. */
struct history_term {
	uint8_t term;
	uint8_t times; /* 0: padding */
};

/*
 * shape:  whether every field is in range, and sums of them do not overflow;
 *         table_at() checks offsets beyond the table
 * calls:  readers of what collect wrote
 */
static inline bool
history_head_valid(const struct history_head *head)
{
	return head->log_bytes <= UINT64_MAX - head->log_off &&
	       head->diff_bytes <= UINT64_MAX - head->diff_off &&
	       head->file_nr * sizeof(struct history_file) <=
		       UINT64_MAX - head->files_off &&
	       head->commits_off <= UINT64_MAX - head->text_bytes &&
	       (uint64_t)head->hot_nr * sizeof(struct history_hot) <=
		       UINT64_MAX - head->hot_off &&
	       head->has_commit <= 1 && head->dirty <= HISTORY_DIRTY_YES &&
	       head->is_read <= 1 && head->is_partial <= 1 &&
	       head->is_short <= 1;
}

/* The header of the table of past commits. */
static inline const struct history_head *
catalogue_history(const struct catalogue *catalogue)
{
	return table_at(&catalogue->history, 0, sizeof(struct history_head));
}

/* What is known of a file; of one that no commit changed, zeros. */
static inline struct history_file
catalogue_history_of(const struct catalogue *catalogue, uint32_t file_idx)
{
	const struct history_head *head = catalogue_history(catalogue);

	if (file_idx >= head->file_nr)
		return (struct history_file){ 0 };
	return *(const struct history_file *)table_at(
		&catalogue->history,
		head->files_off + file_idx * sizeof(struct history_file),
		sizeof(struct history_file));
}

/*
 * shape:  the commit at *off of the history, its files and its terms; *off
 *         moves to the next one
 * units:  *off from the start of the table; commits_off first
 */
static inline const struct history_commit *
history_commit(const struct catalogue *catalogue, uint64_t *off,
	       const uint32_t **files, const struct history_term **terms)
{
	const struct history_commit *commit =
		table_at(&catalogue->history, *off, sizeof(*commit));
	uint64_t files_bytes = commit->file_nr * sizeof(uint32_t);
	uint64_t bytes = sizeof(*commit) + files_bytes +
			 commit->term_nr * sizeof(struct history_term);

	commit = table_at(&catalogue->history, *off, bytes);
	*files = (const void *)(commit + 1);
	*terms = (const void *)((const uint8_t *)*files + files_bytes);
	*off += bytes;
	return commit;
}

/*
 * shape:  the lines of a file that are known to have been changed, *nr of them;
 *         NULL: none are
 */
const struct history_lines *
catalogue_hot_lines(const struct catalogue *catalogue, uint32_t file_idx,
		    uint32_t *nr);

/* The heat of the lines of [first, end), added up. */
uint64_t
history_heat_between(const struct history_lines *lines, uint32_t nr,
		     uint64_t first, uint64_t end);

/* That of the hottest of these lines; 0: none was changed. */
uint32_t
history_hottest_between(const struct history_lines *lines, uint32_t nr,
			uint64_t first, uint64_t end);

#endif
