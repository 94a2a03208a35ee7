/* SPDX-License-Identifier: MIT */
/*
 * store.c - open, lock, look again, replace; a window that lives in a file.
 */
#include "window/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/diag.h"
#include "base/fd_io.h"
#include "base/open_below.h"
#include "base/new_file.h"
#include "base/signals.h"
#include "window/outside.h"
#include "window/window_impl.h"

struct window_file {
	struct store store;
	struct window *window;
};

/* What a file that is not there yet holds. */
static char *
initial_text(const struct window_options *options, struct window_error *error)
{
	struct window *window;
	char *text;

	if (window_create(&window, options, error) != 0)
		return NULL;
	text = window_save(window);
	window_destroy(window);
	if (text == NULL)
		window_fail(error, -ENOMEM, "out of memory");
	return text;
}

static int
read_window(struct window_file *file, const struct window_options *options,
	    struct window_error *error)
{
	char *text;
	size_t bytes;
	int result = store_read(&file->store, &text, &bytes, error);

	if (result != 0)
		return result;
	result = window_load(&file->window, options, text, bytes, error);
	free(text);
	return result;
}

int
window_file_open(struct window_file **out, const char *path,
		 const struct window_options *options, bool create,
		 struct window_error *error)
{
	struct window_file *file = calloc(1, sizeof(*file));
	char *initial = NULL;
	int result = 0;

	if (file == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	file->store.fd = -1;
	if (create) {
		initial = initial_text(options, error);
		if (initial == NULL)
			result = -EINVAL;
	}
	if (result == 0)
		result = store_open(&file->store, path, initial,
				    options->wait_ms, error);
	if (result == 0)
		result = read_window(file, options, error);
	free(initial);
	if (result != 0) {
		window_file_close(file);
		return result;
	}
	*out = file;
	return 0;
}

struct window *
window_file_window(struct window_file *file)
{
	return file->window;
}

int
window_file_commit(struct window_file *file, struct window_error *error)
{
	char *text = window_save(file->window);
	int result;

	if (text == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	result = window_check_saved(text, strlen(text), error);
	if (result == 0)
		result = store_replace(&file->store, text, strlen(text), error);
	free(text);
	return result;
}

void
window_file_close(struct window_file *file)
{
	if (file == NULL)
		return;
	window_destroy(file->window);
	store_close(&file->store);
	free(file);
}

#define POLL_NS 2000000
#define FILE_MODE 0600 /* conversations are private */

static int
fail_path(struct window_error *error, int result, const char *path,
	  const char *doing)
{
	if (result == -ENOENT)
		return window_fail(error, result,
				   "BALE-WIN-015 %s: no such file",
				   QUOTED(path));
	if (result == -EINVAL)
		return window_fail(error, result,
				   "BALE-WIN-015 %s: is not a regular file; "
				   "give the name of one",
				   QUOTED(path));
	return window_fail(error, result, "BALE-WIN-015 %s: %s: %s",
			   QUOTED(path), doing, diag_errno(result));
}

/* A new file with all of that, on disk before it has its name. */
static int
write_new(struct new_file *file, const char *path, const char *text,
	  size_t bytes)
{
	int result = new_file_create(file, path);

	if (result != 0)
		return result;
	result = fd_write_all(file->fd, text, bytes);
	if (result == 0 && fsync(file->fd) != 0)
		result = -errno;
	if (result != 0)
		new_file_drop(file);
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

/* Whether it is the file that was made here, and nothing was written to it. */
static bool
is_unwritten(const struct store *store)
{
	struct stat info;

	return store->made_inode != 0 && fstat(store->fd, &info) == 0 &&
	       info.st_ino == store->made_inode &&
	       is_current(store->fd, store->path);
}

/* From here on the name goes if a signal comes, as it does in store_close(). */
static void
list_unwritten(struct store *store)
{
	const char *name;

	store->dir_fd = open_parent(store->path, O_PATH, &name);
	if (store->dir_fd >= 0)
		store->listed = signals_list(store->dir_fd, name, false);
}

static void
unlist(struct store *store)
{
	if (store->listed >= 0)
		signals_unlist(store->listed);
	fd_close(store->dir_fd);
	store->listed = -1;
	store->dir_fd = -1;
}

/* Makes the file whole at once, or takes somebody else's; locks it. */
static int
create(struct store *store, const char *initial)
{
	struct stat info;
	struct new_file file;
	sigset_t before;
	int result = write_new(&file, store->path, initial, strlen(initial));

	if (result != 0)
		return result;
	signals_block(&before);
	store->made_inode = fstat(file.fd, &info) == 0 ? info.st_ino : 0;
	result = new_file_commit(&file, FILE_MODE, false);
	if (result == 0 || result == -EEXIST)
		result = try_lock(store);
	if (result == 0 && is_unwritten(store))
		list_unwritten(store);
	signals_restore(&before);
	/* it may have gone again in between */
	return result == -ENOENT ? -EAGAIN : result;
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
	uint64_t end_ns = clock_now_ns() + wait_ms * 1000000;
	const struct timespec pause = { .tv_nsec = POLL_NS };
	int result;

	*store = STORE_NONE;
	if (outside != NULL)
		return outside->open(initial, wait_ms, error);
	store->path = resolve(path);
	if (store->path == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	for (;;) {
		result = try_lock(store);
		if (result == -ENOENT && initial != NULL)
			result = create(store, initial);
		if (result != -EAGAIN && result != -EINTR)
			break;
		if (clock_now_ns() >= end_ns) {
			result = -ETIMEDOUT;
			break;
		}
		nanosleep(&pause, NULL);
	}
	if (result == 0)
		return 0;
	store_close(store);
	/* the file would have been made */
	if (result == -ENOENT && initial != NULL)
		return window_fail(error, -ENOTDIR,
				   "BALE-WIN-015 %s: its directory does not "
				   "exist; make that first",
				   QUOTED(path));
	if (result == -ETIMEDOUT)
		return window_fail(error, result,
				   "BALE-WIN-016 %s is in use by another "
				   "process since %ju s; try again, or see "
				   "who: fuser FILE",
				   QUOTED(path), wait_ms / 1000);
	return fail_path(error, result, path, "cannot be opened");
}

int
store_read(struct store *store, char **text, size_t *bytes,
	   struct window_error *error)
{
	int result;

	if (outside != NULL)
		return outside->read(text, bytes, error);
	if (lseek(store->fd, 0, SEEK_SET) != 0)
		result = -errno;
	else
		result = fd_read_all(store->fd, STORE_BYTES_MAX, text, bytes);
	if (result == -EFBIG)
		return window_fail(error, result,
				   "BALE-WIN-015 %s is larger than %d MiB; "
				   "that is no window",
				   QUOTED(store->path), STORE_MIB_MAX);
	return result == 0 ? 0
			   : fail_path(error, result, store->path,
				       "cannot be read");
}

int
store_replace(struct store *store, const char *text, size_t bytes,
	      struct window_error *error)
{
	struct stat info;
	struct new_file file;
	mode_t mode = FILE_MODE;
	sigset_t before;
	int result;

	if (outside != NULL)
		return outside->replace(text, bytes, error);
	result = write_new(&file, store->path, text, bytes);
	if (fstat(store->fd, &info) == 0)
		mode = info.st_mode & 07777;
	/* no signal takes away what has just been written */
	signals_block(&before);
	if (result == 0)
		result = new_file_commit(&file, mode, true);
	if (result == 0) {
		store->made_inode = 0;
		unlist(store);
	}
	signals_restore(&before);
	if (result == 0)
		return 0;
	fail_path(error, result, store->path, "cannot be written");
	/* EFBIG is what an input that is too large gives */
	return result == -EFBIG ? -ENOSPC : result;
}

void
store_close(struct store *store)
{
	if (outside != NULL)
		outside->close();
	if (store->fd >= 0) {
		/* whoever waits for the lock sees that it is gone and makes
		 * another */
		if (is_unwritten(store))
			unlink(store->path);
		close(store->fd);
	}
	unlist(store);
	free(store->path);
	*store = STORE_NONE;
}
