/* SPDX-License-Identifier: MIT */
/*
 * count.h - tokens and fingerprints of chunks that may come in runs.
 *
 * Does: goes on with a chunk run by run, and says what it came to.
 * Does not: know descriptors. Hashing is libcrypto's (count_io_sha256.c).
 * Invariants:
 * 1. All of it is plain data, so that a replacement can go on with it.
 */
#ifndef COUNT_COUNT_H
#define COUNT_COUNT_H

#include "shm/base.h"
#include "shm/desc.h"
#include "tokenizer/tokenizer.h"

/* Room for the state of libcrypto's SHA-256; asserted where it is used. */
struct count_sha256 {
	uint64_t opaque[16];
};

/*
 * shape:  SHA-256 of a text that comes in parts
 * owner:  the caller's; plain data, may be copied
 * source: FIPS 180-4, by libcrypto
 */
void
count_sha256_init(struct count_sha256 *sha);

void
count_sha256_add(struct count_sha256 *sha, const uint8_t *text, size_t bytes);

void
count_sha256_end(struct count_sha256 *sha, uint8_t digest[SHA256_BYTES]);

/* SHA-256 of a whole text. */
void
count_sha256(const uint8_t *text, size_t bytes, uint8_t digest[SHA256_BYTES]);

#endif
