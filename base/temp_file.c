/* SPDX-License-Identifier: MIT */
/*
 * temp_file.c - choosing a directory by its file system.
 */
#include "base/temp_file.h"

#include <linux/magic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/new_file.h"

size_t
temp_file_dirs(const char *out[static TEMP_FILE_DIRS])
{
	const char *dir = getenv("TMPDIR");

	out[0] = dir;
	if (dir != NULL && *dir != '\0')
		return 1;
	out[0] = "/tmp";
	out[1] = "/var/tmp";
	return 2;
}

bool
temp_file_is_in_memory(int fd)
{
	struct statfs fs;

	return fstatfs(fd, &fs) == 0 && ((uint64_t)fs.f_type == TMPFS_MAGIC ||
					 (uint64_t)fs.f_type == RAMFS_MAGIC);
}

int
temp_file_open(void)
{
	const char *dirs[TEMP_FILE_DIRS];
	size_t nr = temp_file_dirs(dirs);
	int kept = new_file_nameless(dirs[0]);

	for (size_t i = 1; i < nr; i++) {
		int fd;

		if (kept >= 0 && !temp_file_is_in_memory(kept))
			break;
		fd = new_file_nameless(dirs[i]);
		if (fd < 0)
			continue;
		if (kept >= 0)
			close(kept);
		kept = fd;
	}
	return kept;
}
