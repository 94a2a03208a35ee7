/* SPDX-License-Identifier: MIT */
/*
 * collect_io_files.c - a list of files in place of a walk.
 *
 * Does: see collect_io_files.h.
 */
#include "stages/collect/collect_io_files.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/open_below.h"
#include "base/sorted.h"

/* The path without its last part. */
static size_t
without_last(const char *path, size_t bytes)
{
	const char *slash = memrchr(path, '/', bytes);

	return slash == NULL ? 0 : (size_t)(slash - path);
}

/* "./a//c/../b/" is "a/b", as git takes it: whatever c is, nothing is looked up.
 * Bytes written, 0: it is not below the root. */
static size_t
clean_path(const char *from, char *to)
{
	size_t bytes = 0;

	if (*from == '/')
		return 0;
	while (*from != '\0') {
		size_t length = strcspn(from, "/");

		if (length == 2 && from[0] == '.' && from[1] == '.') {
			if (bytes == 0)
				return 0;
			bytes = without_last(to, bytes);
		} else if (length > 0 && !(length == 1 && from[0] == '.')) {
			if (bytes > 0)
				to[bytes++] = '/';
			memcpy(to + bytes, from, length);
			bytes += length;
		}
		from += length;
		from += *from == '/';
	}
	to[bytes] = '\0';
	return bytes;
}

/* What a whole path has behind a directory; NULL: it is not below. */
static const char *
behind(const char *path, const char *dir)
{
	size_t bytes = dir == NULL ? 0 : strlen(dir);

	while (bytes > 0 && dir[bytes - 1] == '/')
		bytes--;
	if (dir == NULL || strncmp(path, dir, bytes) != 0 || path[bytes] != '/')
		return NULL;
	return path + bytes + strspn(path + bytes, "/");
}

/* The whole path of a root: as it was typed, and without symbolic links. */
struct root_paths {
	char *typed; /* NULL: unknown */
	char *real;
};

static void
find_root_paths(struct root_paths *root, const char *typed)
{
	char *here = NULL;

	root->real = realpath(typed, NULL);
	if (typed[0] == '/')
		root->typed = strdup(typed);
	else if ((here = getcwd(NULL, 0)) != NULL &&
		 asprintf(&root->typed, "%s/%s", here, typed) < 0)
		root->typed = NULL;
	free(here);
}

/* A listed path, as it is below the root if it can be. */
static const char *
below_root(const char *path, struct root_paths *root, const char *typed)
{
	const char *below;

	if (path[0] != '/')
		return path;
	if (root->real == NULL && root->typed == NULL)
		find_root_paths(root, typed);
	below = behind(path, root->real);
	if (below == NULL)
		below = behind(path, root->typed);
	return below == NULL ? path : below;
}

static int
compare(const void *a, const void *b)
{
	return strcmp(((const struct files_path *)a)->text,
		      ((const struct files_path *)b)->text);
}

static void
drop_doubles(struct files *files)
{
	size_t nr = 0;

	for (size_t i = 0; i < files->nr; i++) {
		if (nr == 0 ||
		    compare(&files->paths[nr - 1], &files->paths[i]) != 0)
			files->paths[nr++] = files->paths[i];
	}
	files->nr = nr;
}

/* The paths, cleaned, into files->text. */
static int
take_paths(struct files *files, const char *root, const char *const *paths,
	   uint32_t *bad)
{
	struct root_paths whole = { NULL, NULL };
	size_t bytes = 0;
	int error = 0;

	for (uint32_t i = 0; i < files->nr && error == 0; i++) {
		struct files_path *path = &files->paths[i];

		path->text = files->text + bytes;
		path->bytes = clean_path(below_root(paths[i], &whole, root),
					 files->text + bytes);
		bytes += path->bytes + 1;
		if (path->bytes > 0)
			continue;
		*bad = i;
		error = -EINVAL;
	}
	free(whole.typed);
	free(whole.real);
	return error;
}

int
files_init(struct files *files, const char *root, const char *const *paths,
	   uint32_t nr, uint32_t *bad)
{
	size_t bytes = 0;
	int error;

	*files = (struct files){ .dir_fd = -1 };
	for (uint32_t i = 0; i < nr; i++)
		bytes += strlen(paths[i]) + 1;
	files->text = malloc(bytes + 1);
	files->paths = calloc((size_t)nr + 1, sizeof(*files->paths));
	if (files->text == NULL || files->paths == NULL)
		return -ENOMEM;
	files->nr = nr;
	error = take_paths(files, root, paths, bad);
	if (error != 0)
		return error;
	qsort(files->paths, nr, sizeof(*files->paths), compare);
	drop_doubles(files);
	return 0;
}

static void
close_dir(struct files *files, int root_fd)
{
	if (files->dir_fd >= 0 && files->dir_fd != root_fd)
		close(files->dir_fd);
	files->dir_fd = -1;
}

void
files_free(struct files *files, int root_fd)
{
	if (files->paths != NULL)
		close_dir(files, root_fd);
	free(files->paths);
	free(files->text);
	*files = (struct files){ .dir_fd = -1 };
}

int
files_open_dir(struct files *files, int root_fd, int *dir_fd)
{
	const struct files_path *path = &files->paths[files->pos];
	const char *before = files->paths[files->dir_of].text;
	const char *slash = memrchr(path->text, '/', path->bytes);
	size_t bytes = slash == NULL ? 0 : (size_t)(slash - path->text);
	int fd = root_fd;

	if (files->dir_fd < 0 || files->dir_bytes != bytes ||
	    memcmp(before, path->text, bytes) != 0) {
		close_dir(files, root_fd);
		if (bytes > 0)
			fd = open_directory_deep(root_fd, path->text, bytes);
		if (fd < 0)
			return fd;
		files->dir_fd = fd;
		files->dir_bytes = bytes;
		files->dir_of = files->pos;
	}
	*dir_fd = files->dir_fd;
	return 0;
}

static bool
is_no_later(const void *path, const void *other)
{
	const struct files_path *a = path;
	const struct files_path *b = other;

	return compare_bytes(a->text, a->bytes, b->text, b->bytes) <= 0;
}

void
files_seek(struct files *files, const char *path, size_t bytes)
{
	const struct files_path last = { .text = path, .bytes = bytes };

	files->pos = sorted_first(files->paths, files->nr,
				  sizeof(files->paths[0]), &last, is_no_later);
}
