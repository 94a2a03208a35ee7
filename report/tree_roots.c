/* SPDX-License-Identifier: MIT */
/*
 * tree_roots.c - what lies below each root, where one may lie within another.
 */
#include "report/tree_roots.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/absolute_path.h"

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Whether any path lies within another: in order, what lies within one of them
 * follows it, but for names that go on with a byte less than a slash. */
static bool
are_nested(char *const *paths, size_t nr)
{
	char **sorted = malloc(nr * sizeof(*sorted));
	bool are = false;

	if (sorted == NULL)
		return true;
	memcpy(sorted, paths, nr * sizeof(*sorted));
	qsort(sorted, nr, sizeof(*sorted), compare);
	for (size_t i = 0; i < nr && !are; i++)
		for (size_t j = i + 1;
		     j < nr && !are &&
		     strncmp(sorted[j], sorted[i], strlen(sorted[i])) == 0;
		     j++)
			are = absolute_path_holds(sorted[i], sorted[j]);
	free(sorted);
	return are;
}

int
tree_roots_init(struct tree_roots *roots, const struct job *job)
{
	char path[PATH_MAX];
	bool are_known = true;

	*roots = (struct tree_roots){ .nr = job->root_nr };
	roots->paths = calloc(roots->nr + 1, sizeof(*roots->paths));
	if (roots->paths == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < roots->nr && are_known; i++) {
		are_known =
			absolute_path(path, sizeof(path), job->roots[i]) == 0;
		roots->paths[i] = are_known ? strdup(path) : NULL;
		if (are_known && roots->paths[i] == NULL) {
			tree_roots_fini(roots);
			return -ENOMEM;
		}
	}
	if (!are_known || !are_nested(roots->paths, roots->nr))
		tree_roots_fini(roots);
	return 0;
}

void
tree_roots_fini(struct tree_roots *roots)
{
	for (size_t i = 0; roots->paths != NULL && i < roots->nr; i++)
		free(roots->paths[i]);
	free(roots->paths);
	roots->paths = NULL;
}

/* Whether a root holds what has this path below another one. */
static bool
holds(const char *root, const char *other, const char *below, size_t bytes)
{
	size_t nr;

	if (absolute_path_holds(root, other))
		return true;
	if (!absolute_path_holds(other, root))
		return false;
	root += strlen(other);
	root += *root == '/';
	nr = strlen(root);
	return nr <= bytes && memcmp(root, below, nr) == 0 &&
	       (nr == bytes || below[nr] == '/');
}

void
tree_roots_add(const struct tree_roots *roots, const struct file_record *file,
	       const uint8_t *path, uint64_t nr, uint64_t *tokens)
{
	const char *below = (const char *)path + file->root_bytes;
	size_t bytes = file->path_bytes - file->root_bytes;

	if (roots->paths == NULL) {
		tokens[file->root_idx] =
			add_sat_u64(tokens[file->root_idx], nr);
		return;
	}
	for (size_t i = 0; i < roots->nr; i++)
		if (holds(roots->paths[i], roots->paths[file->root_idx], below,
			  bytes))
			tokens[i] = add_sat_u64(tokens[i], nr);
}
