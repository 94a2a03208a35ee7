/* SPDX-License-Identifier: MIT */
/*
 * user_file.c - directories of the environment.
 */
#include "base/user_file.h"

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	const char *variable;
	const char *below_home;
} places[] = {
	[USER_FILE_STATE] = { "XDG_STATE_HOME", "/.local/state" },
	[USER_FILE_CACHE] = { "XDG_CACHE_HOME", "/.cache" },
};

int
user_file_path(char *out, size_t size, enum user_file kind, const char *name)
{
	const char *top = getenv(places[kind].variable);
	const char *below = "";
	int bytes;

	/* the specification: what is not absolute is to be passed over */
	if (top == NULL || *top != '/') {
		top = getenv("HOME");
		below = places[kind].below_home;
	}
	if (top == NULL || *top != '/')
		return -ENOENT;
	bytes = snprintf(out, size, "%s%s/bale/%s", top, below, name);
	return (size_t)bytes < size ? 0 : -ENAMETOOLONG;
}

/* Whether a path lies in a home directory that does not exist: of a user of
 * the system, such as /nonexistent, or not mounted yet. */
static bool
lacks_home(const char *path)
{
	const char *home = getenv("HOME");
	size_t bytes = home == NULL ? 0 : strlen(home);

	while (bytes > 0 && home[bytes - 1] == '/')
		bytes--;
	return bytes > 0 && strncmp(path, home, bytes) == 0 &&
	       path[bytes] == '/' && access(home, F_OK) != 0 && errno == ENOENT;
}

int
user_file_make_parents(const char *path)
{
	char above[PATH_MAX];

	if (lacks_home(path))
		return -ENOENT;
	if ((size_t)snprintf(above, sizeof(above), "%s", path) >= sizeof(above))
		return -ENAMETOOLONG;
	for (char *p = strchr(above + 1, '/'); p != NULL;
	     p = strchr(p + 1, '/')) {
		*p = '\0';
		if (mkdir(above, 0700) != 0 && errno != EEXIST)
			return -errno;
		*p = '/';
	}
	return 0;
}
