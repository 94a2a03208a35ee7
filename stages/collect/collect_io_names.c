/* SPDX-License-Identifier: MIT */
/*
 * collect_io_names.c - the trees that PATHs are of, and names that tell them apart.
 *
 * Directories are sorted so that what is below one comes right after it. A tree
 * begins with the last part of its path, and takes one more while another one's
 * name is the same, or a directory of it.
 */
#include "stages/collect/collect_io_names.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/sorted.h"

/* A directory that is packed as a tree. */
struct top {
	const char *dir; /* absolute, without a slash at the end but "/" */
	const char *name;
};

struct naming {
	const char *const *roots;
	size_t nr;
	char **dirs; /* of each PATH: it, or what it lies in; NULL: unknown */
	bool *is_file;
	char *cwd; /* NULL: it has no path */
	struct top *tops;
	size_t top_nr;
	size_t common; /* bytes of the directory that all of them lie in, with
			* its slash */
};

/* Below it, or the same. */
static bool
is_within(const char *dir, const char *of)
{
	size_t bytes = strlen(of);

	if (strcmp(of, "/") == 0)
		return true;
	return strncmp(dir, of, bytes) == 0 &&
	       (dir[bytes] == '/' || dir[bytes] == '\0');
}

/* As strcmp(), and a slash before all else. */
static int
compare_paths(const char *a, const char *b)
{
	while (*a == *b && *a != '\0') {
		a++;
		b++;
	}
	if (*a == '\0' || *b == '\0')
		return (*a != '\0') - (*b != '\0');
	if (*a == '/' || *b == '/')
		return *a == '/' ? -1 : 1;
	return (unsigned char)*a < (unsigned char)*b ? -1 : 1;
}

static int
by_dir(const void *a, const void *b)
{
	return compare_paths(((const struct top *)a)->dir,
			     ((const struct top *)b)->dir);
}

static int
by_name(const void *a, const void *b)
{
	return compare_paths(((const struct top *)a)->name,
			     ((const struct top *)b)->name);
}

/* In order, and none that is within another. */
static void
sort_tops(struct naming *naming)
{
	size_t kept = 0;

	qsort(naming->tops, naming->top_nr, sizeof(struct top), by_dir);
	for (size_t i = 0; i < naming->top_nr; i++)
		if (kept == 0 ||
		    !is_within(naming->tops[i].dir, naming->tops[kept - 1].dir))
			naming->tops[kept++] = naming->tops[i];
	naming->top_nr = kept;
}

static bool
is_no_later(const void *top, const void *dir)
{
	return compare_paths(((const struct top *)top)->dir, dir) <= 0;
}

/* The tree that a directory is in; NULL: none. */
static const struct top *
top_of(const struct naming *naming, const char *dir)
{
	size_t nr = sorted_first(naming->tops, naming->top_nr,
				 sizeof(naming->tops[0]), dir, is_no_later);

	if (nr == 0 || !is_within(dir, naming->tops[nr - 1].dir))
		return NULL;
	return &naming->tops[nr - 1];
}

static void
add_top(struct naming *naming, const char *dir)
{
	naming->tops[naming->top_nr++] = (struct top){ .dir = dir };
}

static void
find_tops(struct naming *naming)
{
	size_t dir_nr;

	for (size_t i = 0; i < naming->nr; i++)
		if (naming->dirs[i] != NULL && !naming->is_file[i])
			add_top(naming, naming->dirs[i]);
	sort_tops(naming);
	dir_nr = naming->top_nr;
	for (size_t i = 0; i < naming->nr; i++) {
		const char *dir = naming->dirs[i];
		size_t all = naming->top_nr;
		bool is_known;

		if (dir == NULL || !naming->is_file[i])
			continue;
		naming->top_nr = dir_nr;
		is_known = top_of(naming, dir) != NULL;
		naming->top_nr = all;
		if (!is_known)
			add_top(naming,
				naming->cwd != NULL &&
						is_within(dir, naming->cwd)
					? naming->cwd
					: dir);
	}
	sort_tops(naming);
}

/* What the first and the last have in common have all that are between. */
static void
find_common(struct naming *naming)
{
	const char *first = naming->tops[0].dir;
	const char *last = naming->tops[naming->top_nr - 1].dir;

	for (size_t i = 0; first[i] == last[i] && first[i] != '\0'; i++)
		if (first[i] == '/')
			naming->common = i + 1;
}

/* One more part of its path before its name; false: it has all that there is
 * below the directory that all trees lie in. */
static bool
lengthen(const struct naming *naming, struct top *top)
{
	const char *start = top->dir + naming->common;

	if (top->name == start)
		return false;
	top->name--;
	while (top->name > start && top->name[-1] != '/')
		top->name--;
	return true;
}

/* Names by which all trees differ; a single one has none. */
static void
name_tops(struct naming *naming)
{
	bool again = naming->top_nr > 1;

	if (again)
		find_common(naming);
	for (size_t i = 0; i < naming->top_nr; i++) {
		struct top *top = &naming->tops[i];

		top->name = top->dir + strlen(top->dir);
		if (again)
			lengthen(naming, top);
	}
	while (again) {
		bool is_same = false;

		again = false;
		qsort(naming->tops, naming->top_nr, sizeof(struct top),
		      by_name);
		for (size_t i = naming->top_nr; i-- > 0;) {
			bool was_same = is_same;

			is_same = i > 0 && is_within(naming->tops[i].name,
						     naming->tops[i - 1].name);
			if (is_same || was_same)
				again |= lengthen(naming, &naming->tops[i]);
		}
	}
	qsort(naming->tops, naming->top_nr, sizeof(struct top), by_dir);
}

/* ---- names -------------------------------------------------------------- */

/* "name/rest/", without a slash before or between what is empty. */
static char *
join(const char *name, const char *rest)
{
	char *joined;

	while (*rest == '/')
		rest++;
	if (asprintf(&joined, "%s%s%s%s", name, *name != '\0' ? "/" : "", rest,
		     *rest != '\0' ? "/" : "") < 0)
		return NULL;
	return joined;
}

/* The path of a directory from another one. */
static char *
path_from(const char *dir, const char *other)
{
	char from[PATH_MAX];
	char up[2 * PATH_MAX] = "";
	size_t nr = 0;

	snprintf(from, sizeof(from), "%s", other);
	while (!is_within(dir, from)) {
		char *slash = strrchr(from, '/');

		slash[slash == from] = '\0';
		nr += (size_t)snprintf(up + nr, sizeof(up) - nr, "%s..",
				       nr > 0 ? "/" : "");
	}
	return join(up, dir + strlen(from));
}

static char *
name_of(const struct naming *naming, const char *dir, enum paths_mode mode)
{
	const struct top *top;

	if (dir == NULL || (mode == PATHS_CWD && naming->cwd == NULL))
		return strdup("");
	if (mode == PATHS_ABSOLUTE)
		return dir[1] == '\0' ? strdup("/") : join(dir, "");
	if (mode == PATHS_CWD)
		return path_from(dir, naming->cwd);
	top = top_of(naming, dir);
	ASSERT(top != NULL);
	return join(top->name, dir + strlen(top->dir));
}

/* The directory of a PATH, without links. */
static int
find_dir(struct naming *naming, size_t i)
{
	const char *typed = naming->roots[i];
	const char *slash = strrchr(typed, '/');
	char *parent = NULL;
	struct stat st;

	/* a dangling link is a file, too */
	naming->is_file[i] = stat(typed, &st) != 0 || !S_ISDIR(st.st_mode);
	if (naming->is_file[i]) {
		parent = slash == NULL
				 ? strdup(".")
				 : strndup(typed, (size_t)(slash - typed) + 1);
		if (parent == NULL)
			return -ENOMEM;
		typed = parent;
	}
	naming->dirs[i] = realpath(typed, NULL);
	free(parent);
	return 0;
}

static int
name_all(struct naming *naming, enum paths_mode mode, char **names)
{
	for (size_t i = 0; i < naming->nr; i++) {
		int error = find_dir(naming, i);

		if (error != 0)
			return error;
	}
	find_tops(naming);
	name_tops(naming);
	for (size_t i = 0; i < naming->nr; i++) {
		names[i] = name_of(naming, naming->dirs[i], mode);
		if (names[i] == NULL)
			return -ENOMEM;
	}
	return 0;
}

int
collect_names(const char *const *roots, size_t nr, enum paths_mode mode,
	      char ***names)
{
	struct naming naming = { .roots = roots, .nr = nr };
	char **made = calloc(nr + 1, sizeof(*made));
	int error = -ENOMEM;

	naming.dirs = calloc(nr + 1, sizeof(*naming.dirs));
	naming.is_file = calloc(nr + 1, sizeof(*naming.is_file));
	naming.tops = calloc(nr + 1, sizeof(*naming.tops));
	naming.cwd = realpath(".", NULL);
	if (made != NULL && naming.dirs != NULL && naming.is_file != NULL &&
	    naming.tops != NULL)
		error = name_all(&naming, mode, made);
	for (size_t i = 0; naming.dirs != NULL && i < nr; i++)
		free(naming.dirs[i]);
	free(naming.dirs);
	free(naming.is_file);
	free(naming.tops);
	free(naming.cwd);
	if (error == 0) {
		*names = made;
		return 0;
	}
	for (size_t i = 0; made != NULL && i < nr; i++)
		free(made[i]);
	free(made);
	return error;
}
