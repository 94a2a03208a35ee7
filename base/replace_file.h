/* SPDX-License-Identifier: MIT */
/*
 * replace_file.h - replaces a file atomically.
 *
 * Does: writes a new file (base/new_file.h) and puts it in the place of another
 *       on request; writes directly to what is not a regular file (/dev/stderr,
 *       a pipe).
 * Runs in: the supervisor.
 */
#ifndef BASE_REPLACE_FILE_H
#define BASE_REPLACE_FILE_H

#include "base/new_file.h"

/* Writes all to a descriptor: 0 or -errno. */
typedef int
replace_write_fn(void *context, int fd);

/* A new file that is not in its place yet. */
struct replacement {
	struct new_file file; /* none: the target is not a regular file */
	mode_t mode;
};

#define REPLACEMENT_NONE ((struct replacement){ .file = NEW_FILE_NONE })

/*
 * shape:  writes the new content of `path`
 * owner:  replace_commit(), or new_file_drop() of its file
 * errors: -errno, nothing is left
 */
int
replace_prepare(struct replacement *replacement, const char *path,
		replace_write_fn *write, void *context);

/*
 * shape:  all but the last step of replace_commit(), as new_file_ready()
 * errors: -errno; -EINTR: a signal waits
 */
int
replace_ready(struct replacement *replacement);

/*
 * shape:  puts it in its place, with the default mode or the old file's; a
 *         file that has the same content stays, with its time
 * errors: -errno: the old file, or none, is there
 */
int
replace_commit(struct replacement *replacement);

/* Prepares and commits. */
int
replace_file(const char *path, replace_write_fn *write, void *context);

/*
 * The same for a file that is the only result of a command: once it is in
 * place the exit code is 0, even if a signal comes (base/signals.h).
 */
int
replace_file_at_last(const char *path, replace_write_fn *write, void *context);

/* Whether two open files have the same bytes; false if it cannot be known. */
bool
replace_is_same(int one, int other);

/* Why it could not be written now (-errno); 0: it could, as far as known. */
int
replace_check(const char *path);

#endif
