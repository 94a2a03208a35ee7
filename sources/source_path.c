/* SPDX-License-Identifier: MIT */
/*
 * source_path.c - which root a path lies below, by its name alone.
 */
#include "sources/source_impl.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *
source_absolute(const char *dir, const char *path, size_t bytes)
{
	size_t dir_bytes = bytes > 0 && *path == '/' ? 0 : strlen(dir);
	char *out = malloc(dir_bytes + bytes + 2);
	size_t at = dir_bytes;

	if (out == NULL)
		return NULL;
	memcpy(out, dir, dir_bytes);
	while (at > 0 && out[at - 1] == '/')
		at--;
	for (size_t i = 0; i < bytes;) {
		const char *piece = path + i;
		const char *slash = memchr(piece, '/', bytes - i);
		size_t nr = slash == NULL ? bytes - i : (size_t)(slash - piece);

		i += nr + 1;
		if (nr == 0 || (nr == 1 && piece[0] == '.'))
			continue;
		if (nr == 2 && memcmp(piece, "..", 2) == 0) {
			while (at > 0 && out[--at] != '/')
				;
			continue;
		}
		out[at++] = '/';
		memcpy(out + at, piece, nr);
		at += nr;
	}
	if (at == 0)
		out[at++] = '/';
	out[at] = '\0';
	return out;
}

/* Bytes of the root and the slash behind it; 0: not below it. */
static size_t
below_root(const char *root, bool is_file, const char *path)
{
	size_t bytes = root == NULL ? 0 : strlen(root);

	if (bytes == 0 || strncmp(root, path, bytes) != 0)
		return 0;
	if (is_file)
		return path[bytes] == '\0'
			       ? (size_t)(strrchr(path, '/') - path) + 1
			       : 0;
	if (bytes == 1)
		return path[1] == '\0' ? 0 : 1; /* the root of all */
	return path[bytes] == '/' ? bytes + 1 : 0;
}

/* The deepest root that holds an absolute path: bytes of it, or 0. */
static size_t
deepest_root(const struct source_list *list, const char *path, uint16_t *root)
{
	size_t most = 0;

	for (size_t i = 0; i < list->scope.root_nr; i++) {
		for (size_t k = 2 * i; k < 2 * i + 2; k++) {
			size_t bytes = below_root(list->roots[k],
						  list->is_file[i], path);

			if (bytes > most ||
			    (bytes == most && bytes > 0 && list->is_file[i])) {
				most = bytes;
				*root = (uint16_t)i;
			}
		}
	}
	return most;
}

/* Takes over the absolute path. */
static int
look_up(const struct source_list *list, char *path, uint16_t *root,
	char **below)
{
	struct stat status;
	size_t bytes;

	if (path == NULL)
		return -ENOMEM;
	bytes = deepest_root(list, path, root);
	/* the link itself: nothing beyond is looked at */
	if (bytes == 0 || lstat(path, &status) != 0) {
		free(path);
		return bytes == 0 ? -EXDEV : -ENOENT;
	}
	if (S_ISDIR(status.st_mode)) {
		free(path);
		return -EISDIR;
	}
	memmove(path, path + bytes, strlen(path + bytes) + 1);
	*below = path;
	return 0;
}

int
source_resolve(const struct source_list *list, const char *path, size_t bytes,
	       uint16_t *root, char **below)
{
	int error;

	if (bytes == 0 || bytes >= PATH_MAX ||
	    memchr(path, '\0', bytes) != NULL)
		return -ENOENT;
	error = look_up(list, source_absolute(list->cwd, path, bytes), root,
			below);
	if (error == 0 || *path == '/' || error == -ENOMEM)
		return error;
	/* where the tool ran that named it */
	for (size_t i = 0; i < list->scope.root_nr; i++) {
		int again;

		if (list->is_file[i])
			continue;
		again = look_up(
			list, source_absolute(list->roots[2 * i], path, bytes),
			root, below);
		if (again == 0 || again == -ENOMEM)
			return again;
	}
	return error;
}
