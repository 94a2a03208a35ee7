/* SPDX-License-Identifier: MIT */
/*
 * source_read.c - a file or a pipe, that may be slow or may not end.
 */
#include "sources/source_read.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "sources/source.h"

int
source_read(const char *path, uint64_t deadline_ns, uint64_t bytes_max,
	    struct source_text *out)
{
	bool from_stdin = strcmp(path, "-") == 0;
	/* a FIFO without a writer opens at once, and is waited for */
	int fd = from_stdin ? STDIN_FILENO
			    : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY |
						 O_NONBLOCK);
	struct stat status;
	int error = 0;

	*out = (struct source_text){ .mtime_ns = SOURCE_TIME_NONE };
	if (fd < 0)
		return -errno;
	if (fstat(fd, &status) != 0)
		error = -errno;
	else if (S_ISDIR(status.st_mode))
		error = -EISDIR;
	else if (S_ISREG(status.st_mode))
		out->mtime_ns = (int64_t)status.st_mtim.tv_sec * 1000000000 +
				status.st_mtim.tv_nsec;
	if (error == 0)
		error = fd_read_until(fd, deadline_ns,
				      min_u64(bytes_max, SOURCE_BYTES_MAX),
				      &out->bytes, &out->nr);
	if (!from_stdin)
		close(fd);
	return error;
}
