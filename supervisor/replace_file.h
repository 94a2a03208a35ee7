/* SPDX-License-Identifier: MIT */
/*
 * replace_file.h - a file that is there whole, or as it was before.
 *
 * Does: writes beside the target and takes its place by rename(2); what is
 *       not a regular file (/dev/stderr, a pipe) is written to as it comes.
 * Runs in: the supervisor.
 */
#ifndef SUPERVISOR_REPLACE_FILE_H
#define SUPERVISOR_REPLACE_FILE_H

/* Writes all to a descriptor: 0 or -errno. */
typedef int
replace_write_fn(void *context, int fd);

/*
 * shape:  a new file at `path` with what `write` writes and the usual mode
 * errors: -errno: no file, or the one that was there before
 */
int
replace_file(const char *path, replace_write_fn *write, void *context);

#endif
