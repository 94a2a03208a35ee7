/* SPDX-License-Identifier: MIT */
/*
 * io_libgit2_guard.h - which files libgit2 may open, and that it comes to
 *                          the end of what is in them.
 *
 * Does: opens for the library, in place of libc, what lies below a place that
 *       the repository in use was found to have: no link, nothing that leads
 *       out of it, regular files and directories alone, to be read.
 * Does not: rest on what was looked at before: each path is resolved below an
 *           open directory when it is opened, so that nothing can be put in
 *           between. Does not need the kernel's sandbox either.
 *           Does not answer any other library, or the program: they get what
 *           libc gives.
 * Runs in: the collector; tests.
 * source: System V ABI, dynamic linking; glibc's dlinfo(3), dladdr(3)
 *
 *   the library asks for  /x/.git/objects/pack/p.pack
 *   a place               /x/.git             and its descriptor
 *   opened below it             objects/pack/p.pack
 *
 * Invariants:
 * 1. From gitguard_arm() on the library opens nothing without a guard in use.
 * 2. What was refused for being a link is kept: the library passes over many
 *    errors, and a history that lacks a pack looks whole.
 * Limits: stat(2), access(2) and readlink(2) are the library's own: they tell
 *         whether a file is there, never what is in it.
 */
#ifndef GIT_IO_LIBGIT2_GUARD_H
#define GIT_IO_LIBGIT2_GUARD_H

#include "base/base.h"

#define GITGUARD_PLACES_MAX 12
#define GITGUARD_TEXT_BYTES 512

/* The places below which a repository may be read. */
struct gitguard {
	struct gitguard_place {
		char *path;
		int fd; /* the repository's, which closes it */
		bool is_work_tree;
	} places[GITGUARD_PLACES_MAX];
	uint32_t nr;
	char refused[GITGUARD_TEXT_BYTES]; /* the first one; "": none */
};

/*
 * shape:  one more place: `path` as the library will have it; one that is
 *         there already is not added again
 * units:  path: absolute; it is kept without ".", ".." and doubled slashes
 * errors: -E2BIG: there is no room for more; -ENAMETOOLONG; -ENOMEM
 */
int
gitguard_add(struct gitguard *guard, const char *path, int fd,
	     bool is_work_tree);

/* Whether the path is there. */
bool
gitguard_has(const struct gitguard *guard, const char *path);

/* Forgets all places; the guard is no longer in use. */
void
gitguard_fini(struct gitguard *guard);

/*
 * shape:  makes sure that the library opens its files here
 * units:  handle: of dlopen(3), loaded with RTLD_NOW
 * errors: -ENOEXEC: it opens files by functions that are not known
 * calls:  gitlib_open(), before the library is used at all
 */
int
gitguard_install(void *handle);

/* calls: gitlib_open(), when the library is set up: invariant 1 */
void
gitguard_arm(void *handle);

/*
 * shape:  sets the guard in use; NULL: none
 * owner:  the caller's, which outlives its use
 * calls:  before each call of the library that may open a file
 */
void
gitguard_use(struct gitguard *guard);

/* What was refused to the guard in use, as a sentence; NULL: nothing. */
const char *
gitguard_refused(void);

#endif
