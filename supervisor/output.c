/* SPDX-License-Identifier: MIT */
/*
 * output.c - a new file under its name, or a stream.
 */
#include "supervisor/output.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "base/fault.h"
#include "base/fd_io.h"
#include "base/new_file.h"

#define SPLICE_BYTES (1u << 20)
#define WRITE_BYTES (64u << 10)
#define BLOCK_BYTES (256u << 10)
#define LEVEL 9 /* written once, and by a machine that has just been busy */
#define HASH_BYTES (32u << 10) /* each page of it is a fault of a small run */

static void
remember(struct run *run, const struct stat *st)
{
	struct run_file *more =
		realloc(run->outputs, (run->output_nr + 1) * sizeof(*more));

	if (more == NULL)
		return; /* it is packed, if it is in the tree */
	run->outputs = more;
	run->outputs[run->output_nr++] =
		(struct run_file){ st->st_dev, st->st_ino };
}

static int
open_stream(struct output *output, int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return -errno;
	output->stream_fd = fd;
	output->is_pipe = S_ISFIFO(st.st_mode);
	output->fd = temp_file_open();
	return output->fd < 0 ? output->fd : 0;
}

/* A pipe, a device, or what the process was given open. */
static int
open_given(struct output *output, const char *path, struct run *run)
{
	struct stat st;
	int fd = fd_open_named(path, O_WRONLY);

	if (fd < 0)
		return fd;
	/* "> file" inside the tree: never packed either */
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		remember(run, &st);
	return open_stream(output, fd);
}

static int
open_file(struct output *output, const char *path, struct run *run)
{
	struct stat st;
	int error;

	output->target.mode = new_file_mode();
	if (fd_named(path) != -ENOENT ||
	    (stat(path, &st) == 0 && !S_ISREG(st.st_mode) &&
	     !S_ISDIR(st.st_mode)))
		return open_given(output, path, run);
	if (stat(path, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			return -EISDIR;
		output->target.mode = st.st_mode & 07777;
		remember(run, &st);
	}
	error = new_file_create(&output->target.file, path);
	if (error != 0)
		return error;
	output->fd = output->target.file.fd;
	if (fstat(output->fd, &st) == 0)
		remember(run, &st);
	return 0;
}

int
output_open(struct output *output, const char *path, struct run *run)
{
	struct stat st;
	int error;

	*output = OUTPUT_NONE;
	if (path == NULL || strcmp(path, "-") == 0) {
		/* "> file" inside the tree: never packed either */
		if (fstat(STDOUT_FILENO, &st) == 0 && S_ISREG(st.st_mode))
			remember(run, &st);
		error = open_stream(output, STDOUT_FILENO);
	} else {
		error = open_file(output, path, run);
	}
	if (error != 0)
		output_close(output);
	run->output_fd = output->fd;
	run->output_streams = output->stream_fd >= 0 && run->job.takes_all &&
			      !run->job.writes_late;
	return error;
}

/* Some bytes from the file to the stream, without waiting for its reader. */
static ssize_t
move(struct output *output, uint64_t left)
{
	char bytes[WRITE_BYTES];
	struct pollfd writable = { .fd = output->stream_fd, .events = POLLOUT };
	ssize_t got;

	if (output->is_pipe) {
		loff_t off = (loff_t)output->pumped_bytes;

		return splice(output->fd, &off, output->stream_fd, NULL,
			      min_u64(left, SPLICE_BYTES),
			      SPLICE_F_NONBLOCK | SPLICE_F_MOVE);
	}
	if (poll(&writable, 1, 0) <= 0) {
		errno = EAGAIN;
		return -1;
	}
	got = pread(output->fd, bytes, min_u64(left, sizeof(bytes)),
		    (off_t)output->pumped_bytes);
	return got <= 0 ? got : write(output->stream_fd, bytes, (size_t)got);
}

int
output_pump(struct output *output, uint64_t until)
{
	while (output->pumped_bytes < until) {
		ssize_t moved = move(output, until - output->pumped_bytes);

		if (moved < 0 && errno == EINTR)
			continue;
		if (moved < 0)
			return errno == EAGAIN ? 0 : -errno;
		FAULT("pumped");
		if (moved == 0)
			return -EIO; /* the file is shorter than we know */
		output->pumped_bytes += (uint64_t)moved;
	}
	return 1;
}

void
output_never_pack_at(struct run *run, int dir_fd, const char *path)
{
	struct stat st;

	if (path != NULL && fstatat(dir_fd, path, &st, 0) == 0 &&
	    (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		remember(run, &st);
}

void
output_never_pack(struct run *run, const char *path)
{
	output_never_pack_at(run, AT_FDCWD, path);
}

int64_t
output_sha256(int fd, uint64_t from, uint64_t bytes,
	      uint8_t digest[SHA256_BYTES])
{
	static uint8_t block[HASH_BYTES];
	struct sha256 sha;
	uint64_t at = 0;
	ssize_t got = 1;

	sha256_init(&sha);
	while (got > 0 && at < bytes) {
		got = pread(fd, block, min_u64(sizeof(block), bytes - at),
			    (off_t)(from + at));
		if (got < 0 && errno != EINTR)
			return -errno;
		if (got < 0) {
			got = 1;
			continue;
		}
		sha256_add(&sha, block, (size_t)got);
		at += (uint64_t)got;
	}
	if (bytes != UINT64_MAX && at < bytes)
		return -EIO;
	sha256_end(&sha, digest);
	return (int64_t)at;
}

bool
output_is_zstd(const char *path)
{
	size_t nr = path == NULL ? 0 : strlen(path);

	return nr > 4 && strcmp(path + nr - 4, ".zst") == 0;
}

/* One block into the frame; the last one ends it. */
static int
add_block(ZSTD_CCtx *context, int to, const char *bytes, size_t nr, bool last)
{
	static char out[BLOCK_BYTES];
	ZSTD_inBuffer from = { bytes, nr, 0 };
	size_t left = 1;
	int error = 0;

	while (error == 0 && (last ? left != 0 : from.pos < from.size)) {
		ZSTD_outBuffer into = { out, sizeof(out), 0 };

		left = ZSTD_compressStream2(context, &into, &from,
					    last ? ZSTD_e_end
						 : ZSTD_e_continue);
		if (ZSTD_isError(left))
			return -ENOMEM; /* there is nothing else it lacks */
		error = fd_write_all(to, out, into.pos);
	}
	return error;
}

int
output_compress(const struct output *output, uint64_t from, uint64_t bytes,
		int to)
{
	static char block[BLOCK_BYTES];
	ZSTD_CCtx *context = ZSTD_createCCtx();
	uint64_t at = 0;
	int error = context == NULL ? -ENOMEM : 0;

	if (error == 0 && ZSTD_isError(ZSTD_CCtx_setParameter(
				  context, ZSTD_c_compressionLevel, LEVEL)))
		error = -EIO;
	if (error == 0)
		ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	for (bool is_last = false; error == 0 && !is_last;) {
		size_t nr = (size_t)min_u64(sizeof(block), bytes - at);

		is_last = at + nr == bytes;
		error = fd_pread_all(output->fd, block, nr, from + at);
		if (error == 0)
			error = add_block(context, to, block, nr, is_last);
		at += nr;
		FAULT("compressed");
	}
	ZSTD_freeCCtx(context);
	return error;
}

int
output_deflate(struct output *output, uint64_t bytes)
{
	struct new_file *whole = &output->target.file;
	struct new_file small;
	int dir_fd = fcntl(whole->dir_fd, F_DUPFD_CLOEXEC, 0);
	int error = dir_fd < 0
			    ? -errno
			    : new_file_create_at(&small, dir_fd, whole->target);

	if (error != 0)
		return error;
	error = output_compress(output, 0, bytes, small.fd);
	if (error != 0) {
		new_file_drop(&small);
		return error;
	}
	new_file_drop(whole);
	*whole = small;
	output->fd = small.fd;
	return 0;
}

void
output_close(struct output *output)
{
	if (output->stream_fd >= 0 && output->fd >= 0)
		close(output->fd);
	if (output->stream_fd > STDERR_FILENO)
		close(output->stream_fd);
	new_file_drop(&output->target.file);
	*output = OUTPUT_NONE;
}
