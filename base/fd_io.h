/* SPDX-License-Identifier: MIT */
/*
 * fd_io.h - read and write that go on where a signal came in between, and the
 * files that options name.
 *
 * Does not: wait for what is not ready, where no moment is said until when;
 *           descriptors are blocking there.
 */
#ifndef BASE_FD_IO_H
#define BASE_FD_IO_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define FD_NO_DEADLINE UINT64_MAX

/* Closes a descriptor, if it is one: -1 is none. */
void
fd_close(int fd);

/* The same, and it is none from now on. */
void
fd_drop(int *fd);

/*
 * shape:  writes all of the bytes
 * errors: -errno of write(2), with an unknown number of bytes written; -EIO if
 *         it accepted none
 */
int
fd_write_all(int fd, const void *bytes, size_t nr);

/*
 * shape:  reads the bytes that are available, at most `nr`; 0: the end
 * errors: -errno of read(2)
 */
ssize_t
fd_read_some(int fd, void *bytes, size_t nr);

/*
 * shape:  reads so many bytes from this offset on
 * errors: -errno of pread(2); -EIO: there are not so many
 */
int
fd_pread_all(int fd, void *bytes, size_t nr, uint64_t offset);

/*
 * shape:  the descriptor that a path stands for, which whoever started the
 *         process has given it: /dev/stdout, /dev/fd/3, /proc/self/fd/3
 * errors: -ENOENT: it stands for none; -EBADF: that one is not open, or the
 *         process has opened it itself
 */
int
fd_named(const char *path);

/*
 * shape:  open(2), or another descriptor for what such a path stands for: with
 *         its place in a file, where open(2) would begin at the front
 * errors: -errno; -EBADF as fd_named()
 */
int
fd_open_named(const char *path, int flags);

/*
 * shape:  opens what an option names, to be read to its end. A FIFO is refused,
 *         for it may be waited for without end; a pipe that the process was
 *         given (/dev/stdin, /dev/fd/3) is not
 * errors: -errno, for fd_open_error(); -ENXIO: a FIFO or a socket
 */
int
fd_open_input(const char *path);

/* What an error of fd_open_input(), or of reading, means. */
const char *
fd_open_error(int error);

/*
 * shape:  reads the rest, and adds a NUL that *nr does not count
 * owner:  *text: free(); NULL after an error
 * errors: -errno of read(2), -ENOMEM; -EFBIG: there is more than `nr_max`
 */
int
fd_read_all(int fd, size_t nr_max, char **text, size_t *nr);

/*
 * shape:  the same up to a moment, also of what does not block
 * units:  as of clock_now_ns()
 * errors: the same; -ETIMEDOUT
 */
int
fd_read_until(int fd, uint64_t deadline_ns, size_t nr_max, char **text,
	      size_t *nr);

/*
 * shape:  waits until there is something to be read, or an end
 * errors: -ETIMEDOUT; -errno of poll(2)
 */
int
fd_wait(int fd, uint64_t deadline_ns);

/* Drops the byte order mark that a text begins with, if there is one; the NUL
 * behind the text stays. */
void
text_drop_mark(char *text, size_t *nr);

/* The same of a file, without its byte order mark; "-": stdin. errors: and those
 * of fd_open_input() */
int
file_read_all(const char *path, size_t nr_max, char **text, size_t *nr);

/* The same of an open file, but -EINVAL if it is not a regular one. */
int
fd_read_regular(int fd, size_t nr_max, char **text, size_t *nr);

#endif
