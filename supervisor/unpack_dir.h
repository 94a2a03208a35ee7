/* SPDX-License-Identifier: MIT */
/*
 * unpack_dir.h - files below one directory, by names that nobody can trust.
 *
 * Invariants:
 * 1. Nothing outside of the directory is touched: a name is opened part by
 *    part by openat2(2), below the directory, through no symbolic link.
 * 2. A file appears under its name whole or not at all.
 */
#ifndef SUPERVISOR_UNPACK_DIR_H
#define SUPERVISOR_UNPACK_DIR_H

#include "shm/base.h"

#define UNPACK_TEMP_BYTES 40

/* A new file that has no name yet. */
struct unpack_file {
	int dir_fd; /* -1: none is open */
	int fd;
	char temp[UNPACK_TEMP_BYTES];
	char *name; /* its last part */
};

/*
 * shape:  why a path cannot be unpacked: "is absolute", "leads out with ..";
 *         NULL: it can
 */
const char *
unpack_path_wrong(const uint8_t *path, size_t nr);

/*
 * shape:  opens a directory to unpack into; made if it is not there
 * owner:  a descriptor for close(2)
 * errors: -errno
 */
int
unpack_dir_open(const char *path);

/*
 * shape:  begins a file; the directories above it are made
 * owner:  unpack_file_commit() or unpack_file_drop()
 * errors: -errno; -ELOOP: a symbolic link stands in the way
 */
int
unpack_file_create(int dir_fd, const char *path, struct unpack_file *file);

int
unpack_file_write(const struct unpack_file *file, const uint8_t *bytes,
		  size_t nr);

/*
 * shape:  gives it its name; replaces: takes the place of another file
 * errors: -EEXIST and others; it is dropped then
 */
int
unpack_file_commit(struct unpack_file *file, bool replaces);

void
unpack_file_drop(struct unpack_file *file);

/* Opens a file that is there, to be read: a descriptor or -errno. */
int
unpack_file_open(int dir_fd, const char *path);

#endif
