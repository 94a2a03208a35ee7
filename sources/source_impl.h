/* SPDX-License-Identifier: MIT */
/*
 * source_impl.h - what the files of source_list share.
 */
#ifndef SOURCES_SOURCE_IMPL_H
#define SOURCES_SOURCE_IMPL_H

#include "sources/source_list.h"
#include "sources/source_parse.h"

/* One request, before they are sorted. */
struct source_entry {
	char *path; /* below the root; of a text: its name */
	uint16_t root;
	uint64_t text_off;
	uint64_t text_bytes;
	size_t name_bytes;  /* of a text: of its path, without the number */
	size_t error_first; /* of a log: in source_list.errors */
	size_t error_nr;
	uint64_t line_nr; /* of a log; 0: it is none */
	uint64_t seq;     /* as they came */
	struct source_request request;
};

/* A place that does not exist as written, but may exist elsewhere. */
struct source_missing {
	struct source_request request; /* its lines */
	char *path;                    /* as it is written */
	size_t status_idx;
	size_t name_first; /* in source_list.names: the most likely first */
	size_t name_nr;
	int error;    /* what was said of it there */
	bool is_sure; /* that is worth a warning */
};

/* ---- source_path.c ----------------------------------------------------- */

/* dir/path without "." and ".." and double slashes; NULL: no memory. */
char *
source_absolute(const char *dir, const char *path, size_t bytes);

/*
 * shape:  the root that a path lies below, and the path below it
 * owner:  *below is the caller's, for free()
 * errors: -EXDEV: below none of them; -ENOENT: not there; -EISDIR; -ENOMEM
 */
int
source_resolve(const struct source_list *list, const char *path, size_t bytes,
	       uint16_t *root, char **below);

/* ---- source_entry.c ---------------------------------------------------- */

/* Whether places may take so many bytes more; if not, one is left out. */
bool
source_has_room(struct source_list *list, uint64_t bytes);

/*
 * shape:  adds a request of this source, if there is room for it
 * owner:  takes over entry->path, whatever is returned
 * errors: -ENOMEM
 */
int
source_add_entry(struct source_list *list, struct source_status *status,
		 struct source_entry *entry);

/* Warns that a place is refused, and why; a few times for each source. */
void
source_say_refused(struct source_status *status, const char *path, size_t bytes,
		   int error);

/*
 * shape:  remembers a place for source_find_missing(); *like has all but names
 * errors: -ENOMEM
 */
int
source_keep_missing(struct source_list *list, const struct source_place *place,
		    const struct source_missing *like);

/* Frees what is missing, and the names that were looked for. */
void
source_forget_missing(struct source_list *list);

/* ---- source_take.c ----------------------------------------------------- */

/* Every source of the options becomes entries. errors: -errno */
int
source_take_all(struct source_list *list);

/* ---- source_find.c ----------------------------------------------------- */

/*
 * shape:  finds those that are in the trees by the end of their path: unique
 *         ones become entries, ambiguous ones a warning
 * errors: -errno; a walk that fails is logged
 * calls:  when all sources have been taken
 */
int
source_find_missing(struct source_list *list);

#endif
