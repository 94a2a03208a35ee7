/* SPDX-License-Identifier: MIT */
/*
 * pack.h - entries of a pack, and the differences that they can be.
 *
 * Does: the head of an entry; what a difference makes of its base.
 * Does not: read files, inflate (io_pack.h).
 * Runs in: the collector; tests.
 * source: git's Documentation/gitformat-pack.txt
 */
#ifndef GIT_PACK_H
#define GIT_PACK_H

#include "base/base.h"

#define PACK_NAME_BYTES 20  /* of what an object is named by */
#define PACK_HEAD_BYTES 128 /* an entry's head is no longer */

enum pack_type {
	PACK_COMMIT = 1,
	PACK_TREE = 2,
	PACK_BLOB = 3,
	PACK_TAG = 4,
	PACK_OFF_DELTA = 6,
	PACK_NAME_DELTA = 7
};

struct pack_entry {
	enum pack_type type;
	uint64_t bytes;      /* when it is inflated */
	uint64_t base_off;   /* PACK_OFF_DELTA: of its base in the pack */
	const uint8_t *base; /* PACK_NAME_DELTA: the name of its base */
	size_t head_bytes;   /* then what is compressed begins */
};

/*
 * shape:  the head of the entry that is at `off` of a pack
 * errors: -EINVAL: there is none
 */
int
pack_entry_parse(struct pack_entry *entry, const uint8_t *at, size_t nr,
		 uint64_t off);

/*
 * shape:  what a difference is to: *before bytes become *after bytes
 * errors: -EINVAL
 */
int
pack_delta_sizes(const uint8_t *delta, size_t nr, uint64_t *before,
		 uint64_t *after);

struct pack_bytes {
	const uint8_t *at;
	size_t nr;
};

/*
 * shape:  base and difference become exactly out_nr bytes, which are those of
 *         pack_delta_sizes()
 * errors: -EINVAL: they do not
 */
int
pack_delta_apply(struct pack_bytes delta, struct pack_bytes base, uint8_t *out,
		 size_t out_nr);

#endif
