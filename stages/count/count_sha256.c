/* SPDX-License-Identifier: MIT */
/*
 * count_sha256.c - SHA-256 by libcrypto.
 *
 * The older interface, since its context is plain data: it can lie in shared
 * memory and be gone on with by another process. EVP contexts cannot.
 */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>

#include "stages/count/count.h"

static_assert(sizeof(SHA256_CTX) <= sizeof(struct count_sha256),
	      "the context of libcrypto fits");

static SHA256_CTX *
context(struct count_sha256 *sha)
{
	return (SHA256_CTX *)(void *)sha->opaque;
}

void
count_sha256_init(struct count_sha256 *sha)
{
	SHA256_Init(context(sha));
}

void
count_sha256_add(struct count_sha256 *sha, const uint8_t *text, size_t bytes)
{
	SHA256_Update(context(sha), text, bytes);
}

void
count_sha256_end(struct count_sha256 *sha, uint8_t digest[SHA256_BYTES])
{
	SHA256_Final(digest, context(sha));
}

void
count_sha256(const uint8_t *text, size_t bytes, uint8_t digest[SHA256_BYTES])
{
	SHA256_CTX sha;

	SHA256_Init(&sha);
	SHA256_Update(&sha, text, bytes);
	SHA256_Final(digest, &sha);
}
