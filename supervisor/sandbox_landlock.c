/* SPDX-License-Identifier: MIT */
/*
 * sandbox_landlock.c - the file system out of reach.
 *
 * Does: best effort by the kernel's version of Landlock: whatever right it
 *       knows is taken, but for what is to be done in some places.
 * Limits: there is no library for it; the structures are written out, since
 *         the system's headers may be older than its kernel.
 */
#include "supervisor/sandbox_layers.h"

#include "supervisor/sandbox.h"

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

/* The version that the kernel speaks; -errno: it does not. */
static int
landlock_version(void)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
			       LANDLOCK_CREATE_RULESET_VERSION);

	if (version > 0)
		return (int)version;
	return version < 0 ? -errno : -ENOSYS;
}

int
landlock_probe(void)
{
	const int version = landlock_version();

	if (version < 0)
		return version;
	/* without a ruleset: whoever lets them through finds fault with that */
	if (syscall(SYS_landlock_add_rule, -1, LANDLOCK_RULE_PATH_BENEATH, NULL,
		    0) != 0 &&
	    errno != EBADF)
		return -errno;
	if (syscall(SYS_landlock_restrict_self, -1, 0) != 0 && errno != EBADF)
		return -errno;
	return 0;
}

bool
landlock_lets_move(void)
{
	return landlock_version() >= 2;
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

/* Of all rights that the kernel knows; -errno. */
static int
create_ruleset(void)
{
	const struct ruleset all = all_rights(landlock_version());
	int fd =
		(int)syscall(SYS_landlock_create_ruleset, &all, sizeof(all), 0);

	return fd < 0 ? -errno : fd;
}

#define RIGHTS_OF_FILE (LANDLOCK_ACCESS_FS_WRITE_FILE | RIGHT_TRUNCATE)

/* `of_dir`: rights on what is below, if it is a directory; a file has those of
 * them that are about its content. */
static int
allow_fd(int ruleset, int fd, uint64_t of_dir)
{
	struct landlock_path_beneath_attr rule = {
		.allowed_access = LANDLOCK_ACCESS_FS_READ_FILE,
		.parent_fd = fd,
	};
	struct stat status;

	if (fstat(fd, &status) != 0)
		return -errno;
	rule.allowed_access |=
		S_ISDIR(status.st_mode) ? of_dir : of_dir & RIGHTS_OF_FILE;
	if (syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH,
		    &rule, 0) == 0)
		return 0;
	/* a pipe: /dev/stdin, say; it is on no file system and so allowed */
	return errno == EBADFD ? 0 : -errno;
}

static int
allow_path(int ruleset, const char *path, uint64_t of_dir)
{
	int fd = open(path, O_PATH | O_CLOEXEC);
	int error;

	if (fd < 0)
		return 0; /* who reads it could not either, and says so */
	error = allow_fd(ruleset, fd, of_dir);
	close(fd);
	return error;
}

/* Rights on what is below a directory, besides reading files. */
static uint64_t
rights_below(enum sandbox_access access)
{
	const int version = landlock_version();
	uint64_t writing = LANDLOCK_ACCESS_FS_WRITE_FILE;
	uint64_t moving = version >= 2 ? LANDLOCK_ACCESS_FS_REFER : 0;

	if (version >= 3)
		writing |= RIGHT_TRUNCATE;
	switch (access) {
	case SANDBOX_WRITES:
		return writing | moving | LANDLOCK_ACCESS_FS_READ_DIR |
		       LANDLOCK_ACCESS_FS_MAKE_REG |
		       LANDLOCK_ACCESS_FS_MAKE_DIR |
		       LANDLOCK_ACCESS_FS_REMOVE_FILE;
	case SANDBOX_MAKES_TEMP:
		return writing;
	case SANDBOX_READS:
	default:
		return LANDLOCK_ACCESS_FS_READ_DIR;
	}
}

int
landlock_confine(const struct sandbox_place *places, size_t nr)
{
	int fd = create_ruleset();
	int error = fd < 0 ? fd : 0;

	if (fd < 0)
		return error;
	for (size_t i = 0; i < nr && error == 0; i++) {
		uint64_t of_dir = rights_below(places[i].access);

		error = places[i].path != NULL
				? allow_path(fd, places[i].path, of_dir)
				: allow_fd(fd, places[i].fd, of_dir);
	}
	if (error == 0 && syscall(SYS_landlock_restrict_self, fd, 0) != 0)
		error = -errno;
	close(fd);
	return error;
}
