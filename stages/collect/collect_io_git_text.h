/* SPDX-License-Identifier: MIT */
/*
 * collect_io_git_text.h - the texts of --git-log and --git-diff, being built.
 *
 *   <name of the commit> <when> <who>
 *       <subject>
 *         <a path that it changed>       one a line; of a merge none
 *
 * Does not: read commits (collect_io_past.h).
 * Invariants:
 * 1. What people, subjects and paths say is quoted as diag_quote() does: each
 *    takes one line, and none can pass for another.
 */
#ifndef COLLECT_COLLECT_IO_GIT_TEXT_H
#define COLLECT_COLLECT_IO_GIT_TEXT_H

#include "stages/collect/collect_io_history.h"

#define GIT_TEXT_BYTES_MAX ((size_t)8 << 20)

/* A text being built. Owner: whoever has it, free(at). */
struct git_text {
	char *at;
	size_t nr;
	size_t room;
};

/*
 * shape:  bytes as they are, behind what is there
 * errors: -EFBIG: more than GIT_TEXT_BYTES_MAX; -ENOMEM
 */
int
git_text_add(struct git_text *text, const void *bytes, size_t nr);

/*
 * shape:  what a repository says, behind something of ours, to the end of a
 *         line
 * errors: as git_text_add()
 */
int
git_text_add_quoted(struct git_text *text, const char *before, const char *name,
		    size_t bytes);

/*
 * shape:  the lines of a commit, without its paths
 * errors: as git_text_add()
 */
int
git_text_add_commit(struct git_text *text,
		    const struct history_commit_at *commit);

/* A line of a commit: a path that it changed. */
int
git_text_add_path(struct git_text *text, const char *path, size_t bytes);

/*
 * shape:  the text, with what is no UTF-8 in it as U+FFFD
 * errors: -ENOMEM
 */
int
git_text_clean(struct git_text *text);

#endif
