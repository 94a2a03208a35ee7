/* SPDX-License-Identifier: MIT */
/*
 * format_io_output.c - pwritev(2) until all is written.
 */
#include "stages/format/format_io_output.h"

#include <errno.h>
#include <unistd.h>

int
format_write_all(int fd, struct iovec *pieces, size_t nr, uint64_t offset)
{
	while (nr > 0) {
		ssize_t written = pwritev(fd, pieces, (int)nr, (off_t)offset);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -errno;
		offset += (uint64_t)written;
		while (nr > 0 && (size_t)written >= pieces->iov_len) {
			written -= (ssize_t)pieces->iov_len;
			pieces++;
			nr--;
		}
		if (nr > 0) {
			pieces->iov_base = (char *)pieces->iov_base + written;
			pieces->iov_len -= (size_t)written;
		}
	}
	return 0;
}

int
format_truncate(int fd, uint64_t bytes)
{
	int result;

	do
		result = ftruncate(fd, (off_t)bytes);
	while (result != 0 && errno == EINTR);
	return result == 0 ? 0 : -errno;
}
