/* SPDX-License-Identifier: MIT */
/*
 * absolute_path.c - paths from the root on, by their names alone.
 */
#include "base/absolute_path.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Appends the parts of a path that say something to an absolute one. */
static bool
append_path(char *out, size_t size, const char *path)
{
	size_t used = strlen(out);

	while (*path != '\0') {
		size_t nr = strcspn(path, "/");

		if (nr > 0 && !(nr == 1 && *path == '.')) {
			if (used + nr + 2 > size)
				return false;
			out[used] = '/';
			memcpy(out + used + 1, path, nr);
			used += nr + 1;
			out[used] = '\0';
		}
		path += nr + (path[nr] == '/');
	}
	return true;
}

/* What of a path is behind the ../ that it begins with: as many parts at the end
 * of `here`, which has no links, are cut off. */
static const char *
climb(char *here, const char *path)
{
	for (;;) {
		size_t nr = strcspn(path, "/");
		char *slash = strrchr(here, '/');

		if (nr == 2 && memcmp(path, "..", 2) == 0)
			slash[slash == here] = '\0';
		else if (nr != 1 || *path != '.')
			return path;
		path += nr + strspn(path + nr, "/");
	}
}

int
absolute_path(char *out, size_t size, const char *path)
{
	char here[PATH_MAX];

	out[0] = '\0';
	if (*path != '/') {
		if (getcwd(here, sizeof(here)) == NULL)
			return -errno;
		path = climb(here, path);
		if (!append_path(out, size, here))
			return -ENAMETOOLONG;
	}
	if (!append_path(out, size, path))
		return -ENAMETOOLONG;
	if (out[0] == '\0')
		snprintf(out, size, "/");
	return 0;
}

bool
absolute_path_holds(const char *dir, const char *path)
{
	size_t bytes = strlen(dir);

	return strncmp(dir, path, bytes) == 0 &&
	       (path[bytes] == '\0' || path[bytes] == '/' || bytes == 1);
}
