/* SPDX-License-Identifier: MIT */
/*
 * open_below.c - openat2(2), or one component after the other.
 *
 * Does: see collect_io.h and open_below.h.
 * Does not: trust what a listing said: what was opened is looked at again.
 * Invariants:
 * 1. A path is handed to the kernel with RESOLVE_BENEATH, NO_SYMLINKS and
 *    NO_MAGICLINKS. Where the kernel has no openat2(), it is handed over one
 *    component at a time with O_NOFOLLOW, which comes to the same.
 * 2. A FIFO without a writer does not block, a terminal does not become ours.
 */
#include "base/open_below.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FILE_FLAGS (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
#define DIR_FLAGS (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | O_DIRECTORY)
#define STEP_FLAGS (O_PATH | O_NOFOLLOW | O_CLOEXEC | O_DIRECTORY)
#define PIECE_BYTES 4096 /* PATH_MAX, NUL included */
#define RETRIES_MAX 8

int
file_identity_compare(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct file_identity));
}

/* Only ".." and renames beside us make it EAGAIN. */
static int
open_beneath(int dir_fd, const char *path, int flags)
{
	struct open_how how = {
		.flags = (unsigned)flags,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
			   RESOLVE_NO_MAGICLINKS,
	};
	long fd = -1;

	for (int i = 0; i < RETRIES_MAX; i++) {
		fd = syscall(SYS_openat2, dir_fd, path, &how, sizeof(how));
		if (fd >= 0 || (errno != EAGAIN && errno != EINTR))
			break;
	}
	return fd >= 0 ? (int)fd : -errno;
}

/* One component; as safe without openat2() as with it. */
static int
open_one(int dir_fd, const char *name, int flags)
{
	int fd = open_beneath(dir_fd, name, flags);

	/* EPERM: a sandbox that has not heard of openat2(). */
	if (fd != -ENOSYS && fd != -EPERM)
		return fd;
	do {
		fd = openat(dir_fd, name, flags);
	} while (fd < 0 && errno == EINTR);
	return fd >= 0 ? fd : -errno;
}

int
open_parent(const char *path, int flags, const char **name)
{
	size_t bytes = (size_t)(basename(path) - path);
	char *dir = strndup(bytes > 0 ? path : ".", max_u64(bytes, 1));
	int fd = -1;

	*name = path + bytes;
	if (dir != NULL)
		fd = open(dir, flags | O_DIRECTORY | O_CLOEXEC);
	free(dir);
	return fd >= 0 ? fd : -errno;
}

int
open_directory(int dir_fd, const char *name)
{
	return open_one(dir_fd, name, DIR_FLAGS);
}

/* Neither "", "." nor "..", and short enough to be one. */
static bool
is_component(const char *name, size_t bytes)
{
	if (bytes == 0 || bytes >= PIECE_BYTES ||
	    memchr(name, '\0', bytes) != NULL)
		return false;
	return name[0] != '.' ||
	       !(bytes == 1 || (bytes == 2 && name[1] == '.'));
}

/*
 * As many whole components from the start of the path as the kernel takes at
 * once; 0: the path is none that a walk can give.
 */
static size_t
piece_of(const char *path, size_t bytes, size_t components_max)
{
	size_t end = 0;

	while (end < bytes && components_max-- > 0) {
		size_t begin = end == 0 ? 0 : end + 1;
		const char *slash = memchr(path + begin, '/', bytes - begin);
		size_t next = slash == NULL ? bytes : (size_t)(slash - path);

		if (!is_component(path + begin, next - begin))
			return 0;
		if (next >= PIECE_BYTES)
			break;
		end = next;
	}
	return end;
}

static int
open_path(int root_fd, const char *path, size_t bytes, int flags,
	  size_t components_max)
{
	int fd = root_fd;

	for (;;) {
		char piece[PIECE_BYTES];
		size_t end = piece_of(path, bytes, components_max);
		int next;

		if (end == 0) {
			next = -EINVAL;
		} else {
			memcpy(piece, path, end);
			piece[end] = '\0';
			next = end == bytes ? flags : STEP_FLAGS;
			next = components_max == 1
				       ? open_one(fd, piece, next)
				       : open_beneath(fd, piece, next);
		}
		if (fd != root_fd)
			close(fd);
		if (next < 0 || end == bytes)
			return next;
		fd = next;
		path += end + 1;
		bytes -= end + 1;
	}
}

static int
open_deep(int root_fd, const char *path, size_t bytes, int flags)
{
	int fd = open_path(root_fd, path, bytes, flags, SIZE_MAX);

	if (fd == -ENOSYS || fd == -EPERM)
		fd = open_path(root_fd, path, bytes, flags, 1);
	return fd;
}

int
open_directory_deep(int root_fd, const char *path, size_t bytes)
{
	return open_deep(root_fd, path, bytes, DIR_FLAGS);
}

static void
fill_file(struct file_state *file, const struct stat *st)
{
	const int64_t second_ns = 1000000000;

	*file = (struct file_state){
		.identity = { .dev = st->st_dev, .ino = st->st_ino },
		.bytes = (uint64_t)st->st_size,
		.mtime_ns = (int64_t)st->st_mtim.tv_sec * second_ns +
			    (int64_t)st->st_mtim.tv_nsec,
		.ctime_ns = (int64_t)st->st_ctim.tv_sec * second_ns +
			    (int64_t)st->st_ctim.tv_nsec,
		.mode = st->st_mode,
	};
}

/* Takes over the descriptor, or -errno in its place. */
static int
check_file(int fd, struct file_state *file)
{
	struct stat st;
	int error = 0;

	if (fd < 0)
		return fd;
	if (fstat(fd, &st) != 0)
		error = -errno;
	else if (S_ISDIR(st.st_mode))
		error = -EISDIR;
	else if (!S_ISREG(st.st_mode))
		error = -ENXIO;
	if (error != 0) {
		close(fd);
		return error;
	}
	fill_file(file, &st);
	return fd;
}

int
open_regular(int dir_fd, const char *name, struct file_state *file)
{
	return check_file(open_one(dir_fd, name, FILE_FLAGS), file);
}

int
open_regular_deep(int root_fd, const char *path, size_t bytes,
		  struct file_state *file)
{
	return check_file(open_deep(root_fd, path, bytes, FILE_FLAGS), file);
}

int
file_state_at(int dir_fd, const char *name, struct file_state *file)
{
	struct stat st;

	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -ENXIO;
	fill_file(file, &st);
	return 0;
}

bool
file_state_same(const struct file_state *a, const struct file_state *b)
{
	return a->identity.dev == b->identity.dev &&
	       a->identity.ino == b->identity.ino && a->bytes == b->bytes &&
	       a->mtime_ns == b->mtime_ns && a->ctime_ns == b->ctime_ns;
}

int
file_is_unchanged(int fd, const struct file_state *before)
{
	struct file_state now;
	struct stat st;

	if (fstat(fd, &st) != 0)
		return -errno;
	fill_file(&now, &st);
	return file_state_same(&now, before) ? 0 : -ESTALE;
}
