/* SPDX-License-Identifier: MIT */
/*
 * source_impl.h - what the files of source_list share.
 */
#ifndef SUPERVISOR_SOURCE_IMPL_H
#define SUPERVISOR_SOURCE_IMPL_H

#include "supervisor/source_list.h"
#include "supervisor/source_parse.h"

/* One request, before they are sorted. */
struct source_entry {
	char *path; /* below the root; of a text: its name */
	uint16_t root;
	uint64_t text_off;
	uint64_t text_bytes;
	size_t name_bytes; /* of a text: of its path, without the number */
	uint64_t seq;      /* as they came */
	struct source_request request;
};

/* ---- source_paths.c ---------------------------------------------------- */

/* The roots as absolute paths. errors: -errno */
int
source_find_roots(struct source_list *list);

/*
 * shape:  the root that a path lies below, and the path below it
 * owner:  *below is the caller's, for free()
 * errors: -EXDEV: below none of them; -ENOENT: not there; -EISDIR; -ENOMEM
 */
int
source_resolve(const struct source_list *list, const char *path, size_t bytes,
	       uint16_t *root, char **below);

/* ---- source_take.c ----------------------------------------------------- */

/* Every source of the options becomes entries. errors: -errno */
int
source_take_all(struct source_list *list);

#endif
