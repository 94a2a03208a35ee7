/* SPDX-License-Identifier: MIT */
/*
 * io_pack.h - objects from the packs of a repository.
 *
 * Does: finds an object by its name in the packs of one folder, and makes it
 *       of its base and its differences; keeps what was made, within a bound.
 * Does not: read anything that is unusual: what is not found, damaged or large
 *           is for the library (io_repo.h), which also says what is wrong.
 *           Does not check that content has its name.
 * Runs in: a process that shuts itself in; tests.
 * Invariants:
 * 1. No file is mapped: what is read of an index of any size are windows, of
 *    which some are kept.
 * 2. No link is followed.
 * Limits: PACKS_MAX packs, with an index of version 2; objects of
 *         PACK_OBJECT_MAX, or five twelfths of the memory if that is more.
 */
#ifndef GIT_IO_PACK_H
#define GIT_IO_PACK_H

#include "git/pack.h"

#define PACKS_MAX 32
#define PACK_WINDOW_BYTES ((size_t)16 << 10)
#define PACK_OBJECT_MAX ((size_t)2 << 20)

struct packs;

/* An object; its content is in the packs' own memory. */
struct packed {
	struct packed *newer; /* in the order of use */
	struct packed *older;
	struct packed *next; /* of the same slot */
	uint64_t off;
	uint32_t pack;
	uint32_t users; /* and one while it is kept */
	enum pack_type type;
	size_t bytes;
	uint8_t data[];
};

/*
 * shape:  the packs below objects/pack of an open folder; none that cannot be
 *         used are among them; NULL in *out: there are none
 * units:  memory_bytes: of objects and windows that are kept
 * owner:  *out is the caller's, for packs_close()
 * errors: -ENOMEM
 */
int
packs_open(struct packs **out, int dir_fd, size_t memory_bytes);

/* owner: NULL is accepted */
void
packs_close(struct packs *packs);

/*
 * shape:  an object of that type
 * owner:  *out is the caller's, for packed_release(); NULL after an error
 * errors: -ENOENT: it is in none; -EFBIG: it, or what it is made of, is larger
 *         than objects may be; -EINVAL: it has to be had in another way
 */
int
packs_read(struct packs *packs, const uint8_t name[PACK_NAME_BYTES],
	   enum pack_type type, struct packed **out);

/* owner: NULL is accepted */
void
packed_release(struct packed *object);

#endif
