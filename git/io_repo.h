/* SPDX-License-Identifier: MIT */
/*
 * io_repo.h - a repository's objects, read with libgit2.
 *
 * Does: finds the repository that something the user named belongs to, makes
 *       sure that it is theirs to be read, opens it, reads objects.
 * Does not: run filters, textconv or hooks; write; look at the work tree.
 * Runs in: a process that shuts itself in (io_libgit2.h).
 *
 *   repo_find()   before the process shuts itself in: paths, no objects
 *   repo_open()   after it: from here on content of others is parsed
 *
 * Invariants:
 * 1. What is read lies below what the user named, below the .git of the work
 *    tree it is in, or in a repository that names that work tree as its own.
 *    "gitdir:" and the path of a private repository, in a foreign tree, lead
 *    nowhere.
 * 2. Replaced objects (refs/replace/) are read as what replaces them.
 * 3. No link below .git or in a folder of objects is followed, whoever put it
 *    there and whenever: what the library opens is opened by
 *    io_libgit2_guard.h. What stands for another repository that way ends
 *    the reading of this one.
 */
#ifndef GIT_IO_REPO_H
#define GIT_IO_REPO_H

#include "git/io_libgit2_guard.h"
#include "git/io_libgit2.h"
#include "git/io_pack.h"

#define REPO_WHY_BYTES 512
#define REPO_BORROWED_MAX 8 /* folders of objects of others */

struct repo {
	struct gitguard guard; /* all of these, as the library names them */
	char *path;            /* of its own folder, without links */
	char *prefix; /* from the top to what was named: "" or "a/b/" */
	int path_fd;
	int common_fd;
	int borrowed_fds[REPO_BORROWED_MAX];
	uint32_t borrowed_nr;
	git_repository *handle; /* NULL: not open */
	git_odb *odb;
	struct repo_replaced {
		git_oid from;
		git_oid to;
	} * replaced; /* sorted by from */
	size_t replaced_nr;
	uint32_t reads;      /* since it was opened */
	struct repo *next;   /* of those that are open */
	struct packs *packs; /* NULL: not in use */
};

/* Owner: repo_object_close(). */
struct repo_object {
	const uint8_t *data;
	size_t bytes;
	struct packed *packed; /* one of the two has it */
	git_odb_object *library;
};

/* Places that may be read besides the repository's own. */
struct repo_allowed {
	const char *const *paths; /* without links */
	size_t nr;
};

/*
 * shape:  the repository that an open directory lies in, is, or is the .git of
 * units:  why: a sentence for users about the problem
 * owner:  repo_close(), also after an error
 * errors: -ENOENT: none; -EPERM: it may not be read; -ENOTSUP: its objects are
 *         not named by SHA-1; -ENOMEM, -EMFILE
 * calls:  before the sandbox; give both descriptors to it
 */
int
repo_find(struct repo *repo, int dir_fd, const struct repo_allowed *allowed,
	  char why[REPO_WHY_BYTES]);

/* Descriptors to be given to it, at most 2 + REPO_BORROWED_MAX; how many. */
uint32_t
repo_reach(const struct repo *repo, int *fds);

/*
 * shape:  opens it, and learns which objects are replaced; nothing, if it is open
 * errors: as gitlib_errno(); a repo is at the same address from here on
 * calls:  after gitlib_open(), when the process is shut in
 */
int
repo_open(struct repo *repo);

/* Closes and frees all that belongs to it. */
void
repo_close(struct repo *repo);

/*
 * shape:  what a revision names, as git rev-parse understands it, peeled to a
 *         tree; *commit is zero and *time_s 0 if it names no commit
 * errors: -ENOTDIR: it names a file; -ENOENT, -EINVAL: nothing, or nothing
 *         that has a tree; else as gitlib_errno()
 */
int
repo_resolve(struct repo *repo, const char *rev, git_oid *tree, git_oid *commit,
	     int64_t *time_s);

/*
 * shape:  from now on repo_read_object() looks into the packs by itself, which
 *         does not check that content has its name
 * units:  memory_bytes: of what is kept for it
 * calls:  after repo_open()
 */
void
repo_use_packs(struct repo *repo, size_t memory_bytes);

/*
 * shape:  an object, whole, and of that type
 * owner:  *object is the caller's, for repo_object_close()
 * errors: as repo_read(); -EFBIG: a blob that is too large for
 *         packs_read()
 */
int
repo_read_object(struct repo *repo, const git_oid *oid, git_object_t type,
		 struct repo_object *object);

/* owner: one of zeros is accepted, and is left */
void
repo_object_close(struct repo_object *object);

/*
 * shape:  type and size of an object, without reading it
 * errors: as gitlib_errno()
 */
int
repo_size(struct repo *repo, const git_oid *oid, git_object_t *type,
	  uint64_t *bytes);

/*
 * shape:  an object, whole, and of that type
 * owner:  *object is the caller's, for git_odb_object_free()
 * errors: as gitlib_errno(); -EINVAL: another type
 */
int
repo_read(struct repo *repo, const git_oid *oid, git_object_t type,
	  git_odb_object **object);

#endif
