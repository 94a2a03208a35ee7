/* SPDX-License-Identifier: MIT */
/*
 * source_list.h - all requests besides the tree, in order.
 *
 * Does: reads the sources of the options, finds the files they name below the
 *       roots, merges overlapping ranges, keeps the texts.
 * Does not: open the named files: collect does, below the roots.
 * Runs in: the supervisor, before any fork.
 * Invariants:
 * 1. Names are looked up only below the roots; names elsewhere are refused
 *    without a look.
 * 2. A source that fails is reported, and the others continue.
 */
#ifndef SOURCES_SOURCE_LIST_H
#define SOURCES_SOURCE_LIST_H

#include "base/array.h"
#include "rank/rank.h"
#include "sources/source.h"

/* The requests as options give them. */
struct source_options {
	struct text_list opens;
	struct text_list searches;
	struct text_list tools;
	struct text_list references;
	struct text_list source_files;
	uint64_t timeout_s;
	uint64_t search_context;
	uint64_t overlap_threshold; /* millionths */
	bool no_merge;
};

/* Where names are looked up, and the weights. */
struct source_scope {
	const char *const *roots;
	size_t root_nr;
	const char *rev;     /* a commit in place of what lies there */
	bool stdin_is_taken; /* by another option */
	bool no_dedup;
	uint64_t memory_bytes;
	struct rank_weights weights;
	const uint32_t *priorities; /* of each category */
	/* gives all files of the trees, in a process of its own: what fn writes
	 * lies in shared memory. 0; -ETIMEDOUT: not by the deadline; -ECHILD:
	 * the process ended by itself; -errno, of fn as well */
	int (*walk)(const void *trees, uint64_t deadline_ns, source_file_fn *fn,
		    void *context);
	const void *trees;
};

/* The result of one source. */
struct source_status {
	const char *option; /* "search"; constant text */
	const char *name;   /* as the user gave it */
	uint64_t places;    /* that are asked for because of it */
	uint64_t refused;   /* that are outside of the roots, or not there */
	int error;          /* -errno; 0 */
};

struct source_entry;

struct source_list {
	struct sources sources; /* for struct job */
	struct source_status *statuses;
	size_t status_nr;
	int64_t newest_ns; /* of the times that sources say */
	uint64_t overlaps_merged;
	bool is_degraded; /* a source failed, or part of one */

	/* private */
	const struct source_options *options;
	struct source_scope scope;
	struct source_missing *missing;
	size_t missing_nr;
	size_t missing_room;
	char **names; /* that those may be found by */
	size_t name_nr;
	size_t name_room;
	struct source_entry *entries;
	size_t entry_nr;
	size_t entry_room;
	uint64_t entry_bytes;   /* that entries take, */
	uint64_t missing_bytes; /* and places that are looked for; */
	uint64_t bytes_max;     /* both may have these, */
	uint64_t left_out;      /* and so many places had no room */
	struct source_file *files;
	struct source_request *requests;
	uint64_t *boundaries;
	uint64_t *errors; /* lines of all logs */
	size_t error_nr;
	int text_fd; /* a file without a name: texts one behind the other */
	uint64_t text_bytes;
	char *cwd;
	char **roots; /* absolute, as typed and as the kernel has them */
	bool *is_file;
};

/* Whether the options name any. */
bool
source_list_any(const struct source_options *options);

/*
 * shape:  reads and resolves all of them
 * owner:  *list points to the options; to be given to source_list_fini()
 *         whatever is returned
 * errors: -EINVAL: what the options say cannot be, and that has been logged;
 *         -errno of the system
 * calls:  the supervisor, once, before the first fork
 */
int
source_list_build(struct source_list *list,
		  const struct source_options *options,
		  const struct source_scope *scope);

/* Frees what was taken. */
void
source_list_fini(struct source_list *list);

#endif
