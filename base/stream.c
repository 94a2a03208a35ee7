/* SPDX-License-Identifier: MIT */
/*
 * stream.c - a FILE that remembers why it failed.
 */
#include "base/stream.h"

#include <errno.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "base/exit_code.h"

static struct stream standard;

static ssize_t
write_to(void *cookie, const char *bytes, size_t nr)
{
	struct stream *stream = cookie;
	int error = fd_write_all(stream->fd, bytes, nr);

	if (error == 0)
		return (ssize_t)nr;
	if (stream->error == 0)
		stream->error = error;
	errno = -error;
	return 0; /* as fopencookie(3) has it */
}

int
stream_open(struct stream *stream, int fd)
{
	*stream = (struct stream){ .fd = fd };
	stream->file = fopencookie(
		stream, "w", (cookie_io_functions_t){ .write = write_to });
	return stream->file == NULL ? -ENOMEM : 0;
}

int
stream_close(struct stream *stream)
{
	bool failed = fclose(stream->file) != 0;

	stream->file = NULL;
	if (failed && stream->error == 0)
		stream->error = -errno;
	return stream->error;
}

void
stream_take_stdout(void)
{
	if (stream_open(&standard, STDOUT_FILENO) != 0)
		return; /* the one that there is does, too */
	if (isatty(STDOUT_FILENO))
		setvbuf(standard.file, NULL, _IOLBF, BUFSIZ);
	stdout = standard.file;
}

int
stream_finish(FILE *out)
{
	bool failed = fflush(out) != 0;
	int error = errno;

	if (!failed && !ferror(out))
		return 0;
	if (out == standard.file && standard.error != 0)
		return standard.error;
	return failed ? -error : -EIO;
}

int
stream_finish_stdout(void)
{
	int error = stream_finish(stdout);

	return error == 0 ? 0 : exit_cannot_write(NULL, error);
}
