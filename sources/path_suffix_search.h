/* SPDX-License-Identifier: MIT */
/*
 * path_suffix_search.h - files of the trees by the ends of their paths.
 *
 * Does: for each name of a list, which file's path ends in it, or is the end
 *       of it behind the name of its tree:
 *
 *         src/a.c                    lib/src/a.c of the tree
 *         /srv/ci/repo/src/a.c      src/a.c of a tree called "repo"
 *
 *       and whether there is more than one.
 * Does not: open a file, walk, or know what the names are for.
 * Runs in: the supervisor; what the walk calls in a process of its own.
 * Invariants:
 * 1. Time grows with the bytes of paths and the logarithm of the names.
 * 2. What is found depends on names and trees alone.
 */
#ifndef SOURCES_PATH_SUFFIX_SEARCH_H
#define SOURCES_PATH_SUFFIX_SEARCH_H

#include "sources/source_list.h"

/* Of one name. */
struct source_end {
	uint64_t nr; /* files; of the first two which */
	struct source_end_file {
		uint32_t root;
		uint32_t bytes;
		const char *path; /* below the root; no NUL */
	} files[2];
};

struct path_suffix_search {
	struct source_end *ends; /* one a name */
	void *memory;            /* that the paths lie in */
	size_t memory_bytes;
};

/*
 * shape:  has the trees walked and looks for list->names: absolute
 *         without "." and "..", or relative likewise
 * owner:  to be given to path_suffix_search_fini() whatever is returned
 * errors: -ETIMEDOUT: not by the deadline; -ENOSPC: there is too much; -ECHILD:
 *         the process ended by itself, three times; -errno
 */
int
path_suffix_search_find(struct path_suffix_search *ends,
			const struct source_list *list, uint64_t deadline_ns);

/* Frees the ends of paths. */
void
path_suffix_search_fini(struct path_suffix_search *ends);

#endif
