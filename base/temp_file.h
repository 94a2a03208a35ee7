/* SPDX-License-Identifier: MIT */
/*
 * temp_file.h - files for data that may exceed memory.
 *
 * Does: creates unnamed files in $TMPDIR or, if that is not set, on the first
 *       of /tmp and /var/tmp that is a disk; says whether a file is in memory
 *       all the same.
 * Runs in: the supervisor, before the first fork.
 */
#ifndef BASE_TEMP_FILE_H
#define BASE_TEMP_FILE_H

#include <stdbool.h>
#include <stddef.h>

#define TEMP_FILE_DIRS 2

/* The directories that temp_file_open() may use, in their order; how many. */
size_t
temp_file_dirs(const char *out[static TEMP_FILE_DIRS]);

/*
 * shape:  a descriptor to read and write
 * owner:  the caller; close(2)
 * errors: -errno of the first directory
 */
int
temp_file_open(void);

/* Whether its blocks are memory: of tmpfs or ramfs. */
bool
temp_file_is_in_memory(int fd);

#endif
