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
#include <cpuid.h>
#include <limits.h>

#include "base/sha256_shani.h"

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

/* Whether the processor has the SHA instructions: asked for once, since a
 * virtual machine takes its time to answer. */
static bool
has_shani(void)
{
	static enum { UNKNOWN = 0, NO, YES } known;
	unsigned a = 0, b = 0, c = 0, d = 0;

	if (known == UNKNOWN)
		known = __builtin_cpu_supports("sse4.1") &&
					__get_cpuid_count(7, 0, &a, &b, &c,
							  &d) &&
					(b & bit_SHA)
				? YES
				: NO;
	return known == YES;
}

/* Blocks of a text that are the next of its own digest, from its beginning, and
 * of another one, from `off` on. */
static void
add_blocks(SHA256_CTX *own, SHA256_CTX *other, const uint8_t *text, size_t off,
	   size_t blocks)
{
	uint64_t bits = (uint64_t)blocks * SHA256_BLOCK_BYTES * CHAR_BIT;
	uint64_t all = ((uint64_t)other->Nh << 32 | other->Nl) + bits;

	sha256_shani_pair(own->h, text, other->h, text + off, blocks);
	own->Nl = (SHA_LONG)bits;
	own->Nh = (SHA_LONG)(bits >> 32);
	other->Nl = (SHA_LONG)all;
	other->Nh = (SHA_LONG)(all >> 32);
}

void
sha256_add_and_of(struct sha256 *sha, const void *bytes, size_t nr,
		  uint8_t digest[SHA256_BYTES])
{
	SHA256_CTX *other = context(sha);
	/* what fills the block that has been begun */
	size_t off = -other->num % SHA256_BLOCK_BYTES;
	const uint8_t *text = bytes;
	size_t blocks = 0;
	struct sha256 own;

	sha256_init(&own);
	if (nr >= off + SHA256_BLOCK_BYTES && has_shani()) {
		blocks = (nr - off) / SHA256_BLOCK_BYTES;
		sha256_add(sha, text, off);
		add_blocks(context(&own), other, text, off, blocks);
	} else {
		off = 0;
	}
	sha256_add(sha, text + off + blocks * SHA256_BLOCK_BYTES,
		   nr - off - blocks * SHA256_BLOCK_BYTES);
	sha256_add(&own, text + blocks * SHA256_BLOCK_BYTES,
		   nr - blocks * SHA256_BLOCK_BYTES);
	sha256_end(&own, digest);
}
