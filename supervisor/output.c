/* SPDX-License-Identifier: MIT */
/*
 * output.c - a new file under its name, or a stream.
 */
#include "supervisor/output.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <openssl/evp.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME_TRIES 16
#define LINKS_MAX 40 /* as many as the kernel follows */
#define SPLICE_BYTES (1u << 20)
#define WRITE_BYTES (64u << 10)

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

/* "dir/.name.0123456789abcdef.tmp" */
static char *
temp_name(const char *path, const char *dir)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash == NULL ? path : slash + 1;
	uint64_t random = 0;
	char *temp;

	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		return NULL;
	if (asprintf(&temp, "%s/.%.200s.%016llx.tmp", dir, name,
		     (unsigned long long)random) < 0)
		return NULL;
	return temp;
}

/* A nameless file in `dir`, or a named one where there are no such files. */
static int
open_new(struct output *output, const char *dir)
{
	output->fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (output->fd >= 0)
		return 0;
	if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
		return -errno;
	for (int i = 0; i < NAME_TRIES; i++) {
		output->temp = temp_name(
			output->path != NULL ? output->path : "bale", dir);
		if (output->temp == NULL)
			return -ENOMEM;
		output->fd = open(output->temp,
				  O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
		if (output->fd >= 0)
			return 0;
		free(output->temp);
		output->temp = NULL;
		if (errno != EEXIST)
			break;
	}
	return -errno;
}

static int
open_stream(struct output *output, int fd)
{
	const char *dir = getenv("TMPDIR");
	struct stat st;
	int error;

	if (fstat(fd, &st) != 0)
		return -errno;
	output->stream_fd = fd;
	output->is_pipe = S_ISFIFO(st.st_mode);
	error = open_new(output, dir == NULL || *dir == '\0' ? "/tmp" : dir);
	if (error == 0 && output->temp != NULL) {
		unlink(output->temp);
		free(output->temp);
		output->temp = NULL;
	}
	return error;
}

/* A new file beside the one that it will replace. */
static int
open_beside(struct output *output)
{
	char *copy = strdup(output->path);

	if (copy == NULL)
		return -ENOMEM;
	output->dir = strdup(dirname(copy));
	free(copy);
	return output->dir == NULL ? -ENOMEM : open_new(output, output->dir);
}

static int
open_file(struct output *output, struct run *run)
{
	struct stat st;
	int error;

	output->mode = 0666;
	if (stat(output->path, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			return -EISDIR;
		if (!S_ISREG(st.st_mode)) {
			int fd = open(output->path,
				      O_WRONLY | O_CLOEXEC | O_NOCTTY);

			return fd < 0 ? -errno : open_stream(output, fd);
		}
		output->mode = st.st_mode & 07777;
		remember(run, &st);
	} else {
		mode_t mask = umask(0);

		umask(mask);
		output->mode &= ~mask;
	}
	error = open_beside(output);
	if (error == 0 && fstat(output->fd, &st) == 0)
		remember(run, &st);
	return error;
}

/*
 * A link is written through, as by a shell's redirection, also one to a file
 * that is not there yet. NULL: no memory, or links without end.
 */
static char *
follow_links(const char *path)
{
	char *at = realpath(path, NULL);
	char target[PATH_MAX];

	if (at != NULL)
		return at;
	at = strdup(path);
	for (int i = 0; at != NULL && i < LINKS_MAX; i++) {
		ssize_t bytes = readlink(at, target, sizeof(target) - 1);
		char *next = NULL;

		if (bytes < 0)
			return at;
		target[bytes] = '\0';
		if (target[0] == '/')
			next = strdup(target);
		else if (asprintf(&next, "%s/%s", dirname(at), target) < 0)
			next = NULL;
		free(at);
		at = next;
	}
	free(at);
	return NULL;
}

int
output_open_part(struct output *output, const char *path)
{
	struct stat st;
	mode_t mask = umask(0);
	int error = -ENOMEM;

	umask(mask);
	*output = (struct output){ .fd = -1, .stream_fd = -1 };
	output->mode = 0666 & ~mask;
	output->path = follow_links(path);
	if (output->path == NULL)
		return error;
	if (stat(output->path, &st) != 0)
		error = 0;
	else if (S_ISDIR(st.st_mode))
		error = -EISDIR;
	else if (!S_ISREG(st.st_mode))
		error = -EINVAL;
	else
		error = 0, output->mode = st.st_mode & 07777;
	if (error == 0)
		error = open_beside(output);
	if (error != 0)
		output_close(output);
	return error;
}

int
output_open(struct output *output, const char *path, struct run *run)
{
	struct stat st;
	int error;

	*output = (struct output){ .fd = -1, .stream_fd = -1 };
	if (path == NULL || strcmp(path, "-") == 0) {
		/* "> file" inside the tree: never packed either */
		if (fstat(STDOUT_FILENO, &st) == 0 && S_ISREG(st.st_mode))
			remember(run, &st);
		error = open_stream(output, STDOUT_FILENO);
	} else {
		output->path = follow_links(path);
		error = output->path == NULL ? -ENOMEM : open_file(output, run);
	}
	if (error != 0)
		output_close(output);
	run->output_fd = output->fd;
	run->output_streams = output->stream_fd >= 0 && run_takes_all(run);
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
		if (moved == 0)
			return -EIO; /* the file is shorter than we know */
		output->pumped_bytes += (uint64_t)moved;
	}
	return 1;
}

void
output_never_pack(struct run *run, const char *path)
{
	struct stat st;

	if (path != NULL && stat(path, &st) == 0 && S_ISREG(st.st_mode))
		remember(run, &st);
}

int
output_sha256(const struct output *output, uint64_t from, uint64_t bytes,
	      uint8_t digest[SHA256_BYTES])
{
	EVP_MD_CTX *context = EVP_MD_CTX_new();
	uint8_t block[WRITE_BYTES];
	int error = 0;

	if (context == NULL || !EVP_DigestInit_ex(context, EVP_sha256(), NULL))
		error = -EIO;
	for (uint64_t at = 0; error == 0 && at < bytes;) {
		ssize_t got = pread(output->fd, block,
				    min_u64(sizeof(block), bytes - at),
				    (off_t)(from + at));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			error = got == 0 ? -EIO : -errno;
		else if (!EVP_DigestUpdate(context, block, (size_t)got))
			error = -EIO;
		else
			at += (uint64_t)got;
	}
	if (error == 0 && !EVP_DigestFinal_ex(context, digest, NULL))
		error = -EIO;
	EVP_MD_CTX_free(context);
	return error;
}

int
output_deflate(struct output *output, uint64_t bytes)
{
	struct output small = { .fd = -1, .path = output->path };
	int error = open_new(&small, output->dir);

	if (error != 0)
		return error;
	error = output_compress(output, 0, bytes, small.fd);
	if (error != 0) {
		close(small.fd);
		if (small.temp != NULL)
			unlink(small.temp);
		free(small.temp);
		return error;
	}
	if (output->temp != NULL)
		unlink(output->temp);
	free(output->temp);
	close(output->fd);
	output->fd = small.fd;
	output->temp = small.temp;
	return 0;
}

int
output_link(struct output *output)
{
	char self[64];

	if (fchmod(output->fd, output->mode) != 0)
		return -errno;
	for (int i = 0; output->temp == NULL && i < NAME_TRIES; i++) {
		output->temp = temp_name(output->path, output->dir);
		if (output->temp == NULL)
			return -ENOMEM;
		snprintf(self, sizeof(self), "/proc/self/fd/%d", output->fd);
		if (linkat(AT_FDCWD, self, AT_FDCWD, output->temp,
			   AT_SYMLINK_FOLLOW) == 0)
			break;
		free(output->temp);
		output->temp = NULL;
		if (errno != EEXIST)
			return -errno;
	}
	return output->temp == NULL ? -EEXIST : 0;
}

int
output_unlink_old(const struct output *output)
{
	return unlink(output->path) == 0 || errno == ENOENT ? 0 : -errno;
}

int
output_rename(struct output *output)
{
	if (rename(output->temp, output->path) != 0)
		return -errno;
	free(output->temp);
	output->temp = NULL;
	return 0;
}

int
output_commit(struct output *output)
{
	int error = output->stream_fd >= 0 ? 0 : output_link(output);

	return error != 0 || output->stream_fd >= 0 ? error
						    : output_rename(output);
}

void
output_close(struct output *output)
{
	if (output->temp != NULL)
		unlink(output->temp);
	if (output->fd >= 0)
		close(output->fd);
	free(output->temp);
	free(output->path);
	free(output->dir);
	*output = (struct output){ .fd = -1, .stream_fd = -1 };
}
