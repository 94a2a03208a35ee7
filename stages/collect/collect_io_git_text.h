/* SPDX-License-Identifier: MIT */
/*
 * collect_io_git_text.h - commits and changes as sections of the output.
 *
 * Does: --git-log and --git-diff as texts, for format to put them in.
 * Runs in: collect, with the history.
 * Limits: GIT_TEXT_BYTES_MAX each.
 */
#ifndef COLLECT_COLLECT_IO_GIT_TEXT_H
#define COLLECT_COLLECT_IO_GIT_TEXT_H

#include "stages/collect/collect_io_history.h"

#define GIT_TEXT_BYTES_MAX ((size_t)8 << 20)

/* A text in the making. Owner: whoever has it, free(at). */
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
 * shape:  the lines of a commit, without its paths
 * errors: as git_text_add()
 */
int
git_text_commit(struct git_text *text, const struct history_commit_at *commit);

/* What the commits that follow are of. errors: as git_text_add() */
int
git_text_root(struct git_text *text, const char *root);

/* A path that it changed. errors: as git_text_add() */
int
git_text_path(struct git_text *text, const char *path, size_t bytes);

/*
 * shape:  the text, with what is no UTF-8 in it as U+FFFD
 * errors: -ENOMEM
 */
int
git_text_clean(struct git_text *text);

#endif
