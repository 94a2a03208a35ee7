/* SPDX-License-Identifier: MIT */
/*
 * store.h - a small file that several processes change in turn.
 *
 * Does: locks the file, reads it, replaces it atomically, keeps its mode.
 * Does not: know its content.
 * Runs in: any process.
 * Invariants:
 *   1. The lock is always on the file that has the name now: a replaced file is
 *      noticed and the lock taken again. So no lock file is needed, and none is
 *      left.
 *   2. At any moment the name belongs to a complete file: the old or the new.
 *   3. A file that was made to be locked and then not written is removed, even
 *      if a signal ends the process.
 * Limits: flock(2), so the processes are on one machine.
 */
#ifndef WINDOW_STORE_H
#define WINDOW_STORE_H

#include "window/window.h"

#define STORE_MIB_MAX 256
#define STORE_BYTES_MAX ((size_t)STORE_MIB_MAX << 20)
#define STORE_WAIT_DEFAULT_MS 120000

struct store {
	int fd;              /* with the lock; -1: none */
	char *path;          /* links resolved */
	uint64_t made_inode; /* of the file that was made here; 0: none */
	int dir_fd; /* of that file, while it goes if a signal comes; -1 */
	int listed; /* the same, see base/signals.h; -1 */
};

/* No file, for store_close(). */
#define STORE_NONE ((struct store){ .fd = -1, .dir_fd = -1, .listed = -1 })

/*
 * shape:  opens and locks; a file that is not there is made with `initial`
 *         in it, or is -ENOENT if that is NULL
 * units:  wait_ms: for others to end, at most
 * owner:  store_close()
 * errors: -errno with a sentence; -ETIMEDOUT: others kept the lock
 */
int
store_open(struct store *store, const char *path, const char *initial,
	   uint64_t wait_ms, struct window_error *error);

/*
 * shape:  all of it
 * owner:  *text: free(); a NUL behind the end
 * errors: -errno with a sentence; -EFBIG over STORE_BYTES_MAX
 */
int
store_read(struct store *store, char **text, size_t *bytes,
	   struct window_error *error);

/*
 * shape:  puts a new file in its place, on disk before it has the name
 * errors: -errno with a sentence; the file is as it was
 */
int
store_replace(struct store *store, const char *text, size_t bytes,
	      struct window_error *error);

/* Closes the store, and lets others have it. */
void
store_close(struct store *store);

/* ---- what a confined process may not do, done by another one -------------- */

#endif
