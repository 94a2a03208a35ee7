/* SPDX-License-Identifier: MIT */
/*
 * collect_io_history.h - the commits before one, and what each changed.
 *
 * Does: finds the repositories that the roots lie in; gives their commits, the
 *       newest first, as `git log` does without options, with the paths that
 *       each changed from its first parent.
 * Does not: look into files; follow renames (collect_io_past_renames.c); run
 *           anything; keep messages.
 * Runs in: the collector; tests.
 * Invariants:
 * 1. What is given depends on the objects alone: how much is read is bounded
 *    by numbers, never by time.
 * 2. A commit whose parent is not there (a shallow clone) changed nothing
 *    that is known.
 * Limits: HISTORY_ROOTS_MAX roots in HISTORY_REPOS_MAX repositories; of a
 *         repository HISTORY_OBJECTS_MAX objects of HISTORY_BYTES_MAX; paths of
 *         HISTORY_PATH_BYTES, HISTORY_DEPTH_MAX directories deep.
 */
#ifndef COLLECT_COLLECT_IO_HISTORY_H
#define COLLECT_COLLECT_IO_HISTORY_H

#include "git/git.h"
#include "git/io_repo.h"
#include "stages/collect/collect_io.h"

#define HISTORY_ROOTS_MAX 256
#define HISTORY_REPOS_MAX 8
#define HISTORY_OBJECTS_MAX 60000
#define HISTORY_BYTES_MAX (512ull << 20)
#define HISTORY_PATH_BYTES 4096
#define HISTORY_DEPTH_MAX 64

/* Called with each path that a commit changed, while history->changed_from and
 * changed_to say what it was and is; false: no more of this one. */
typedef bool (*history_changed)(void *context, const char *path, size_t bytes);

/* Receives the next piece of a text; false: no more. */
typedef bool (*history_text)(void *context, const void *bytes, size_t nr);

struct history_commit_at {
	uint8_t id[COLLECT_OBJECT_BYTES];
	struct commit says; /* its texts: until the next call */
};

/* A commit that was met. */
struct node {
	git_oid id;
	git_oid tree;
	int64_t time_s;
	bool is_missing;
};

/* Owner: history_close(). */
struct history {
	const struct collect_walk *walk;
	struct repo repos[HISTORY_REPOS_MAX];
	uint32_t repo_nr;
	struct {
		char *path; /* of the work tree; NULL: not wanted, or none */
		int fd;
	} tops[HISTORY_REPOS_MAX];
	struct {
		uint32_t repo; /* HISTORY_REPOS_MAX: none */
		char *prefix;
	} * roots;
	uint32_t root_nr;

	size_t memory_bytes; /* of objects */
	struct repo *repo;   /* in work; NULL: none */
	uint64_t left;       /* objects that may still be read */
	uint64_t left_bytes; /* the same, of them all */
	struct node *nodes;
	uint32_t node_nr;
	size_t node_room;
	uint32_t *slots; /* by name: index + 1 of a node; 0: none */
	uint32_t slot_nr;
	uint32_t *heap; /* of nodes */
	uint32_t heap_nr;
	size_t heap_room;
	struct repo_object object; /* of the commit given last */
	struct commit commit;
	uint32_t given; /* its node */

	history_changed changed;
	void *context;
	bool is_enough; /* the caller wants no more of this commit */
	/* the objects that the path told of was and is; NULL: none */
	const uint8_t *changed_from;
	const uint8_t *changed_to;
	size_t path_bytes;
	char path[HISTORY_PATH_BYTES];
};

/*
 * shape:  the repositories of the roots; NULL in *out: there are none that
 *         may be read, or no library to read them with; why says so, or is
 *         empty
 * units:  memory_bytes: of objects, at one time; with_top: the work trees are
 *         read as well, by history_diff()
 * owner:  *out is the caller's, for history_close()
 * errors: -ENOMEM
 * calls:  before the process shuts itself in
 */
int
history_find(struct history **out, const struct collect_walk *walk,
	     size_t memory_bytes, bool with_top, char why[COLLECT_WHY_BYTES]);

/* owner: NULL is accepted */
void
history_close(struct history *history);

/* As collect_walk_reach(). */
uint32_t
history_reach(const struct history *history, int *fds, uint32_t room);

/*
 * shape:  begins before the commit that a revision names in a repository; NULL:
 *         HEAD
 * errors: -ENOENT: it names none; else as gitlib_errno()
 * calls:  in the sandbox; closes the repository before
 */
int
history_begin(struct history *history, uint32_t repo, const char *rev);

/*
 * shape:  1: the next commit; 0: there are no more, or no more are looked at
 * errors: -errno: an object is damaged
 */
int
history_next(struct history *history, struct history_commit_at *commit);

/* Whether there may be more commits than history_next() gave: no more objects
 * are read. */
bool
history_is_cut(const struct history *history);

/*
 * shape:  reports the changes of the last commit given
 * errors: -errno; -ENOENT: the parent is missing, so they are unknown;
 *         -ENODATA: a tree is
 */
int
history_changes(struct history *history, history_changed changed,
		void *context);

/* What reading takes of what may be read. */
struct history_cost {
	uint64_t object_nr;
	uint64_t bytes; /* of all of them */
};

/* What was read since so much was left. */
struct history_cost
history_cost_since(const struct history *history,
		   const struct history_cost *left);

/*
 * shape:  as if so much had been read
 * errors: -EAGAIN: it is more than may be: read what can be
 */
int
history_skip(struct history *history, const struct history_cost *cost);

/*
 * shape:  the same of the changes of the last commit given, which are known
 * errors: as history_changes(), -EAGAIN
 */
int
history_skip_changes(struct history *history, const struct history_cost *cost);

/*
 * shape:  the content of a file as a commit of the repository in work had it
 * owner:  *object is the caller's, for repo_object_close()
 * errors: -errno; -EDQUOT: no more objects are read; -EFBIG
 */
int
history_read_blob(struct history *history, const uint8_t *id,
		  struct repo_object *object);

struct history_differs {
	history_text take; /* of the caller: what the text goes to */
	void *context;
	bool any;
	/* the first file whose changes need more memory; "": none */
	char without[HISTORY_PATH_BYTES];
};

/*
 * shape:  what `git diff REV` says of the work tree, as far as it is below the
 *         roots, without settings, renames or submodules
 * errors: -ENOTDIR: it has no work tree; -EFBIG: `take` took no more; -ENOENT:
 *         the revision names nothing; -EINVAL: it is none; -ENODATA: an
 *         object is missing; -ENOMEM: it is not all there, see without[];
 *         else as gitlib_errno()
 * calls:  after history_begin() for the same; collect_io_diff.c
 */
int
history_diff(struct history *history, uint32_t repo, const char *rev,
	     struct history_differs *differs);

/* Whether a path below a root is one that a pack could have, by its names. */
bool
history_may_show(const struct collect_walk *walk, const char *path);

/*
 * shape:  the prefix of the paths of a root in its repository, *bytes of it;
 *         NULL: it is in another one than `repo`, or in none
 */
const char *
history_prefix(const struct history *history, uint32_t repo, uint32_t root,
	       size_t *bytes);

#endif
