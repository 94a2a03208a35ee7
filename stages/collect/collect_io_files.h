/* SPDX-License-Identifier: MIT */
/*
 * collect_io_files.h - a list of files instead of a walk (--files-from).
 *
 * Does: sorts the list into canonical order, once each, and opens their
 *       directories one after the other.
 * Does not: apply ignore rules: a listed file is wanted.
 * Runs in: the collector, below collect_io_walk.c.
 * Limits: the list is held in memory.
 */
#ifndef COLLECT_COLLECT_IO_FILES_H
#define COLLECT_COLLECT_IO_FILES_H

#include "stages/collect/collect.h"

struct files {
	struct files_path {
		const char *text; /* NUL at the end */
		size_t bytes;
	} * paths; /* sorted */
	char *text;
	size_t nr;
	size_t pos;       /* the next */
	size_t dir_bytes; /* of the path that dir_fd is open for */
	size_t dir_of;    /* the path it was opened for */
	int dir_fd;       /* -1: none; may be the root's */
};

/*
 * shape:  the list, from paths below the root, or whole paths that begin with
 *         its own, as it was typed or without symbolic links
 * units:  *bad: which one cannot be below it: "/x", "../x", "x/", ""
 * owner:  files_free(); paths are copied
 * errors: -ENOMEM; -EINVAL and *bad
 */
int
files_init(struct files *files, const char *root, const char *const *paths,
	   uint32_t nr, uint32_t *bad);

/* Frees the paths, and closes what was opened below root_fd. */
void
files_free(struct files *files, int root_fd);

/*
 * shape:  the directory of the next file, for its last component
 * errors: -errno; the next file is then the same
 */
int
files_open_dir(struct files *files, int root_fd, int *dir_fd);

/* Moves to the first file after this path. */
void
files_seek(struct files *files, const char *path, size_t bytes);

#endif
