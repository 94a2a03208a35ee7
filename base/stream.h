/* SPDX-License-Identifier: MIT */
/*
 * stream.h - stdio output to a descriptor that keeps the first error.
 *
 * Does: remembers the first error of write(2): a FILE records only that there
 *       was one, and errno is that of the last call.
 * Runs in: the supervisor, and the commands without workers.
 */
#ifndef BASE_STREAM_H
#define BASE_STREAM_H

#include <stdio.h>

struct stream {
	FILE *file;
	int fd;
	int error; /* the first one: -errno; 0: none */
};

/*
 * shape:  stream->file writes to fd, which stays the caller's
 * owner:  stream_close(); the struct stays where it is until then
 * errors: -ENOMEM
 */
int
stream_open(struct stream *stream, int fd);

/* Writes the rest: 0, or the first error. */
int
stream_close(struct stream *stream);

/* Makes stdout such a stream. calls: main(), first of all */
void
stream_take_stdout(void);

/* Flushes: 0, or -errno of the first write that failed. */
int
stream_finish(FILE *out);

/* The same for stdout, and logs an error: 0 or EXIT_OUTPUT. */
int
stream_finish_stdout(void);

#endif
