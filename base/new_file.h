/* SPDX-License-Identifier: MIT */
/*
 * new_file.h - a file that gets its name when it is complete.
 *
 * Does: creates an unnamed file in the directory of its target or, if the file
 *       system has none, a file under a hidden name. To replace a file, the new
 *       one is linked beside it and then renamed.
 * Does not: write the content.
 * Runs in: the one thread of the supervisor, or of any other command.
 * Invariants:
 * 1. The target is unchanged, or complete and new.
 * 2. A file under a hidden name is locked (flock(2)) by its maker, and removed
 *    if a signal ends the process (signals.h).
 * 3. The next process with the same target removes what a killed process left,
 *    and nothing else: a checksum in the name proves that bale made it, and
 *    nobody holds the lock.
 * Limits: without the right to read the directory nothing of others is removed.
 */
#ifndef BASE_NEW_FILE_H
#define BASE_NEW_FILE_H

#include <stdbool.h>
#include <sys/types.h>

#define NEW_FILE_NAME_BYTES 256

struct new_file {
	int fd;        /* to be written; -1: there is none */
	int dir_fd;    /* of the directory of the target; -1 */
	int listed;    /* number of the hidden name, see signals.h; -1 */
	bool is_ready; /* all but renamed */
	char target[NEW_FILE_NAME_BYTES]; /* its last part */
	char hidden
		[NEW_FILE_NAME_BYTES]; /* ".target.0123456789abcdef.tmp"; "" */
};

/* No file, for new_file_drop(). */
#define NEW_FILE_NONE \
	((struct new_file){ .fd = -1, .dir_fd = -1, .listed = -1 })

/*
 * shape:  begins a file, of mode 0600, that is to be called `path`; a link is
 *         written through, as by a shell's redirection, also one to a file
 *         that is not there yet
 * owner:  new_file_commit() or new_file_drop()
 * errors: -errno, nothing left behind; -ELOOP: links without end
 */
int
new_file_create(struct new_file *file, const char *path);

/*
 * The same for a name in an open directory, without removing leftovers of
 * others; the file takes over dir_fd, whatever is returned.
 */
int
new_file_create_at(struct new_file *file, int dir_fd, const char *name);

/* What a file is called, and the directory that it is in. */
struct new_file_place {
	dev_t dev;
	ino_t ino;
	char name[NEW_FILE_NAME_BYTES];
};

/*
 * shape:  the place where new_file_create() would put it: two paths to the same
 *         place are one file, even if it does not exist yet
 * errors: as new_file_create()
 */
int
new_file_find(const char *path, struct new_file_place *out);

/*
 * shape:  the target is to be in another directory of the same file system,
 *         by the name that it has; dir_fd is the file's from now on, whatever
 *         is returned
 * errors: -errno, the file is as it was
 */
int
new_file_move(struct new_file *file, int dir_fd);

/*
 * shape:  does all of new_file_commit() except the last step, a rename, so that
 *         several files get their names together; if a signal then ends the
 *         process, the file is removed
 * errors: -errno, for new_file_drop(); -EINTR: a signal waits
 * calls:  with the signals blocked until new_file_commit() or _drop()
 */
int
new_file_ready(struct new_file *file, mode_t mode);

/*
 * shape:  gives the file the name of its target, and `mode`; replaces: may take
 *         the place of another file. Closes it, whatever is returned.
 * errors: -errno, the target is unchanged; -EEXIST: there is one; -EINTR: a
 *         signal waits that the caller has blocked
 */
int
new_file_commit(struct new_file *file, mode_t mode, bool replaces);

/* Abandons the file and removes what there is of it. */
void
new_file_drop(struct new_file *file);

/* The default mode of a new file. */
mode_t
new_file_mode(void);

/*
 * shape:  removes what killed processes left beside a target; NULL: any target
 * owner:  dir_fd stays the caller's
 * calls:  new_file_create(), and callers of new_file_create_at()
 */
void
new_file_sweep(int dir_fd, const char *name);

/*
 * The same for any target, unless the last call was for this directory. Files
 * that this process, or a child of it, creates there look for no leftovers: a
 * look at all names for each of many files takes time by its square.
 */
void
new_file_sweep_once(int dir_fd);

/* ---- files without a name, for data that may exceed memory --------------- */

/*
 * shape:  a file in `dir` that will never have a name, to be read and written
 * owner:  a descriptor for close(2)
 * errors: -errno
 */
int
new_file_nameless(const char *dir);

#define TEMP_FILE_DIRS 2

/* $TMPDIR or, if that is not set, /tmp and /var/tmp; how many. */
size_t
temp_file_dirs(const char *out[static TEMP_FILE_DIRS]);

/*
 * shape:  a descriptor to read and write, of a file in the first of these
 *         directories that is on a disk
 * owner:  the caller; close(2)
 * errors: -errno of the first directory
 */
int
temp_file_open(void);

/*
 * shape:  the next calls of temp_file_open() take these empty files, which are
 *         of it as well: to make one takes ten times as long
 * owner:  the array stays the caller's, and must stay; each descriptor is whose
 *         call takes it
 * calls:  a process that was forked by one that makes them
 */
void
temp_file_lend(const int *fds, size_t nr);

/* Whether its blocks are memory: of tmpfs or ramfs. */
bool
temp_file_is_in_memory(int fd);

#endif
