/* SPDX-License-Identifier: MIT */
/*
 * io_libgit2.h - libgit2, opened when it is first used.
 *
 * Does: looks up the functions of libgit2.def, and sets the library up
 *       for foreign repositories: no settings of user or system, little
 *       memory mapped, all that it allocates within a bound.
 * Does not: link the library: it and the fifteen that it needs would cost
 *           every start of bale 1.8 ms, `bale count` as well.
 * Runs in: a process that shuts itself in and that may be lost: the
 *          collector; tests. Never in the supervisor: what a repository holds
 *          is hostile, and a file cut short while it is mapped is SIGBUS.
 * Invariants:
 * 1. Open it before the process shuts itself in, and a repository only after.
 */
#ifndef GIT_IO_LIBGIT2_H
#define GIT_IO_LIBGIT2_H

#include <git2.h>

#include "base/base.h"

/* gitlib.git_odb_read(...) and so on, as in git2.h. */
struct gitlib {
#define GITLIB(name) __typeof__(name) *name;
#include "git/libgit2.def"
#undef GITLIB
};

extern struct gitlib gitlib;

/*
 * shape:  0: gitlib is there; later calls only set the bound
 * units:  memory_bytes: what the library may hold at one time
 * errors: -ENOENT: no such library here, or not the version this was built
 *         for; gitlib_error() has the loader's words
 * calls:  after the fork, before the process shuts itself in
 */
int
gitlib_open(size_t memory_bytes);

/* What the last call said that failed. owner: valid until the next call */
const char *
gitlib_error(void);

/* calls: before calls of the library whose result gitlib_errno() is for */
void
gitlib_begin(void);

/* Whether memory was refused since then: a diff without memory for a file
 * silently continues without the file's changes. */
bool
gitlib_is_short(void);

/*
 * shape:  stops verifying the hashes of objects, which takes as long as all
 *         else
 * calls:  where objects are only weighed, after gitlib_open()
 */
void
gitlib_trust(void);

/*
 * Gives the pages of packs and of their indexes back to the kernel when more
 * than 8 MiB of them are resident: the library maps an index whole, and each
 * look-up in a large one touches a few hundred KiB of it.
 *
 * shape:  false: without /proc the resident size is unknown
 * calls:  every few objects; never needed for correctness
 */
bool
gitlib_trim(void);

/*
 * shape:  the library's result as -errno: -ENOENT: no such object or reference;
 *         -ENOMEM: beyond the bound; -EINVAL: an invalid name; -EPERM: the
 *         repository has a link, whatever else; gitlib_error() names it; -EIO:
 *         all else
 */
int
gitlib_errno(int result);

/* Bytes that the library holds now. */
size_t
gitlib_memory(void);

#endif
