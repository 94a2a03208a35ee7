/* SPDX-License-Identifier: MIT */
/*
 * replace_file.h - a file that is there whole, or as it was before.
 *
 * Does: writes a new file (base/new_file.h) that takes the place of another
 *       when it is told to; what is not a regular file (/dev/stderr, a pipe)
 *       is written to as it comes.
 * Runs in: the supervisor.
 */
#ifndef BASE_REPLACE_FILE_H
#define BASE_REPLACE_FILE_H

#include "base/new_file.h"

/* Writes all to a descriptor: 0 or -errno. */
typedef int
replace_write_fn(void *context, int fd);

/* What is written and has not taken its place yet. */
struct replacement {
	struct new_file file; /* none: it was no regular file */
	mode_t mode;
};

#define REPLACEMENT_NONE ((struct replacement){ .file = NEW_FILE_NONE })

/*
 * shape:  writes what is to be at `path`
 * owner:  replace_commit() or replace_drop()
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
 * shape:  puts it there, with the usual mode, or that of the file that was
 * errors: -errno: no file, or the one that was there before
 */
int
replace_commit(struct replacement *replacement);

/* Takes the new file away if it has not got its name. */
void
replace_drop(struct replacement *replacement);

/* Both at once. */
int
replace_file(const char *path, replace_write_fn *write, void *context);

/*
 * The same where the file is all that a command makes: when it is there the
 * exit code is 0, also if a signal comes (base/signals.h).
 */
int
replace_file_at_last(const char *path, replace_write_fn *write, void *context);

/* Why no such file could be made now; 0: it could, as far as can be told. */
int
replace_check(const char *path);

#endif
