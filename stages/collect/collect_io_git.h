/* SPDX-License-Identifier: MIT */
/*
 * collect_io_git.h - what git knows about the work tree that a directory is in.
 *
 * Does: finds the work tree, the ignore rules that hold in all of it, and the
 *       names of tracked files, which no ignore rule can take out.
 * Does not: run git, or anything else; write anything.
 * Runs in: the collector, below collect_io_walk.c.
 */
#ifndef COLLECT_COLLECT_IO_GIT_H
#define COLLECT_COLLECT_IO_GIT_H

#include "stages/collect/collect_io_rules.h"

struct git_index;

struct git_tree {
	bool is_tree; /* false: not in a work tree, and all else is empty */
	bool fold;    /* core.ignorecase */
	char *prefix; /* from the top to the directory: "" or "a/b/" */
	size_t prefix_bytes;
	size_t base_bytes;             /* of a full path, before the top */
	const struct rule_file *outer; /* of the whole tree, and ancestors */
	struct git_index *index;       /* NULL: nothing is tracked */
};

enum git_tracked {
	GIT_UNTRACKED = 0,
	GIT_TRACKED,  /* a file; or a directory with such files below */
	GIT_SUBMODULE /* a directory that is a commit of another repository */
};

/*
 * shape:  the work tree that an open directory lies in
 * units:  base_bytes: of the walk's full path, up to the top of the work tree
 * owner:  git_tree_close()
 * errors: -EMFILE, -ENFILE, -ENOMEM; what git would stumble over counts in
 *         budget->errors and is passed over
 */
int
git_tree_open(struct git_tree *tree, struct rules_budget *budget, int dir_fd,
	      size_t base_bytes);

/* owner: an empty one is accepted */
void
git_tree_close(struct git_tree *tree, struct rules_budget *budget);

/* Whether a directory has a ".git" that makes it a repository's top. */
bool
git_is_top(int dir_fd);

/*
 * shape:  whether the index has this path; a directory's ends with '/'
 * units:  a full path of the walk
 * calls:  in canonical order; going back is slow
 */
enum git_tracked
git_tree_tracks(struct git_tree *tree, const char *path, size_t path_bytes);

#endif
