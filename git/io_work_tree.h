/* SPDX-License-Identifier: MIT */
/*
 * io_work_tree.h - git's facts about the work tree of a directory.
 *
 * Does: finds the work tree, the ignore rules that apply to all of it, and the
 *       names of tracked files, which no ignore rule can exclude.
 * Does not: run git, or anything else; write anything.
 * Runs in: the collector, below collect_io_walk.c.
 */
#ifndef GIT_IO_WORK_TREE_H
#define GIT_IO_WORK_TREE_H

#include "git/io_index.h"
#include "git/io_settings.h"

struct git_tree {
	bool is_tree; /* false: not in a work tree, and all else is empty */
	bool fold;    /* core.ignorecase */
	char *prefix; /* from the top to the directory: "" or "a/b/" */
	size_t prefix_bytes;
	size_t base_bytes;                /* of a full path, before the top */
	bool has_commit;                  /* false: the next is not known */
	uint8_t commit[GIT_COMMIT_BYTES]; /* that is checked out */
	const struct rule_file *outer[RULES_KIND_NR]; /* from above, or NULL */
	struct gitindex *index; /* NULL: nothing is tracked */
	bool is_index_bad;      /* there is one, and it is none of git's */
};

/*
 * shape:  the work tree that an open directory lies in, if it is in one; with
 *         above, one that begins above the directory, too
 * units:  base_bytes: of the walk's full path, up to the top of the work tree
 * owner:  git_tree_close()
 * errors: -EMFILE, -ENFILE, -ENOMEM; what git would stumble over is
 *         passed over
 * calls:  above: before the process shuts itself in
 */
int
git_tree_open(struct git_tree *tree, const struct git_user *user, int dir_fd,
	      size_t base_bytes, bool above);

/* owner: an empty one is accepted */
void
git_tree_close(struct git_tree *tree, struct rules_budget *budget);

/*
 * shape:  whether the index has this path; a directory's ends with '/'
 * units:  a full path of the walk
 * calls:  in canonical order; going back is slow
 */
enum git_tracked
git_tree_tracks(struct git_tree *tree, const char *path, size_t path_bytes);

/* Whether the index is there, and cannot be read to where it was asked. */
bool
git_tree_lost_index(const struct git_tree *tree);

/* A work tree that was found. */
struct git_found {
	struct git_dir git;
	int top_fd; /* the directory itself, or one above */
	bool owns_top;
	char prefix[PATH_MAX]; /* from the top to the directory */
};

/*
 * shape:  1: *found is the work tree that a directory lies in; 0: it is in
 *         none, or is a repository without one
 * owner:  git_found_close()
 * errors: -EMFILE, -ENFILE
 */
int
git_find_tree(struct git_found *found, int dir_fd, bool above);

#endif
