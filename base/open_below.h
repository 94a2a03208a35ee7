/* SPDX-License-Identifier: MIT */
/*
 * open_below.h - opens files and directories below a directory, and no others.
 *
 * Does: opens below a directory that is open already; records the state of a
 *       file, so that a change is noticed.
 * Does not: follow a symbolic link, or leave the directory by "..".
 */
#ifndef BASE_OPEN_BELOW_H
#define BASE_OPEN_BELOW_H

#include "base/base.h"

struct file_identity {
	uint64_t dev;
	uint64_t ino;
};

/* An order of these, for sorts and searches. */
int
file_identity_compare(const void *a, const void *b);

struct file_state {
	struct file_identity identity;
	uint64_t bytes;
	int64_t mtime_ns;
	int64_t ctime_ns;
	uint32_t mode;
};

/*
 * shape:  the directory that a path as the user gave it leads to, but for its
 *         last part, which is *name; links are followed
 * units:  flags: O_RDONLY or O_PATH
 * errors: -errno
 */
int
open_parent(const char *path, int flags, const char **name);

/*
 * shape:  a descriptor for listing; name is one component
 * owner:  the descriptor is the caller's
 * errors: -errno; -ELOOP or -ENOTDIR for a symbolic link
 */
int
open_directory(int dir_fd, const char *name);

/*
 * shape:  the same for a path of any length below root_fd
 * errors: -EINVAL for a path that no walk can give ("a//b", "../a")
 */
int
open_directory_deep(int root_fd, const char *path, size_t bytes);

/* The same for a regular file; errors as open_regular(). */
int
open_regular_deep(int root_fd, const char *path, size_t bytes,
		  struct file_state *file);

/*
 * shape:  a descriptor of a regular file for reading, and what it was like
 *         when it was opened
 * owner:  the descriptor is the caller's
 * errors: -errno; -EISDIR for a directory, -ENXIO for what is no file. -EMFILE and
 *         -ENFILE are the caller's own shortage: close some and try again.
 * calls:  with dir_fd and name of an entry, before the next one is asked for
 */
int
open_regular(int dir_fd, const char *name, struct file_state *file);

/*
 * shape:  what a regular file is like, without opening it
 * errors: -errno; -ENXIO: it is none
 */
int
file_state_at(int dir_fd, const char *name, struct file_state *file);

/* Whether a file that is in one of these states is in the other still. */
bool
file_state_same(const struct file_state *a, const struct file_state *b);

/*
 * shape:  0: the file is unchanged since *before was recorded; -ESTALE: it has
 *         changed; -errno
 */
int
file_is_unchanged(int fd, const struct file_state *before);

#endif
