/* SPDX-License-Identifier: MIT */
/*
 * source_read.c - a file or a pipe, that may be slow or may not end.
 */
#include "sources/source_read.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "sources/source.h"
#include "base/exit_code.h"

#define BLOCK_BYTES (64u << 10)

/* Until there is something to be read: 0, -ETIMEDOUT or -errno. */
static int
wait_for(int fd, uint64_t deadline_ns)
{
	for (;;) {
		struct pollfd poll_fd = { .fd = fd, .events = POLLIN };
		uint64_t now = clock_now_ns();
		uint64_t left_ms = deadline_ns > now
					   ? (deadline_ns - now) / NS_PER_MS + 1
					   : 0;
		int nr = poll(&poll_fd, 1, (int)min_u64(left_ms, 60000));

		if (nr > 0)
			return 0;
		if (nr < 0 && errno != EINTR)
			return -errno;
		if (clock_now_ns() >= deadline_ns)
			return -ETIMEDOUT;
	}
}

static int
read_all(int fd, uint64_t deadline_ns, uint64_t bytes_max,
	 struct source_text *out)
{
	size_t room = 0;

	for (;;) {
		ssize_t got;
		int error;

		if (room - out->nr < BLOCK_BYTES + 1) {
			size_t wider = 2 * room + BLOCK_BYTES + 1;
			char *bytes = realloc(out->bytes, wider);

			if (bytes == NULL)
				return -ENOMEM;
			out->bytes = bytes;
			room = wider;
		}
		error = wait_for(fd, deadline_ns);
		if (error != 0)
			return error;
		got = read(fd, out->bytes + out->nr, BLOCK_BYTES);
		if (got == 0)
			break;
		if (got < 0 && errno != EINTR && errno != EAGAIN)
			return -errno;
		if (got > 0)
			out->nr += (size_t)got;
		if (out->nr > min_u64(bytes_max, SOURCE_BYTES_MAX))
			return -EFBIG;
	}
	out->bytes[out->nr] = '\0';
	return 0;
}

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
		error = read_all(fd, deadline_ns, bytes_max, out);
	if (!from_stdin)
		close(fd);
	if (error != 0) {
		free(out->bytes);
		out->bytes = NULL;
	}
	return error;
}
