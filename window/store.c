/* SPDX-License-Identifier: MIT */
/*
 * store.c - open, lock, look again, replace.
 */
#include "window/store.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "shm/diag.h"
#include "shm/fd_io.h"
#include "window/impl.h"
#include "window/text.h"

#define READ_BYTES 65536
#define QUOTE_BYTES 256
#define POLL_NS 2000000
#define FILE_MODE 0600 /* conversations are private */

static int
fail_path(struct window_error *error, int result, const char *path,
	  const char *doing)
{
	char quoted[QUOTE_BYTES];

	diag_quote_text(quoted, sizeof(quoted), path);
	if (result == -ENOENT)
		return window_fail(error, result,
				   "BALE-WIN-015 %s: no such file", quoted);
	return window_fail(error, result, "BALE-WIN-015 %s: %s: %s", quoted,
			   doing, strerrordesc_np(-result));
}

int
store_read_fd(int fd, size_t max_bytes, char **text, size_t *bytes)
{
	struct text all = { 0 };
	char *buffer = malloc(READ_BYTES);
	int result = buffer == NULL ? -ENOMEM : 0;

	while (result == 0) {
		ssize_t n = read(fd, buffer, READ_BYTES);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			result = -errno;
		if (n <= 0)
			break;
		if (all.nr + (size_t)n > max_bytes)
			result = -EFBIG;
		else
			text_add(&all, buffer, (size_t)n);
		if (all.failed)
			result = -ENOMEM;
	}
	free(buffer);
	*bytes = all.nr;
	if (result == 0) {
		*text = text_take(&all);
		return *text == NULL ? -ENOMEM : 0;
	}
	text_fini(&all);
	return result;
}

/*
 * A whole new file beside the target, under a name of its own.
 * *temp: free(); NULL on failure, and nothing is left then.
 */
static int
write_beside(const char *path, const char *text, size_t bytes, mode_t mode,
	     char **temp)
{
	char *name = NULL;
	int result = 0;
	int fd;

	*temp = NULL;
	if (asprintf(&name, "%s.XXXXXX", path) < 0)
		return -ENOMEM;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd < 0) {
		result = -errno;
		free(name);
		return result;
	}
	result = fd_write_all(fd, text, bytes);
	if (result == 0 && fchmod(fd, mode) != 0)
		result = -errno;
	if (result == 0 && fsync(fd) != 0)
		result = -errno;
	if (close(fd) != 0 && result == 0)
		result = -errno;
	if (result != 0) {
		unlink(name);
		free(name);
		return result;
	}
	*temp = name;
	return 0;
}

/* Makes the file whole at once; somebody else's is as good. */
static int
create(const char *path, const char *initial, uint64_t *inode)
{
	struct stat info;
	char *temp;
	int result =
		write_beside(path, initial, strlen(initial), FILE_MODE, &temp);

	if (temp == NULL)
		return result;
	if (link(temp, path) == 0)
		*inode = stat(temp, &info) == 0 ? info.st_ino : 0;
	else if (errno != EEXIST)
		result = -errno;
	unlink(temp);
	free(temp);
	return result;
}

/* Whether the name still stands for the open file. */
static bool
is_current(int fd, const char *path)
{
	struct stat open_one;
	struct stat named;

	return fstat(fd, &open_one) == 0 && stat(path, &named) == 0 &&
	       open_one.st_ino == named.st_ino &&
	       open_one.st_dev == named.st_dev;
}

/* Locks what the name stands for; -EAGAIN: somebody has it. */
static int
try_lock(struct store *store)
{
	struct stat info;
	int result = 0;
	int fd = open(store->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return -errno;
	if (fstat(fd, &info) != 0)
		result = -errno;
	else if (!S_ISREG(info.st_mode))
		result = -EINVAL;
	else if (flock(fd, LOCK_EX | LOCK_NB) != 0)
		result = -errno;
	else if (!is_current(fd, store->path))
		result = -EAGAIN;
	if (result != 0)
		close(fd);
	else
		store->fd = fd;
	return result;
}

/* The target of links, so that a link stays one. */
static char *
resolve(const char *path)
{
	char *real = realpath(path, NULL);

	return real != NULL ? real : strdup(path);
}

int
store_open(struct store *store, const char *path, const char *initial,
	   uint64_t wait_ms, struct window_error *error)
{
	char quoted[QUOTE_BYTES];
	uint64_t end_ns = clock_ns() + wait_ms * 1000000;
	const struct timespec pause = { .tv_nsec = POLL_NS };
	int result;

	*store = (struct store){ .fd = -1, .path = resolve(path) };
	if (store->path == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	for (;;) {
		result = try_lock(store);
		if (result == -ENOENT && initial != NULL) {
			result = create(store->path, initial,
					&store->made_inode);
			if (result == 0)
				continue;
		}
		if (result != -EAGAIN && result != -EINTR)
			break;
		if (clock_ns() >= end_ns) {
			result = -ETIMEDOUT;
			break;
		}
		nanosleep(&pause, NULL);
	}
	if (result == 0)
		return 0;
	store_close(store);
	if (result == -ETIMEDOUT)
		return window_fail(
			error, result,
			"BALE-WIN-016 %s is in use by another "
			"process since %llu s; try again, or see "
			"who: fuser FILE",
			diag_quote_text(quoted, sizeof(quoted), path),
			(unsigned long long)wait_ms / 1000);
	return fail_path(error, result, path, "cannot be opened");
}

int
store_read(struct store *store, char **text, size_t *bytes,
	   struct window_error *error)
{
	char quoted[QUOTE_BYTES];
	int result;

	if (lseek(store->fd, 0, SEEK_SET) != 0)
		result = -errno;
	else
		result = store_read_fd(store->fd, STORE_BYTES_MAX, text, bytes);
	if (result == -EFBIG)
		return window_fail(
			error, result,
			"BALE-WIN-015 %s is larger than %llu MiB; "
			"that is no window",
			diag_quote_text(quoted, sizeof(quoted), store->path),
			STORE_BYTES_MAX >> 20);
	return result == 0 ? 0
			   : fail_path(error, result, store->path,
				       "cannot be read");
}

int
store_replace(struct store *store, const char *text, size_t bytes,
	      struct window_error *error)
{
	struct stat info;
	char *temp;
	mode_t mode = FILE_MODE;
	int result;

	if (fstat(store->fd, &info) == 0)
		mode = info.st_mode & 07777;
	result = write_beside(store->path, text, bytes, mode, &temp);
	if (temp != NULL && rename(temp, store->path) != 0) {
		result = -errno;
		unlink(temp);
	}
	free(temp);
	if (result != 0)
		return fail_path(error, result, store->path,
				 "cannot be written");
	store->made_inode = 0;
	return 0;
}

/* Whoever waits for the lock sees that the file is gone and makes another. */
static void
remove_unwritten(const struct store *store)
{
	struct stat info;

	if (store->made_inode != 0 && fstat(store->fd, &info) == 0 &&
	    info.st_ino == store->made_inode &&
	    is_current(store->fd, store->path))
		unlink(store->path);
}

void
store_close(struct store *store)
{
	if (store->fd >= 0) {
		remove_unwritten(store);
		close(store->fd);
	}
	free(store->path);
	*store = (struct store){ .fd = -1 };
}
