/* SPDX-License-Identifier: MIT */
/*
 * replace_file.c - a file that is there whole, or as it was before.
 */
#include "supervisor/replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES 4096

/* A file beside the target, so that rename(2) can take its place. */
static int
open_beside(const char *target, char path[static PATH_BYTES])
{
	const char *slash = strrchr(target, '/');
	int dir_bytes = slash == NULL ? 0 : (int)(slash - target) + 1;
	mode_t mask;
	int fd;

	if (snprintf(path, PATH_BYTES, "%.*s.%s.XXXXXX.tmp", dir_bytes, target,
		     target + dir_bytes) >= PATH_BYTES)
		return -ENAMETOOLONG;
	fd = mkostemps(path, 4, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	mask = umask(0);
	umask(mask);
	if (fchmod(fd, 0666 & ~mask) != 0) {
		int error = errno;

		close(fd);
		unlink(path);
		return -error;
	}
	return fd;
}

static int
write_beside(const char *target, replace_write_fn *write, void *context)
{
	char path[PATH_BYTES];
	int fd = open_beside(target, path);
	int error;

	if (fd < 0)
		return fd;
	error = write(context, fd);
	if (close(fd) != 0 && error == 0)
		error = -errno;
	if (error == 0 && rename(path, target) != 0)
		error = -errno;
	if (error != 0)
		unlink(path);
	return error;
}

int
replace_file(const char *path, replace_write_fn *write, void *context)
{
	struct stat status;
	int error;
	int fd;

	if (stat(path, &status) != 0 || S_ISREG(status.st_mode))
		return write_beside(path, write, context);
	fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -errno;
	error = write(context, fd);
	if (close(fd) != 0 && error == 0)
		error = -errno;
	return error;
}
