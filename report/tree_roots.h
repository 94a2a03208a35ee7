/* SPDX-License-Identifier: MIT */
/*
 * tree_roots.h - what lies below each root, where one may lie within another.
 *
 * Does: adds a file, which the walk gives for one root only, to all roots that
 *       hold it, as if each had been asked for by itself.
 * Runs in: the supervisor, at the end.
 */
#ifndef REPORT_TREE_ROOTS_H
#define REPORT_TREE_ROOTS_H

#include "catalogue/files.h"
#include "stages/job.h"

struct tree_roots {
	char **paths; /* absolute; NULL: no root lies within another */
	size_t nr;
};

/*
 * shape:  the roots of a run
 * owner:  tree_roots_fini()
 * errors: -ENOMEM: nothing is to be freed
 */
int
tree_roots_init(struct tree_roots *roots, const struct job *job);

/* Frees the paths. */
void
tree_roots_fini(struct tree_roots *roots);

/* Adds a file of one root to the tokens of all that hold it; tokens: one a root. */
void
tree_roots_add(const struct tree_roots *roots, const struct file_record *file,
	       const uint8_t *path, uint64_t nr, uint64_t *tokens);

#endif
