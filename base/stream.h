/* SPDX-License-Identifier: MIT */
/*
 * stream.h - text to a descriptor by stdio, and why it could not be written.
 *
 * Does: remembers the first error of write(2): a FILE knows only that there
 *       was one, and errno is that of whatever came last.
 * Runs in: the supervisor, and the commands that have no workers.
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

/* Writes what is left: 0, or the first error that there was. */
int
stream_close(struct stream *stream);

/* Makes stdout such a stream. calls: main(), first of all */
void
stream_take_stdout(void);

/* Writes what stdio holds back: 0, or -errno of the first write that failed. */
int
stream_finish(FILE *out);

/* The same of stdout, with a word to the user: 0 or EXIT_OUTPUT. */
int
stream_finish_stdout(void);

#endif
