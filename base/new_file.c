/* SPDX-License-Identifier: MIT */
/*
 * new_file.c - O_TMPFILE, linkat(2) and renameat(2).
 */
#include "base/new_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/base.h"
#include "base/fault.h"
#include "base/fd_io.h"
#include "base/hash.h"
#include "base/signals.h"
#include "base/unique.h"

#define NAME_TRIES 16
#define LINKS_MAX 40     /* as many as the kernel follows */
#define TARGET_BYTES 200 /* of a target's name in a hidden one */
#define SUFFIX ".tmp"
#define RANDOM_DIGITS 8
/* all but the target: two dots, digits, as many of a checksum, the suffix */
#define FRAME_BYTES (2 + 2 * RANDOM_DIGITS + sizeof(SUFFIX) - 1)
#define SELF_BYTES 40

/* ---- names --------------------------------------------------------------- */

static uint32_t
checksum(const char *target, size_t bytes, uint32_t random)
{
	uint64_t hash = hash64(HASH64_BEGIN ^ random, target, bytes);

	return (uint32_t)(hash ^ hash >> 32);
}

static void
hidden_name(char out[static NEW_FILE_NAME_BYTES], const char *target,
	    uint32_t random)
{
	size_t bytes = strnlen(target, TARGET_BYTES);

	snprintf(out, NEW_FILE_NAME_BYTES, ".%.*s.%08x%08x" SUFFIX, (int)bytes,
		 target, random, checksum(target, bytes, random));
}

/* Whether that is the hidden name of a file for that target; NULL: for any. */
static bool
is_hidden_name(const char *name, const char *target)
{
	size_t nr = strlen(name);
	size_t bytes; /* of the target's name in it */
	unsigned random;
	char want[NEW_FILE_NAME_BYTES];
	char own[TARGET_BYTES + 1] = "";
	char digits[RANDOM_DIGITS + 1];

	if (nr < FRAME_BYTES || nr > FRAME_BYTES + TARGET_BYTES ||
	    name[0] != '.' || strcmp(name + nr - strlen(SUFFIX), SUFFIX) != 0)
		return false;
	bytes = nr - FRAME_BYTES;
	if (target != NULL && (bytes != strnlen(target, TARGET_BYTES) ||
			       memcmp(name + 1, target, bytes) != 0))
		return false;
	memcpy(digits, name + 1 + bytes + 1, RANDOM_DIGITS);
	digits[RANDOM_DIGITS] = '\0';
	if (strspn(digits, "0123456789abcdef") != RANDOM_DIGITS ||
	    sscanf(digits, "%x", &random) != 1)
		return false;
	/* made again, the name has the same checksum */
	memcpy(own, name + 1, bytes);
	hidden_name(want, own, random);
	return strcmp(name, want) == 0;
}

/* ---- what others left ---------------------------------------------------- */

static void
remove_abandoned(int dir_fd, const char *name)
{
	struct stat st;
	const int flags = O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY;
	int fd = openat(dir_fd, name, O_RDWR | flags);

	/* it may have got the mode of its target already */
	if (fd < 0)
		fd = openat(dir_fd, name, O_RDONLY | flags);
	if (fd < 0)
		return;
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_uid == geteuid() && st.st_nlink == 1 &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0)
		unlinkat(dir_fd, name, 0);
	close(fd);
}

void
new_file_sweep(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (dir == NULL) {
		fd_close(fd);
		return;
	}
	while ((entry = readdir(dir)) != NULL)
		if (is_hidden_name(entry->d_name, name))
			remove_abandoned(dir_fd, entry->d_name);
	closedir(dir);
}

/* The directory that was swept of leftovers of any target. */
static struct {
	dev_t dev;
	ino_t ino;
} swept;

static bool
is_swept(int dir_fd)
{
	struct stat st;

	return fstat(dir_fd, &st) == 0 && st.st_dev == swept.dev &&
	       st.st_ino == swept.ino;
}

void
new_file_sweep_once(int dir_fd)
{
	struct stat st;

	if (fstat(dir_fd, &st) != 0 || is_swept(dir_fd))
		return;
	swept.dev = st.st_dev;
	swept.ino = st.st_ino;
	new_file_sweep(dir_fd, NULL);
}

/* ---- making -------------------------------------------------------------- */

/*
 * Under a hidden name, locked, that goes if a signal comes. Who looks for
 * abandoned files may see it before it is locked: then it is gone.
 */
static int
open_hidden(struct new_file *file)
{
	int error = -EEXIST;

	for (int i = 0; i < NAME_TRIES; i++) {
		struct stat st;

		hidden_name(file->hidden, file->target, (uint32_t)unique_u64());
		file->fd = openat(file->dir_fd, file->hidden,
				  O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
		error = file->fd < 0 ? -errno : 0;
		if (error == -EEXIST)
			continue;
		if (error != 0)
			break;
		if (flock(file->fd, LOCK_EX | LOCK_NB) == 0 ||
		    errno != EWOULDBLOCK)
			if (fstat(file->fd, &st) == 0 && st.st_nlink > 0)
				return 0;
		unlinkat(file->dir_fd, file->hidden, 0);
		close(file->fd);
		file->fd = -1;
	}
	file->hidden[0] = '\0';
	return error;
}

static int
create_hidden(struct new_file *file)
{
	sigset_t before;
	int error;

	signals_block(&before);
	error = open_hidden(file);
	if (error == 0)
		file->listed = signals_list(file->dir_fd, file->hidden, false);
	signals_restore(&before);
	FAULT("file_hidden");
	return error;
}

/* It is given its name by way of /proc; without that it has to have one. */
static int
open_nameless(int dir_fd)
{
	int fd;

	if (access("/proc/self/fd", X_OK) != 0)
		return -EOPNOTSUPP;
	fd = openat(dir_fd, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	return errno == EISDIR || errno == EINVAL ? -EOPNOTSUPP : -errno;
}

int
new_file_create_at(struct new_file *file, int dir_fd, const char *name)
{
	int error = -ENAMETOOLONG;

	*file = NEW_FILE_NONE;
	file->dir_fd = dir_fd;
	if (strlen(name) < sizeof(file->target)) {
		strcpy(file->target, name);
		error = file->fd = open_nameless(dir_fd);
	}
	if (error >= 0)
		return 0;
	if (error == -EOPNOTSUPP)
		error = create_hidden(file);
	if (error != 0) {
		file->fd = -1;
		new_file_drop(file);
	}
	return error;
}

/* NULL: no memory, or links without end. */
static char *
follow_links(const char *path)
{
	char *at = realpath(path, NULL);
	char target[PATH_MAX];

	if (at != NULL)
		return at;
	at = strdup(path);
	for (int i = 0; at != NULL && i < LINKS_MAX; i++) {
		ssize_t bytes = readlink(at, target, sizeof(target) - 1);
		char *next = NULL;

		if (bytes < 0)
			return at;
		target[bytes] = '\0';
		if (target[0] == '/')
			next = strdup(target);
		else if (asprintf(&next, "%s/%s", dirname(at), target) < 0)
			next = NULL;
		free(at);
		at = next;
	}
	free(at);
	errno = ELOOP;
	return NULL;
}

/* Where links lead: *dir and *name lie in *target, for free(3). */
static int
find_target(const char *path, char **target, const char **dir,
	    const char **name)
{
	char *slash;

	*target = NULL;
	/* a place that ends with the process is none for a file */
	if (fd_named(path) == -EBADF)
		return -EBADF;
	*target = follow_links(path);
	if (*target == NULL)
		return -errno;
	slash = strrchr(*target, '/');
	*dir = slash == NULL ? "." : slash == *target ? "/" : *target;
	*name = slash == NULL ? *target : slash + 1;
	if (slash != NULL)
		*slash = '\0';
	return **name == '\0' ? -EISDIR : 0;
}

int
new_file_find(const char *path, struct new_file_place *out)
{
	struct stat st;
	const char *dir;
	const char *name;
	char *target;
	int error = find_target(path, &target, &dir, &name);

	if (error == 0 && stat(dir, &st) != 0)
		error = -errno;
	if (error == 0 && strlen(name) >= sizeof(out->name))
		error = -ENAMETOOLONG;
	if (error == 0) {
		out->dev = st.st_dev;
		out->ino = st.st_ino;
		strcpy(out->name, name);
	}
	free(target);
	return error;
}

int
new_file_create(struct new_file *file, const char *path)
{
	const char *dir;
	const char *name;
	char *target;
	int error = find_target(path, &target, &dir, &name);
	int dir_fd;

	*file = NEW_FILE_NONE;
	if (error == 0) {
		dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
		error = dir_fd < 0 ? -errno : 0;
	}
	if (error == 0) {
		if (!is_swept(dir_fd))
			new_file_sweep(dir_fd, name);
		error = new_file_create_at(file, dir_fd, name);
	}
	free(target);
	return error;
}

int
new_file_move(struct new_file *file, int dir_fd)
{
	sigset_t before;
	int error = 0;

	signals_block(&before);
	/* its random part makes a clash of names as unlikely there as here */
	if (file->hidden[0] != '\0' &&
	    renameat(file->dir_fd, file->hidden, dir_fd, file->hidden) != 0)
		error = -errno;
	if (error == 0 && file->listed >= 0) {
		signals_unlist(file->listed);
		file->listed = signals_list(dir_fd, file->hidden, false);
	}
	close(error == 0 ? file->dir_fd : dir_fd);
	if (error == 0)
		file->dir_fd = dir_fd;
	signals_restore(&before);
	return error;
}

/* ---- the name ------------------------------------------------------------ */

static int
link_as(const struct new_file *file, const char *name)
{
	char self[SELF_BYTES];

	snprintf(self, sizeof(self), "/proc/self/fd/%d", file->fd);
	return linkat(AT_FDCWD, self, file->dir_fd, name, AT_SYMLINK_FOLLOW) ==
			       0
		       ? 0
		       : -errno;
}

/* A hidden name for a file that has none; signals are blocked. */
static int
link_hidden(struct new_file *file)
{
	int error = -EEXIST;

	/* who finds the name sees that it is in use */
	flock(file->fd, LOCK_EX | LOCK_NB);
	for (int i = 0; i < NAME_TRIES && error == -EEXIST; i++) {
		hidden_name(file->hidden, file->target, (uint32_t)unique_u64());
		error = link_as(file, file->hidden);
	}
	if (error != 0)
		file->hidden[0] = '\0';
	FAULT("file_linked");
	return error;
}

static int
rename_hidden(struct new_file *file, bool replaces)
{
	unsigned flags = replaces ? 0 : RENAME_NOREPLACE;

	if (signals_is_pending())
		return -EINTR;
	if (renameat2(file->dir_fd, file->hidden, file->dir_fd, file->target,
		      flags) == 0)
		file->hidden[0] = '\0';
	/* not every file system knows the flag */
	else if (replaces || errno != EINVAL ||
		 linkat(file->dir_fd, file->hidden, file->dir_fd, file->target,
			0) != 0)
		return -errno;
	FAULT("file_renamed");
	return 0;
}

static int
give_name(struct new_file *file, bool replaces)
{
	int error;

	if (file->hidden[0] == '\0') {
		if (signals_is_pending())
			return -EINTR;
		error = link_as(file, file->target);
		if (error != -EEXIST || !replaces)
			return error;
		error = link_hidden(file);
		if (error != 0)
			return error;
	}
	return rename_hidden(file, replaces);
}

/* A network file system says at a close what it could not write. */
static int
flush(int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

	return copy < 0 || close(copy) == 0 ? 0 : -errno;
}

static int
end_content(const struct new_file *file, mode_t mode)
{
	return fchmod(file->fd, mode) == 0 ? flush(file->fd) : -errno;
}

int
new_file_ready(struct new_file *file, mode_t mode)
{
	int error = end_content(file, mode);

	if (error == 0 && signals_is_pending())
		error = -EINTR;
	if (error == 0 && file->hidden[0] == '\0')
		error = link_hidden(file);
	if (error == 0 && file->listed < 0)
		file->listed = signals_list(file->dir_fd, file->hidden, false);
	file->is_ready = error == 0;
	return error;
}

int
new_file_commit(struct new_file *file, mode_t mode, bool replaces)
{
	sigset_t before;
	int error = file->is_ready ? 0 : end_content(file, mode);

	signals_block(&before);
	if (error == 0)
		error = give_name(file, replaces);
	new_file_drop(file);
	signals_restore(&before);
	return error;
}

void
new_file_drop(struct new_file *file)
{
	if (file->hidden[0] != '\0')
		unlinkat(file->dir_fd, file->hidden, 0);
	if (file->listed >= 0)
		signals_unlist(file->listed);
	fd_close(file->fd);
	fd_close(file->dir_fd);
	*file = NEW_FILE_NONE;
}

mode_t
new_file_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* ---- files without a name -------------------------------------------------- */

int
new_file_nameless(const char *dir)
{
	struct new_file file = NEW_FILE_NONE;
	sigset_t before;
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	int error;

	if (fd >= 0)
		return fd;
	if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
		return -errno;
	strcpy(file.target, "bale");
	file.dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (file.dir_fd < 0)
		return -errno;
	new_file_sweep_once(file.dir_fd);
	signals_block(&before);
	error = open_hidden(&file);
	fd = file.fd;
	file.fd = -1;
	new_file_drop(&file);
	signals_restore(&before);
	return error == 0 ? fd : error;
}

size_t
temp_file_dirs(const char *out[static TEMP_FILE_DIRS])
{
	const char *dir = getenv("TMPDIR");

	out[0] = dir;
	if (dir != NULL && *dir != '\0')
		return 1;
	out[0] = "/tmp";
	out[1] = "/var/tmp";
	return 2;
}

bool
temp_file_is_in_memory(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && ((uint64_t)fs.f_type == TMPFS_MAGIC ||
					 (uint64_t)fs.f_type == RAMFS_MAGIC);
}

static struct {
	const int *fds;
	size_t nr;
} lent;

void
temp_file_lend(const int *fds, size_t nr)
{
	lent.fds = fds;
	lent.nr = nr;
}

int
temp_file_open(void)
{
	const char *dirs[TEMP_FILE_DIRS];
	size_t nr = temp_file_dirs(dirs);
	int kept;

	if (lent.nr > 0)
		return lent.fds[--lent.nr];
	kept = new_file_nameless(dirs[0]);
	for (size_t i = 1; i < nr; i++) {
		int fd;

		if (kept >= 0 && !temp_file_is_in_memory(kept))
			break;
		fd = new_file_nameless(dirs[i]);
		if (fd < 0)
			continue;
		fd_close(kept);
		kept = fd;
	}
	return kept;
}
