/* SPDX-License-Identifier: MIT */
/*
 * fd_io.c - read and write, again after EINTR.
 */
#include "shm/fd_io.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int
fd_write_all(int fd, const void *bytes, size_t nr)
{
	const uint8_t *at = bytes;

	while (nr > 0) {
		ssize_t written = write(fd, at, nr);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return written < 0 ? -errno : -EIO;
		at += written;
		nr -= (size_t)written;
	}
	return 0;
}

ssize_t
fd_read_some(int fd, void *bytes, size_t nr)
{
	ssize_t got;

	do
		got = read(fd, bytes, nr);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

static bool
is_own_descriptor(const char *path)
{
	return strcmp(path, "/dev/stdin") == 0 ||
	       strncmp(path, "/dev/fd/", 8) == 0 ||
	       strncmp(path, "/proc/", 6) == 0;
}

int
fd_open_input(const char *path)
{
	struct stat st;
	int fd;

	/* before it is opened, which waits for somebody who writes */
	if (!is_own_descriptor(path) && stat(path, &st) == 0 &&
	    S_ISFIFO(st.st_mode))
		return -ENXIO;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	return fd < 0 ? -errno : fd;
}

const char *
fd_open_error(int error)
{
	return error == -ENXIO ? "is a FIFO or a socket: name a file, or "
				 "/dev/stdin for what is piped"
			       : strerror(-error);
}
