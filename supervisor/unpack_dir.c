/* SPDX-License-Identifier: MIT */
/*
 * unpack_dir.c - openat2(2), one part of a name after the other.
 */
#include "supervisor/unpack_dir.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shm/fd_io.h"

#define TEMP_TRIES 16

const char *
unpack_path_wrong(const uint8_t *path, size_t nr)
{
	const uint8_t *end = path + nr;

	if (nr == 0)
		return "is empty";
	if (path[0] == '/')
		return "is absolute";
	if (memchr(path, '\0', nr) != NULL)
		return "holds a NUL";
	if (path[nr - 1] == '/')
		return "ends with a slash";
	while (path < end) {
		const uint8_t *slash = memchr(path, '/', (size_t)(end - path));
		const uint8_t *until = slash == NULL ? end : slash;

		if (until - path == 2 && path[0] == '.' && path[1] == '.')
			return "leads out of the directory with ..";
		path = slash == NULL ? end : slash + 1;
	}
	return NULL;
}

int
unpack_dir_open(const char *path)
{
	int fd;

	if (mkdir(path, 0777) != 0 && errno != EEXIST)
		return -errno;
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int
open_beneath(int dir_fd, const char *name, uint64_t flags)
{
	struct open_how how = {
		.flags = flags | O_CLOEXEC | O_NOFOLLOW,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS |
			   RESOLVE_NO_MAGICLINKS,
	};
	int fd = (int)syscall(SYS_openat2, dir_fd, name, &how, sizeof(how));

	return fd < 0 ? -errno : fd;
}

/* The directory of that name, made if need be. */
static int
enter(int dir_fd, const char *name, bool makes)
{
	if (makes && mkdirat(dir_fd, name, 0777) != 0 && errno != EEXIST)
		return -errno;
	return open_beneath(dir_fd, name, O_RDONLY | O_DIRECTORY);
}

/*
 * The directory that a path's last part lies in, and that part; each part is
 * short enough for the kernel, whatever the path's length.
 */
static int
walk(int dir_fd, const char *path, bool makes, const char **last)
{
	int at = fcntl(dir_fd, F_DUPFD_CLOEXEC, 0);
	char name[256];

	while (at >= 0) {
		const char *slash = strchr(path, '/');
		int next;

		*last = path;
		if (slash == NULL)
			return at;
		if ((size_t)(slash - path) >= sizeof(name)) {
			close(at);
			return -ENAMETOOLONG;
		}
		memcpy(name, path, (size_t)(slash - path));
		name[slash - path] = '\0';
		path = slash + 1;
		if (name[0] == '\0')
			continue;
		next = enter(at, name, makes);
		close(at);
		if (next < 0)
			return next;
		at = next;
	}
	return -errno;
}

static int
create_temp(struct unpack_file *file)
{
	for (int i = 0; i < TEMP_TRIES; i++) {
		uint64_t random = 0;

		if (getrandom(&random, sizeof(random), 0) != sizeof(random))
			return -EIO;
		snprintf(file->temp, sizeof(file->temp), ".bale-unpack.%016llx",
			 (unsigned long long)random);
		file->fd = openat(file->dir_fd, file->temp,
				  O_CREAT | O_EXCL | O_WRONLY | O_NOFOLLOW |
					  O_CLOEXEC,
				  0666);
		if (file->fd >= 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	return -errno;
}

int
unpack_file_create(int dir_fd, const char *path, struct unpack_file *file)
{
	const char *last;
	int error;

	*file = (struct unpack_file){ .dir_fd = -1, .fd = -1 };
	file->dir_fd = walk(dir_fd, path, true, &last);
	if (file->dir_fd < 0)
		return file->dir_fd;
	file->name = strdup(last);
	error = file->name == NULL ? -ENOMEM : create_temp(file);
	if (error != 0) {
		file->temp[0] = '\0';
		unpack_file_drop(file);
	}
	return error;
}

int
unpack_file_write(const struct unpack_file *file, const uint8_t *bytes,
		  size_t nr)
{
	return fd_write_all(file->fd, bytes, nr);
}

int
unpack_file_commit(struct unpack_file *file, bool replaces)
{
	unsigned flags = replaces ? 0 : RENAME_NOREPLACE;
	int error = 0;

	if (close(file->fd) != 0)
		error = -errno;
	file->fd = -1;
	if (error == 0 && renameat2(file->dir_fd, file->temp, file->dir_fd,
				    file->name, flags) != 0)
		error = -errno;
	if (error == 0)
		file->temp[0] = '\0';
	unpack_file_drop(file);
	return error;
}

void
unpack_file_drop(struct unpack_file *file)
{
	if (file->fd >= 0)
		close(file->fd);
	if (file->dir_fd >= 0) {
		if (file->temp[0] != '\0')
			unlinkat(file->dir_fd, file->temp, 0);
		close(file->dir_fd);
	}
	free(file->name);
	*file = (struct unpack_file){ .dir_fd = -1, .fd = -1 };
}

int
unpack_file_open(int dir_fd, const char *path)
{
	const char *last;
	int at = walk(dir_fd, path, false, &last);
	int fd;

	if (at < 0)
		return at;
	fd = open_beneath(at, last, O_RDONLY | O_NONBLOCK | O_NOCTTY);
	close(at);
	return fd;
}
