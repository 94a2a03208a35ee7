/* SPDX-License-Identifier: MIT */
/*
 * fd_io.c - read and write, again after EINTR.
 */
#include "shm/fd_io.h"

#include <errno.h>
#include <stdint.h>
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
