/* SPDX-License-Identifier: MIT */
/*
 * fd_io.c - read and write, again after EINTR.
 */
#include "base/fd_io.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/base.h"
#include "base/clock.h"
#include "base/utf8.h"

#define BLOCK_BYTES (64u << 10)
#define POLL_MS_MAX 60000

void
fd_close(int fd)
{
	if (fd >= 0)
		close(fd);
}

void
fd_drop(int *fd)
{
	fd_close(*fd);
	*fd = -1;
}

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

int
fd_wait(int fd, uint64_t deadline_ns)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	for (;;) {
		uint64_t now = clock_now_ns();
		uint64_t left_ms = deadline_ns > now
					   ? (deadline_ns - now) / NS_PER_MS + 1
					   : 0;
		int ready =
			poll(&poll_fd, 1, (int)min_u64(left_ms, POLL_MS_MAX));

		if (ready > 0)
			return 0;
		if (ready < 0 && errno != EINTR)
			return -errno;
		if (clock_now_ns() >= deadline_ns)
			return -ETIMEDOUT;
	}
}

/* Pages that nothing was read into are not there: room costs nothing. */
static int
read_all(int fd, uint64_t deadline_ns, size_t nr_max, char **text, size_t *nr)
{
	bool waits = deadline_ns != FD_NO_DEADLINE;
	size_t room = 0;

	for (;;) {
		int error = waits ? fd_wait(fd, deadline_ns) : 0;
		ssize_t got;

		if (error != 0)
			return error;

		if (room - *nr < BLOCK_BYTES + 1) {
			char *wider =
				realloc(*text, 2 * room + BLOCK_BYTES + 1);

			if (wider == NULL)
				return -ENOMEM;
			*text = wider;
			room = 2 * room + BLOCK_BYTES + 1;
		}
		got = fd_read_some(fd, *text + *nr, BLOCK_BYTES);
		if (got == -EAGAIN && waits)
			continue;
		if (got < 0)
			return (int)got;
		*nr += (size_t)got;
		if (*nr > nr_max)
			return -EFBIG;
		if (got == 0)
			break;
	}
	(*text)[*nr] = '\0';
	return 0;
}

int
fd_read_until(int fd, uint64_t deadline_ns, size_t nr_max, char **text,
	      size_t *nr)
{
	int error;

	*text = NULL;
	*nr = 0;
	error = read_all(fd, deadline_ns, nr_max, text, nr);
	if (error != 0) {
		free(*text);
		*text = NULL;
	}
	return error;
}

int
fd_read_all(int fd, size_t nr_max, char **text, size_t *nr)
{
	return fd_read_until(fd, FD_NO_DEADLINE, nr_max, text, nr);
}

int
fd_read_regular(int fd, size_t nr_max, char **text, size_t *nr)
{
	struct stat st;

	*text = NULL;
	if (fstat(fd, &st) != 0)
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	return fd_read_all(fd, nr_max, text, nr);
}

int
fd_named(const char *path)
{
	static const char *const dirs[] = { "/dev/fd/", "/proc/self/fd/" };
	static const char *const names[] = { "/dev/stdin", "/dev/stdout",
					     "/dev/stderr" };
	long nr = -1;
	int flags;

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(path, names[i]) == 0)
			nr = (long)i;
	for (size_t i = 0; i < ARRAY_LEN(dirs); i++) {
		size_t bytes = strlen(dirs[i]);
		char *end;

		if (strncmp(path, dirs[i], bytes) != 0 || path[bytes] < '0' ||
		    path[bytes] > '9')
			continue;
		nr = strtol(path + bytes, &end, 10);
		if (*end != '\0')
			nr = -1;
	}
	if (nr < 0)
		return -ENOENT;
	/* nothing of its own outlives exec(2), nothing given does otherwise */
	flags = nr > INT_MAX ? -1 : fcntl((int)nr, F_GETFD);
	return flags < 0 || (flags & FD_CLOEXEC) != 0 ? -EBADF : (int)nr;
}

int
fd_open_named(const char *path, int flags)
{
	int fd = fd_named(path);

	if (fd == -ENOENT)
		fd = open(path, flags | O_CLOEXEC | O_NOCTTY, 0666);
	else if (fd >= 0)
		fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	else
		return fd;
	return fd < 0 ? -errno : fd;
}

static bool
is_own_descriptor(const char *path)
{
	return strcmp(path, "/dev/stdin") == 0 ||
	       strncmp(path, "/dev/fd/", 8) == 0 ||
	       strncmp(path, "/proc/", 6) == 0;
}

int
fd_pread_all(int fd, void *bytes, size_t nr, uint64_t offset)
{
	uint8_t *at = bytes;

	while (nr > 0) {
		ssize_t got = pread(fd, at, nr, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return got == 0 ? -EIO : -errno;
		at += got;
		offset += (uint64_t)got;
		nr -= (size_t)got;
	}
	return 0;
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

void
text_drop_mark(char *text, size_t *nr)
{
	size_t bytes = utf8_mark_bytes(text, *nr);

	*nr -= bytes;
	if (bytes > 0)
		memmove(text, text + bytes, *nr + 1);
}

int
file_read_all(const char *path, size_t nr_max, char **text, size_t *nr)
{
	bool from_stdin = strcmp(path, "-") == 0;
	int fd = from_stdin ? STDIN_FILENO : fd_open_input(path);
	int error;

	*text = NULL;
	if (fd < 0)
		return fd;
	error = fd_read_all(fd, nr_max, text, nr);
	if (!from_stdin)
		close(fd);
	if (error == 0)
		text_drop_mark(*text, nr);
	return error;
}
