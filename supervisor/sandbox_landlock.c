/* SPDX-License-Identifier: MIT */
/*
 * sandbox_landlock.c - the file system out of reach.
 *
 * Does: best effort by the kernel's version of Landlock: whatever right it
 *       knows is taken, and reading below the roots is given back to collect.
 * Limits: there is no library for it; the structures are written out, since
 *         the system's headers may be older than its kernel.
 */
#include "supervisor/sandbox_layers.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of later versions than the headers of Debian 12. */
#define RIGHT_TRUNCATE (1ull << 14)
#define RIGHT_IOCTL_DEV (1ull << 15)
#define NET_TCP_BOTH 3ull  /* bind and connect */
#define SCOPE_SOCKETS 1ull /* abstract unix sockets */
#define SCOPE_SIGNALS 2ull

#define RIGHTS_FIRST (LANDLOCK_ACCESS_FS_MAKE_SYM * 2 - 1)

/* The kernel takes a longer one than it knows if the rest is zero. */
struct ruleset {
	uint64_t handled_access_fs;
	uint64_t handled_access_net;
	uint64_t scoped;
};

int
landlock_version(void)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
			       LANDLOCK_CREATE_RULESET_VERSION);

	return version > 0 ? (int)version : 0;
}

static struct ruleset
all_rights(int version)
{
	struct ruleset all = { .handled_access_fs = RIGHTS_FIRST };

	if (version >= 2)
		all.handled_access_fs |= LANDLOCK_ACCESS_FS_REFER;
	if (version >= 3)
		all.handled_access_fs |= RIGHT_TRUNCATE;
	if (version >= 4)
		all.handled_access_net = NET_TCP_BOTH;
	if (version >= 5)
		all.handled_access_fs |= RIGHT_IOCTL_DEV;
	if (version >= 6)
		all.scoped = SCOPE_SOCKETS | SCOPE_SIGNALS;
	return all;
}

static int
allow_reading_fd(int ruleset, int fd)
{
	struct landlock_path_beneath_attr rule = {
		.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE,
		.parent_fd = fd,
	};
	struct stat status;

	if (fstat(fd, &status) != 0)
		return -errno;
	if (S_ISDIR(status.st_mode))
		rule.allowed_access |= LANDLOCK_ACCESS_FS_READ_DIR;
	if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH,
		    &rule, 0) != 0)
		return -errno;
	return 0;
}

static int
allow_reading(int ruleset, const char *root)
{
	int fd = open(root, O_PATH | O_CLOEXEC);
	int error;

	if (fd < 0)
		return 0; /* collect could not either, and has said so */
	error = allow_reading_fd(ruleset, fd);
	close(fd);
	return error;
}

int
landlock_shut_in(const struct run *run, enum stage_id stage,
		 const struct reach *reach)
{
	const struct ruleset all = all_rights(landlock_version());
	int fd =
		(int)syscall(SYS_landlock_create_ruleset, &all, sizeof(all), 0);
	int error = 0;

	if (fd < 0)
		return -errno;
	for (size_t i = 0; i < run->options.root_nr && error == 0; i++) {
		if (stage == STAGE_COLLECT)
			error = allow_reading(fd, run->options.roots[i]);
	}
	for (uint32_t i = 0; i < reach->nr && error == 0; i++) {
		if (stage == STAGE_COLLECT)
			error = allow_reading_fd(fd, reach->fds[i]);
	}
	if (error == 0 && syscall(SYS_landlock_restrict_self, fd, 0) != 0)
		error = -errno;
	close(fd);
	return error;
}
