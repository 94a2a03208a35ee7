/* SPDX-License-Identifier: MIT */
/*
 * config_find.c - the way up to .git, and reading.
 */
#include "cli/config_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd_io.h"

/* A FIFO does not hold us up, a terminal does not become ours. */
#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

/* All of an open file; -errno. Closes it. */
static int
read_whole(int fd, char **text, size_t *bytes)
{
	int error = fd_read_regular(fd, CONFIG_BYTES_MAX, text, bytes);

	close(fd);
	return error;
}

/* Without openat2(): no link at all on the way. */
static int
open_by_steps(int dir_fd)
{
	int agent_fd = openat(dir_fd, ".agent",
			      O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
	int fd;

	if (agent_fd < 0)
		return -errno;
	fd = openat(agent_fd, "config.yml", OPEN_FLAGS | O_NOFOLLOW);
	if (fd < 0)
		fd = -errno;
	close(agent_fd);
	return fd;
}

/* The file below a directory; links may not lead out of it. */
static int
open_below(const char *directory)
{
	const struct open_how how = {
		.flags = OPEN_FLAGS,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	int dir_fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	long fd;

	if (dir_fd < 0)
		return -errno;
	fd = syscall(SYS_openat2, dir_fd, CONFIG_FILE, &how, sizeof(how));
	if (fd < 0)
		fd = -errno;
	/* EPERM: a sandbox that has not heard of openat2() */
	if (fd == -ENOSYS || fd == -EPERM)
		fd = open_by_steps(dir_fd);
	close(dir_fd);
	return fd == -ENOTDIR ? -ENOENT : (int)fd;
}

/*
 * The directory above the working directory that has a .git, as "../.."; false:
 * there is none, or it is the working directory itself.
 */
static bool
find_root(char *out, size_t size)
{
	struct stat here;
	struct stat st;
	char path[CONFIG_SHOWN_BYTES + 8];
	size_t n = 0;

	if (stat(".git", &st) == 0 || stat(".", &here) != 0)
		return false;
	for (int i = 0; i < CONFIG_LEVELS_MAX; i++) {
		n += (size_t)snprintf(out + n, size - n, "%s..",
				      i > 0 ? "/" : "");
		if (stat(out, &st) != 0 ||
		    (st.st_dev == here.st_dev && st.st_ino == here.st_ino))
			return false; /* the root of all */
		here = st;
		snprintf(path, sizeof(path), "%s/.git", out);
		if (stat(path, &st) == 0)
			return true;
	}
	return false;
}

int
config_file_find(char shown[static CONFIG_SHOWN_BYTES], char **text,
		 size_t *bytes)
{
	char root[3 * CONFIG_LEVELS_MAX + 1];
	int fd = open_below(".");

	snprintf(shown, CONFIG_SHOWN_BYTES, "%s", CONFIG_FILE);
	if (fd == -ENOENT && find_root(root, sizeof(root))) {
		snprintf(shown, CONFIG_SHOWN_BYTES, "%s/%s", root, CONFIG_FILE);
		fd = open_below(root);
	}
	return fd < 0 ? fd : read_whole(fd, text, bytes);
}

int
config_file_read(const char *path, char **text, size_t *bytes)
{
	int fd = open(path, OPEN_FLAGS);

	return fd < 0 ? -errno : read_whole(fd, text, bytes);
}

const char *
config_file_error(int error)
{
	switch (error) {
	case -EFBIG:
		return "it is larger than 256 KiB";
	case -EINVAL:
		return "it is not a regular file";
	case -EXDEV:
	case -ELOOP:
		return "a link on the way leads out of its directory";
	default:
		return strerror(-error);
	}
}
