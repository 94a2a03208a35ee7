/* SPDX-License-Identifier: MIT */
/*
 * collect_io_open.h - what the files of this folder open with.
 *
 * Does: directories and files below a directory that is open already.
 * Runs in: the collector, below collect_io.h.
 */
#ifndef COLLECT_COLLECT_IO_OPEN_H
#define COLLECT_COLLECT_IO_OPEN_H

#include "stages/collect/collect_io.h"

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

/* The same for a regular file; errors as collect_file_open(). */
int
open_file_deep(int root_fd, const char *path, size_t bytes,
	       struct collect_file *file);

#endif
