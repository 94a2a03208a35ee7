/* SPDX-License-Identifier: MIT */
/*
 * sha256.c - SHA-256 by libcrypto.
 *
 * The older interface, since its context is plain data: it can lie in shared
 * memory and be gone on with by another process. EVP contexts cannot, and
 * bring all other algorithms with them.
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include "base/sha256.h"

#include <assert.h>

static_assert(sizeof(SHA256_CTX) <= sizeof(struct sha256),
	      "the context of libcrypto fits");

static SHA256_CTX *
context(struct sha256 *sha)
{
	return (SHA256_CTX *)(void *)sha->opaque;
}

void
sha256_init(struct sha256 *sha)
{
	SHA256_Init(context(sha));
}

void
sha256_add(struct sha256 *sha, const void *bytes, size_t nr)
{
	SHA256_Update(context(sha), bytes, nr);
}

void
sha256_end(struct sha256 *sha, uint8_t digest[SHA256_BYTES])
{
	SHA256_Final(digest, context(sha));
}

void
sha256_of(const void *bytes, size_t nr, uint8_t digest[SHA256_BYTES])
{
	struct sha256 sha;

	sha256_init(&sha);
	sha256_add(&sha, bytes, nr);
	sha256_end(&sha, digest);
}
