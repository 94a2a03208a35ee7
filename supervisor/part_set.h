/* SPDX-License-Identifier: MIT */
/*
 * part_set.h - the files of an output in parts: all new ones, or the old ones.
 *
 * Does: writes the parts in a hidden directory beside their place, with a lock;
 *       moves them into place, the manifest last; undoes that if it cannot be
 *       finished, and what a killed process did not finish.
 * Does not: write content.
 * Runs in: the supervisor.
 *
 *     .NAME.md.parts.tmp/lock             flock(2) by the process at work
 *                       /NAME-001.md ...  new, written here
 *                       /manifest         new, written last
 *                       /old/...          the replaced files; here only while
 *                                         they are replaced
 *
 * Invariants:
 * 1. One process at a time has the directory; others wait for it. So the last
 *    one of several wins, with all its parts.
 * 2. The manifest exists only while all parts that it names do.
 * 3. With `old`, a `manifest` in the directory says that not everything is in
 *    place: it is undone. Without one everything is: `old` is removed.
 * 4. Only files made here are removed: names are those of parts, the directory
 *    is the user's own and nobody holds its lock.
 */
#ifndef SUPERVISOR_PART_SET_H
#define SUPERVISOR_PART_SET_H

#include "base/new_file.h"
#include "supervisor/manifest.h"

struct part_set {
	int dir_fd;   /* where the parts go; -1: none is open */
	int stage_fd; /* the hidden directory */
	int lock_fd;
	int listed;            /* see base/signals.h */
	const char *path;      /* of NAME.md; the caller's */
	const char *name;      /* NAME.md, in it */
	char *stage;           /* name of the hidden directory */
	char *manifest;        /* name of the manifest */
	struct manifest parts; /* what it says */
	bool are_placed;       /* and the manifest is not */
	char **stale;          /* old parts that are not in the new set */
	size_t stale_nr;
};

#define PART_SET_NONE       \
	((struct part_set){ \
		.dir_fd = -1, .stage_fd = -1, .lock_fd = -1, .listed = -1 })

/*
 * shape:  begins `nr` parts of `path`: an empty hidden directory, locked.
 *         Waits for others that have it.
 * owner:  part_set_close(), whatever is returned; `path` stays the caller's
 *         and lives as long
 * errors: -errno; -EEXIST: something else has the name of the directory
 */
int
part_set_open(struct part_set *set, const char *path, uint64_t nr);

/*
 * shape:  a new file for a part, from 1, with the mode of the one that it takes
 *         the place of: a descriptor
 * errors: -errno; -EISDIR, -EINVAL: something else has that name
 */
int
part_set_create(struct part_set *set, uint64_t number);

/*
 * shape:  all parts are written, and set->parts says what they are: the
 *         manifest is, and it is found out which parts of the set before go
 *         with it
 * errors: -errno
 */
int
part_set_end(struct part_set *set, const char *encoding);

/*
 * shape:  puts all parts in place that the manifest names, and takes away what
 *         the manifest before names besides; the manifest is not there yet
 * errors: -errno, all is as it was; *failed: the path that it is about, free(3).
 *         -EINTR: a signal waits
 * calls:  once, after part_set_end(), with the signals blocked until
 *         part_set_commit() or part_set_withdraw()
 */
int
part_set_place(struct part_set *set, char **failed);

/* Moves the manifest into place. errors: -errno, everything is unchanged */
int
part_set_commit(struct part_set *set);

/* All is as it was, unless there is a manifest. */
void
part_set_withdraw(struct part_set *set);

/* Removes what is not in place. */
void
part_set_close(struct part_set *set);

/* Removes, or undoes, what a killed process left beside `path`. */
void
part_set_sweep(const char *path);

/*
 * shape:  each file beside `path` with the name of a part or of the manifest
 * errors: -errno of the directory, or what `fn` returned
 */
typedef int
part_set_fn(void *context, int dir_fd, const char *file);

/* Calls fn for each of them. */
int
part_set_each(const char *path, part_set_fn *fn, void *context);

#endif
