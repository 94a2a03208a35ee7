/* SPDX-License-Identifier: MIT */
/*
 * io_git_dir.h - a repository's own folder, and the small files in it.
 *
 * Does: goes from a directory to its ".git", a folder or a file that names
 *       one; reads the files of one as text.
 * Does not: follow links in the folder, but to it; run git.
 * Runs in: the collector, before it shuts itself in and after.
 */
#ifndef GIT_IO_GIT_DIR_H
#define GIT_IO_GIT_DIR_H

#include <limits.h>

#include "base/base.h"

/* A folder that others are opened below. */
#define FOLDER_FLAGS (O_PATH | O_DIRECTORY | O_CLOEXEC)

#define GIT_COMMIT_BYTES 20

struct git_dir {
	int own_fd;    /* index, HEAD; -1: none */
	int common_fd; /* config, info, objects; the same for most */
};

/*
 * shape:  resolves the ".git" of a directory, a file or a folder
 * owner:  git_dir_close()
 * errors: -ENOENT: none that git would accept; -EMFILE, -ENFILE
 */
int
git_dir_open(struct git_dir *git, int dir_fd);

/*
 * shape:  the same of a folder that may be a repository itself
 * owner:  takes own_fd over, also if it is none; git_dir_close()
 * errors: -ENOENT: it is none
 */
int
git_dir_take(struct git_dir *git, int own_fd);

/* Closes both directories; accepts what is closed. */
void
git_dir_close(struct git_dir *git);

/*
 * shape:  the name of the commit that is checked out; false: there is none, or
 *         it cannot be told without the library
 */
bool
git_dir_commit(const struct git_dir *git, uint8_t commit[GIT_COMMIT_BYTES]);

/* Whether a directory is itself a repository without a work tree. */
bool
git_dir_is_bare(int dir_fd);

/*
 * shape:  a small file as a string; NULL: it is none, or too large
 * owner:  the caller's, for free()
 * calls:  for files of the user's; links are followed
 */
char *
git_read_text(int dir_fd, const char *path, size_t bytes_max, size_t *bytes);

/*
 * shape:  the same of a repository's own file in *text: no link is followed
 * errors: -ELOOP: there is one, -errno; *text is NULL then
 */
int
git_read_own(int dir_fd, const char *path, size_t bytes_max, char **text,
	     size_t *bytes);

/* Whether a directory has a ".git" that makes it a repository's top. */
bool
git_is_top(int dir_fd);

/* Where a directory is; false: not known, or too deep. */
bool
git_path_of(int dir_fd, char path[PATH_MAX]);

#endif
