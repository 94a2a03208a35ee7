/* SPDX-License-Identifier: MIT */
/*
 * last_report.c - the report of the last run, in the user's state directory.
 */
#include "report/last_report.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NAME "last-report.json"

/* The directory that holds bale's own, as the XDG base directories say. */
static int
state_home(char *out, size_t size)
{
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");
	int bytes;

	/* the specification: what is not absolute is to be passed over */
	if (state != NULL && *state == '/')
		bytes = snprintf(out, size, "%s", state);
	else if (home != NULL && *home == '/')
		bytes = snprintf(out, size, "%s/.local/state", home);
	else
		return -ENOENT;
	return (size_t)bytes < size ? 0 : -ENAMETOOLONG;
}

int
last_report_path(char *out, size_t size)
{
	size_t used;
	int error = state_home(out, size);

	if (error != 0)
		return error;
	used = strlen(out);
	return (size_t)snprintf(out + used, size - used, "/bale/" NAME) <
			       size - used
		       ? 0
		       : -ENAMETOOLONG;
}

/* All directories above `path`, those that are missing for the user alone. */
static int
make_parents(const char *path)
{
	char above[PATH_MAX];

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

int
last_report_keep(const struct report *report)
{
	char path[PATH_MAX];
	mode_t mask;
	int error = last_report_path(path, sizeof(path));

	if (error == 0)
		error = make_parents(path);
	if (error != 0)
		return error;
	mask = umask(0077);
	error = report_write(report, path);
	umask(mask);
	return error;
}
