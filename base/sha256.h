/* SPDX-License-Identifier: MIT */
/*
 * sha256.h - SHA-256 of a text that comes in parts, or as a whole.
 *
 * source: FIPS 180-4, by libcrypto
 */
#ifndef BASE_SHA256_H
#define BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

#define SHA256_BYTES 32

/* Room for the state of libcrypto; plain data, may be copied, and be gone on
 * with by another process. */
struct sha256 {
	uint64_t opaque[16];
};

/*
 * shape:  the digest of all that was added since sha256_init(), in order
 * owner:  the caller's; nothing is to be freed
 */
void
sha256_init(struct sha256 *sha);
void
sha256_add(struct sha256 *sha, const void *bytes, size_t nr);
void
sha256_end(struct sha256 *sha, uint8_t digest[SHA256_BYTES]);

/* Of a whole text. */
void
sha256_of(const void *bytes, size_t nr, uint8_t digest[SHA256_BYTES]);

/*
 * shape:  sha256_add(), and sha256_of() of the same bytes, in little more than
 *         half the time of both, where the processor has SHA instructions
 */
void
sha256_add_and_of(struct sha256 *sha, const void *bytes, size_t nr,
		  uint8_t digest[SHA256_BYTES]);

#endif
