/* SPDX-License-Identifier: MIT */
/*
 * replace_file.c - a file that is there whole, or as it was before.
 */
#include "base/replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string.h>

#include "base/base.h"
#include "base/fault.h"
#include "base/fd_io.h"
#include "base/signals.h"

#define BLOCK_BYTES 16384

/* What is no regular file takes the bytes as they come, and so does what the
 * process was given open: others may write to it as well. */
static int
write_through(const char *path, replace_write_fn *write, void *context)
{
	int fd = fd_open_named(path, O_WRONLY);
	int error;

	if (fd < 0)
		return fd;
	error = write(context, fd);
	if (close(fd) != 0 && error == 0)
		error = -errno;
	return error;
}

int
replace_prepare(struct replacement *replacement, const char *path,
		replace_write_fn *write, void *context)
{
	struct stat status;
	int error;

	*replacement = REPLACEMENT_NONE;
	replacement->mode = new_file_mode();
	if (fd_named(path) != -ENOENT)
		return write_through(path, write, context);
	if (stat(path, &status) == 0) {
		if (!S_ISREG(status.st_mode))
			return write_through(path, write, context);
		replacement->mode = status.st_mode & 07777;
	}
	error = new_file_create(&replacement->file, path);
	if (error == 0)
		error = write(context, replacement->file.fd);
	FAULT("file_written");
	if (error != 0)
		new_file_drop(&replacement->file);
	return error;
}

bool
replace_is_same(int one, int other)
{
	struct stat a;
	struct stat b;
	uint8_t bytes[2][BLOCK_BYTES];
	off_t off = 0;

	if (fstat(one, &a) != 0 || fstat(other, &b) != 0 ||
	    !S_ISREG(b.st_mode) || a.st_size != b.st_size)
		return false;
	while (off < a.st_size) {
		ssize_t got = pread(one, bytes[0], BLOCK_BYTES, off);

		if (got <= 0 ||
		    fd_pread_all(other, bytes[1], (size_t)got, (uint64_t)off) !=
			    0 ||
		    memcmp(bytes[0], bytes[1], (size_t)got) != 0)
			return false;
		off += got;
	}
	return true;
}

/* Whether the target has the new content already: what is made of it need not
 * be made again, and it keeps its time. The new file is dropped. */
static bool
keeps_unchanged(struct replacement *replacement)
{
	struct new_file *file = &replacement->file;
	int fd = openat(file->dir_fd, file->target,
			O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK |
				O_NOCTTY);
	bool is_same = fd >= 0 && replace_is_same(file->fd, fd);

	fd_close(fd);
	if (is_same)
		new_file_drop(file);
	return is_same;
}

int
replace_ready(struct replacement *replacement)
{
	if (replacement->file.fd < 0 || keeps_unchanged(replacement))
		return 0;
	return new_file_ready(&replacement->file, replacement->mode);
}

int
replace_commit(struct replacement *replacement)
{
	if (replacement->file.fd < 0 ||
	    (!replacement->file.is_ready && keeps_unchanged(replacement)))
		return 0;
	return new_file_commit(&replacement->file, replacement->mode, true);
}

int
replace_file(const char *path, replace_write_fn *write, void *context)
{
	struct replacement replacement;
	int error = replace_prepare(&replacement, path, write, context);

	return error == 0 ? replace_commit(&replacement) : error;
}

int
replace_file_at_last(const char *path, replace_write_fn *write, void *context)
{
	struct replacement replacement;
	sigset_t before;
	int error = replace_prepare(&replacement, path, write, context);

	if (error != 0)
		return error;
	signals_block(&before);
	error = replace_commit(&replacement);
	if (error == 0)
		signals_commit(0);
	signals_restore(&before);
	return error;
}

int
replace_check(const char *path)
{
	struct new_file file;
	struct stat status;
	int error;

	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return S_ISDIR(status.st_mode) ? -EISDIR : 0;
	error = new_file_create(&file, path);
	if (error == 0)
		new_file_drop(&file);
	return error;
}
