/* SPDX-License-Identifier: MIT */
/*
 * manifest.h - what the parts of an output are, in a file beside them.
 *
 * Does: NAME.md.manifest.json names NAME-001.md and so on, with the bytes, the
 *       SHA-256 and the tokens of each; docs/manifest.schema.json. It is there
 *       only while all of them are.
 * Does not: depend on when or by which run it was written: the same parts have
 *           the same manifest.
 * Invariants:
 * 1. Names are made, never read: a manifest names no file but parts.
 */
#ifndef SUPERVISOR_MANIFEST_H
#define SUPERVISOR_MANIFEST_H

#include "catalogue/desc.h"

#define MANIFEST_VERSION 1

struct manifest_part {
	uint64_t bytes; /* of the file on disk, compressed or not */
	uint64_t tokens;
	uint8_t sha256[SHA256_BYTES]; /* of the same bytes */
};

struct manifest {
	uint64_t nr;
	size_t room; /* of the parts that are read */
	struct manifest_part *parts;
};

/*
 * shape:  the name of part `number` of `nr` of an output called `name`
 * owner:  the caller, free(3); NULL: no memory
 */
char *
manifest_part_name(const char *name, uint64_t number, uint64_t nr);

/* Whether a file name is that of a part of an output, in the same directory. */
bool
manifest_is_part_name(const char *name, const char *file);

/* The number of the part of `nr` that a file is by its name; 0: it is none. */
uint64_t
manifest_part_number(const char *name, const char *file, uint64_t nr);

/* The name of the manifest itself; free(3), NULL: no memory. */
char *
manifest_name(const char *name);

/*
 * shape:  the reverse: the name of the output of which a file is the manifest,
 *         or a part, by its name
 * owner:  free(3); NULL: of none, or no memory
 */
char *
manifest_owner(const char *file);
char *
manifest_output_name(const char *part);

/* Of how many parts, none filled in; errors: -ENOMEM. */
int
manifest_init(struct manifest *manifest, uint64_t nr);

/* Frees what was read. */
void
manifest_fini(struct manifest *manifest);

/*
 * shape:  writes it to a file, of an output called `name`
 * errors: -errno
 */
int
manifest_write(const struct manifest *manifest, const char *name,
	       const char *encoding, int fd);

/*
 * shape:  reads it from a file in a directory, as manifest_write() wrote it
 *         and in no other form
 * owner:  manifest_fini(), also on failure
 * errors: -errno; -EPROTO: it was not written so
 */
int
manifest_read(struct manifest *manifest, int dir_fd, const char *file);

/*
 * shape:  the same of one that another program has written, with other spaces
 *         or keys in another order
 * errors: -errno; -EPROTO: that is no manifest; -EFBIG: it is not as
 *         manifest_write() wrote it, and too large to be read in another form
 * calls:  a process that is shut in
 */
int
manifest_read_any(struct manifest *manifest, int dir_fd, const char *file);

/*
 * shape:  SHA-256 of a file from its beginning, and its size
 * errors: -errno of reading, -EIO of libcrypto
 */
int
manifest_hash(int fd, struct manifest_part *out);

/* Whether a file in a directory is that part, byte for byte. */
bool
manifest_matches(const struct manifest_part *part, int dir_fd,
		 const char *file);

#endif
