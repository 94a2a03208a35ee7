/* SPDX-License-Identifier: MIT */
/*
 * io_index.h - whether the index of a repository has a path.
 *
 * Does: reads an index, and the one that it is based on, as it is asked.
 * Runs in: the collector, below collect_io_walk.c.
 */
#ifndef GIT_IO_INDEX_H
#define GIT_IO_INDEX_H

#include "base/base.h"

struct gitindex;

enum git_tracked {
	GIT_UNTRACKED = 0,
	GIT_TRACKED,  /* a file; or a directory with such files below */
	GIT_SUBMODULE /* a directory that is a commit of another repository */
};

/*
 * shape:  an index for questions, with the one that it is based on; NULL:
 *         *error says why
 * units:  folder_fd: where it lies
 * owner:  takes fd over
 * errors: -EINVAL: not an index, or its base is none; -ENOMEM; -EMFILE
 */
struct gitindex *
gitindex_open(int fd, int folder_fd, uint32_t hash_bytes, int *error);

/* owner: NULL is accepted */
void
gitindex_close(struct gitindex *index);

/* Whether a question went beyond where the file breaks off. */
bool
gitindex_is_cut(const struct gitindex *index);

/* As git_tree_tracks(), from the top of the work tree. */
enum git_tracked
gitindex_tracks(struct gitindex *index, const char *path, size_t bytes);

#endif
