/* SPDX-License-Identifier: MIT */
/*
 * part_set.c - a hidden directory, and renames from it and into it.
 */
#include "supervisor/part_set.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/fault.h"
#include "base/fd_io.h"
#include "base/open_below.h"
#include "base/replace_file.h"
#include "base/signals.h"

#define LOCK SIGNALS_LOCK
#define OLD "old"
#define MANIFEST "manifest"
#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

static bool
is_there(int dir_fd, const char *file)
{
	return faccessat(dir_fd, file, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static int
move(int from_fd, const char *from, int to_fd, const char *to)
{
	return renameat(from_fd, from, to_fd, to) == 0 ? 0 : -errno;
}

/* ---- directories --------------------------------------------------------- */

/* The directory of a path, and its last part. */
static int
open_dir(const char *path, const char **name)
{
	int fd = open_parent(path, O_RDONLY, name);

	return fd == -EACCES ? open_parent(path, O_PATH, name) : fd;
}

/* Each entry of a directory but . and .., whose descriptor is the caller's. */
static int
each_entry(int dir_fd, const char *path, part_set_fn *fn, void *context)
{
	int fd = openat(dir_fd, path, DIR_FLAGS);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;
	int error = 0;

	if (dir == NULL) {
		error = -errno;
		fd_close(fd);
		return error;
	}
	while (error == 0 && (entry = readdir(dir)) != NULL)
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			error = fn(context, fd, entry->d_name);
	closedir(dir);
	return error;
}

struct each_ctx {
	const char *name;
	const char *manifest;
	part_set_fn *fn;
	void *context;
};

static int
take_entry(void *context, int dir_fd, const char *file)
{
	const struct each_ctx *each = context;

	if (!manifest_is_part_name(each->name, file) &&
	    strcmp(each->manifest, file) != 0)
		return 0;
	return each->fn(each->context, dir_fd, file);
}

int
part_set_each(const char *path, part_set_fn *fn, void *context)
{
	struct each_ctx each = { .fn = fn, .context = context };
	int dir_fd = open_dir(path, &each.name);
	char *manifest;
	int error = -ENOMEM;

	if (dir_fd < 0)
		return dir_fd;
	manifest = manifest_name(each.name);
	each.manifest = manifest;
	if (manifest != NULL)
		error = each_entry(dir_fd, ".", take_entry, &each);
	free(manifest);
	close(dir_fd);
	return error;
}

/* ---- what a killed process left ------------------------------------------ */

/* Whether an entry of the hidden directory, or of `old`, was made here. */
static bool
is_own(const struct part_set *set, const char *file)
{
	return manifest_is_part_name(set->name, file) ||
	       strcmp(file, MANIFEST) == 0 || strcmp(file, set->manifest) == 0;
}

static int
remove_own(void *context, int dir_fd, const char *file)
{
	if (is_own(context, file))
		unlinkat(dir_fd, file, 0);
	return 0;
}

/* What the parts took the place of. */
static void
remove_old(struct part_set *set)
{
	each_entry(set->stage_fd, OLD, remove_own, set);
	unlinkat(set->stage_fd, OLD, AT_REMOVEDIR);
}

/* What has come into its place meanwhile stays. */
static int
restore_old(void *context, int old_fd, const char *file)
{
	const struct part_set *set = context;

	if (!is_own(set, file) || strcmp(file, set->manifest) == 0)
		return 0;
	if (is_there(set->dir_fd, file))
		unlinkat(old_fd, file, 0);
	else
		move(old_fd, file, set->dir_fd, file);
	return 0;
}

/*
 * What was put in place goes back, and what was there before it, its manifest
 * last. A user may have written other files in between: then, `checks` says,
 * only what has the bytes of the part goes. It can be done again at any time:
 * what is back in the hidden directory is not looked for in its place.
 */
static void
undo(struct part_set *set, const struct manifest *manifest, bool checks)
{
	int old_fd = openat(set->stage_fd, OLD, DIR_FLAGS);

	if (old_fd < 0)
		return;
	for (uint64_t i = 0; i < manifest->nr; i++) {
		char *file = manifest_part_name(set->name, i + 1, manifest->nr);

		if (file != NULL && !is_there(set->stage_fd, file) &&
		    (!checks ||
		     manifest_matches(&manifest->parts[i], set->dir_fd, file)))
			move(set->dir_fd, file, set->stage_fd, file);
		free(file);
		FAULT("part_moved_back");
	}
	each_entry(set->stage_fd, OLD, restore_old, set);
	FAULT("parts_restored");
	move(old_fd, set->manifest, set->dir_fd, set->manifest);
	close(old_fd);
	unlinkat(set->stage_fd, OLD, AT_REMOVEDIR);
}

/* Ends or undoes what was not ended; then there is nothing but the lock. */
static void
recover(struct part_set *set)
{
	struct manifest manifest;

	if (is_there(set->stage_fd, OLD)) {
		int error = manifest_read(&manifest, set->stage_fd, MANIFEST);

		if (error == 0)
			undo(set, &manifest, true);
		else if (error == -ENOENT)
			remove_old(set);
		manifest_fini(&manifest);
	}
	/* if it is there still, what is in it may be all that there is */
	if (!is_there(set->stage_fd, OLD))
		each_entry(set->stage_fd, ".", remove_own, set);
}

/* ---- the hidden directory ------------------------------------------------ */

/* Whether a name in a directory stands for that open file. */
static bool
is_same(int dir_fd, const char *name, int fd)
{
	struct stat named;
	struct stat open_one;

	return fstatat(dir_fd, name, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
	       fstat(fd, &open_one) == 0 && named.st_ino == open_one.st_ino &&
	       named.st_dev == open_one.st_dev;
}

/* Opens the hidden directory, which has to be ours; -EAGAIN: as below. */
static int
open_stage(struct part_set *set, bool creates)
{
	struct stat st;

	if (creates && mkdirat(set->dir_fd, set->stage, 0700) != 0 &&
	    errno != EEXIST)
		return -errno;
	set->stage_fd = openat(set->dir_fd, set->stage, DIR_FLAGS);
	if (set->stage_fd < 0 && (errno == ENOTDIR || errno == ELOOP))
		return -EEXIST;
	if (set->stage_fd < 0)
		return errno == ENOENT && creates ? -EAGAIN : -errno;
	if (fstat(set->stage_fd, &st) != 0)
		return -errno;
	return st.st_uid == geteuid() ? 0 : -EEXIST;
}

/*
 * 0: it is locked by us; -EBUSY: by others, and lock_fd is open; -EAGAIN: it
 * has just gone
 */
static int
try_lock(struct part_set *set, bool creates)
{
	int flags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | (creates ? O_CREAT : 0);
	int error = open_stage(set, creates);

	if (error != 0)
		return error;
	set->lock_fd = openat(set->stage_fd, LOCK, flags, 0600);
	if (set->lock_fd < 0)
		return errno == ENOENT && creates ? -EAGAIN : -errno;
	if (flock(set->lock_fd, LOCK_EX | LOCK_NB) != 0)
		return errno == EWOULDBLOCK ? -EBUSY : -errno;
	return is_same(set->dir_fd, set->stage, set->stage_fd) &&
			       is_same(set->stage_fd, LOCK, set->lock_fd)
		       ? 0
		       : -EAGAIN;
}

/*
 * Whoever comes next finds nothing, or has made a lock of its own already. It
 * is closed first, as what is open keeps a name in NFS and in FUSE, and so the
 * directory.
 */
static void
unlock(struct part_set *set)
{
	unlinkat(set->stage_fd, LOCK, 0);
	fd_drop(&set->lock_fd);
	unlinkat(set->dir_fd, set->stage, AT_REMOVEDIR);
}

/* A name for a signal to take away, once nothing of others is in it. */
static void
list(struct part_set *set)
{
	if (set->listed < 0 && !is_there(set->stage_fd, OLD))
		set->listed = signals_list(set->dir_fd, set->stage, true);
}

static void
unlist(struct part_set *set)
{
	if (set->listed >= 0)
		signals_unlist(set->listed);
	set->listed = -1;
}

static int
lock(struct part_set *set)
{
	bool is_reported = false;

	for (;;) {
		sigset_t before;
		int error;

		signals_block(&before);
		error = try_lock(set, true);
		if (error == 0)
			list(set);
		signals_restore(&before);
		if (error == -EBUSY && !is_reported)
			diag_log(DIAG_INFO, "waiting for another run that "
					    "writes the same parts");
		is_reported |= error == -EBUSY;
		if (error == -EBUSY && flock(set->lock_fd, LOCK_EX) == 0)
			error = -EAGAIN;
		if (error != -EAGAIN)
			return error;
		/* it is gone, now that whoever had it has ended */
		fd_drop(&set->lock_fd);
		fd_drop(&set->stage_fd);
	}
}

static int
open_names(struct part_set *set, const char *path)
{
	*set = PART_SET_NONE;
	set->path = path;
	set->dir_fd = open_dir(path, &set->name);
	if (set->dir_fd < 0)
		return set->dir_fd;
	set->manifest = manifest_name(set->name);
	if (set->manifest == NULL ||
	    asprintf(&set->stage, ".%s.parts.tmp", set->name) < 0) {
		set->stage = NULL;
		return -ENOMEM;
	}
	return 0;
}

static void
close_names(struct part_set *set)
{
	fd_drop(&set->lock_fd);
	fd_drop(&set->stage_fd);
	fd_drop(&set->dir_fd);
	for (size_t i = 0; i < set->stale_nr; i++)
		free(set->stale[i]);
	free(set->stale);
	manifest_fini(&set->parts);
	free(set->manifest);
	free(set->stage);
	*set = PART_SET_NONE;
}

int
part_set_open(struct part_set *set, const char *path, uint64_t nr)
{
	sigset_t before;
	int error = open_names(set, path);

	if (error == 0)
		error = manifest_init(&set->parts, nr);
	if (error == 0)
		error = lock(set);
	if (error != 0) {
		close_names(set);
		return error;
	}
	recover(set);
	if (is_there(set->stage_fd, OLD)) {
		close_names(set);
		return -EEXIST;
	}
	signals_block(&before);
	list(set);
	signals_restore(&before);
	FAULT("parts_opened");
	return 0;
}

void
part_set_close(struct part_set *set)
{
	sigset_t before;

	if (set->dir_fd < 0)
		return;
	signals_block(&before);
	recover(set);
	unlock(set);
	unlist(set);
	close_names(set);
	signals_restore(&before);
}

void
part_set_sweep(const char *path)
{
	struct part_set set;
	int error = open_names(&set, path);

	if (error == 0)
		error = try_lock(&set, false);
	if (error == 0) {
		diag_log(DIAG_INFO, "an earlier run was killed while it wrote "
				    "its parts; what it left is removed");
		recover(&set);
		unlock(&set);
	} else if (error == -ENOENT && set.stage_fd >= 0) {
		/* killed before it made the lock */
		unlinkat(set.dir_fd, set.stage, AT_REMOVEDIR);
	}
	close_names(&set);
}

/* ---- parts --------------------------------------------------------------- */

static int
create(struct part_set *set, const char *file, mode_t mode)
{
	int fd = openat(set->stage_fd, file,
			O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
	int error;

	if (fd < 0 || fchmod(fd, mode) == 0)
		return fd < 0 ? -errno : fd;
	error = errno;
	close(fd);
	return -error;
}

/* In the hidden directory it has no directory in front; NULL: no memory. */
static char *
name_of(const struct part_set *set, uint64_t number)
{
	return manifest_part_name(set->name, number, set->parts.nr);
}

int
part_set_create(struct part_set *set, uint64_t number)
{
	char *file = name_of(set, number);
	mode_t mode = new_file_mode();
	struct stat st;
	int fd = -EINVAL;

	if (file == NULL)
		return -ENOMEM;
	if (fstatat(set->dir_fd, file, &st, 0) != 0)
		fd = create(set, file, mode);
	else if (S_ISREG(st.st_mode))
		fd = create(set, file, st.st_mode & 07777);
	else if (S_ISDIR(st.st_mode))
		fd = -EISDIR;
	free(file);
	return fd;
}

/* A part of the set before that is no part of this one. */
static int
add_stale(struct part_set *set, char *file)
{
	char **more = reallocarray(set->stale, set->stale_nr + 1,
				   sizeof(*set->stale));

	if (more == NULL)
		return -ENOMEM;
	set->stale = more;
	set->stale[set->stale_nr++] = file;
	return 0;
}

/*
 * What the manifest before names and this one does not, for there are fewer
 * parts, or more and so of more digits; as long as it is what that one says.
 */
static int
find_stale(struct part_set *set)
{
	struct manifest before;
	int error = manifest_read(&before, set->dir_fd, set->manifest);

	for (uint64_t i = 0; error == 0 && i < before.nr; i++) {
		char *file = manifest_part_name(set->name, i + 1, before.nr);
		char *same = name_of(set, i + 1);
		bool is_stale = false;

		if (file == NULL || same == NULL)
			error = -ENOMEM;
		else if (i >= set->parts.nr || strcmp(file, same) != 0)
			is_stale = manifest_matches(&before.parts[i],
						    set->dir_fd, file);
		if (is_stale)
			error = add_stale(set, file);
		if (!is_stale || error != 0)
			free(file);
		free(same);
	}
	manifest_fini(&before);
	/* none, or a file that only has the name of one */
	return error == -ENOMEM ? error : 0;
}

int
part_set_end(struct part_set *set, const char *encoding)
{
	int fd = create(set, MANIFEST, new_file_mode());
	int error;

	if (fd < 0)
		return fd;
	error = manifest_write(&set->parts, set->name, encoding, fd);
	if (close(fd) != 0 && error == 0)
		error = -errno;
	FAULT("manifest_written");
	return error == 0 ? find_stale(set) : error;
}

/* What takes the place of the same bytes keeps their time, so that what is made
 * of it need not be made again. */
static void
keep_time(const struct part_set *set, const char *staged, const char *placed)
{
	struct stat st;
	int new_fd = openat(set->stage_fd, staged,
			    O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	int old_fd = openat(set->dir_fd, placed,
			    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
				    O_CLOEXEC);

	if (new_fd >= 0 && old_fd >= 0 && replace_is_same(new_fd, old_fd) &&
	    fstat(old_fd, &st) == 0)
		futimens(new_fd, (struct timespec[]){ { .tv_nsec = UTIME_OMIT },
						      st.st_mtim });
	fd_drop(&new_fd);
	fd_drop(&old_fd);
}

/* One of the files that are to go, if it is there. */
static int
put_aside(const struct part_set *set, int old_fd, const char *file)
{
	struct stat st;

	if (signals_is_pending())
		return -EINTR;
	if (fstatat(set->dir_fd, file, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? 0 : -errno;
	if (S_ISDIR(st.st_mode))
		return -EISDIR;
	return move(set->dir_fd, file, old_fd, file);
}

/* First the manifest, so that it names nothing that is not there. */
static int
put_stale_aside(const struct part_set *set, int old_fd)
{
	int error = put_aside(set, old_fd, set->manifest);

	for (size_t i = 0; i < set->stale_nr && error == 0; i++)
		error = put_aside(set, old_fd, set->stale[i]);
	return error;
}

static int
put_part_aside(const struct part_set *set, int old_fd, const char *file)
{
	keep_time(set, file, file);
	return put_aside(set, old_fd, file);
}

/* All go before the first one comes: no set is of two runs. */
static int
put_in_place(struct part_set *set, int old_fd, uint64_t *failed)
{
	uint64_t nr = set->parts.nr;
	int error = 0;

	for (uint64_t i = 0; i < 2 * nr && error == 0; i++) {
		uint64_t number = i % nr + 1;
		char *file = name_of(set, number);

		if (file == NULL)
			error = -ENOMEM;
		else if (i < nr)
			error = put_part_aside(set, old_fd, file);
		else if (signals_is_pending())
			error = -EINTR;
		else
			error = move(set->stage_fd, file, set->dir_fd, file);
		if (error != 0)
			*failed = number;
		free(file);
		FAULT("part_moved");
	}
	return error;
}

int
part_set_place(struct part_set *set, char **failed)
{
	uint64_t number = 0;
	int old_fd = -1;
	int error = 0;

	keep_time(set, MANIFEST, set->manifest);
	/* a signal must not take away what is put aside */
	unlist(set);
	if (mkdirat(set->stage_fd, OLD, 0700) == 0)
		old_fd = openat(set->stage_fd, OLD, DIR_FLAGS);
	if (old_fd < 0)
		error = -errno;
	set->are_placed = error == 0;
	if (error == 0)
		error = put_stale_aside(set, old_fd);
	if (error == 0)
		error = put_in_place(set, old_fd, &number);
	fd_drop(&old_fd);
	FAULT("parts_moved");
	if (error == 0 && signals_is_pending())
		error = -EINTR;
	*failed = error == 0    ? NULL
		  : number == 0 ? strdup(set->path)
				: manifest_part_name(set->path, number,
						     set->parts.nr);
	if (error != 0)
		part_set_withdraw(set);
	return error;
}

int
part_set_commit(struct part_set *set)
{
	int error = move(set->stage_fd, MANIFEST, set->dir_fd, set->manifest);

	FAULT("manifest_moved");
	if (error == 0) {
		set->are_placed = false;
		remove_old(set);
		list(set);
	} else {
		part_set_withdraw(set);
	}
	return error;
}

void
part_set_withdraw(struct part_set *set)
{
	if (!set->are_placed)
		return;
	set->are_placed = false;
	undo(set, &set->parts, false);
	list(set);
}
