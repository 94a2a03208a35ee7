/* SPDX-License-Identifier: MIT */
/*
 * chunk_estimate.c - tokens by what a text is made of.
 */
#include "stages/chunk/chunk_estimate.h"

#include "lang/find.h"

#define CLASSIFY classify_portable
#include "stages/chunk/chunk_estimate_loop.h"

static inline struct estimate_kinds
classify_portable(const uint8_t *block)
{
	struct estimate_kinds kinds = { 0 };

	for (unsigned i = 0; i < BLOCK; i++) {
		uint8_t byte = block[i];
		/* of either case */
		uint64_t is_letter = (uint8_t)((byte | 0x20) - 'a') < 26;
		uint64_t is_digit = (uint8_t)(byte - '0') < 10;

		kinds.words |= (is_letter | is_digit) << i;
		kinds.digits |= is_digit << i;
		kinds.blanks |= (uint64_t)(byte <= ' ') << i;
		kinds.foreign |= (uint64_t)(byte >= 128) << i;
	}
	return kinds;
}

uint64_t
chunk_estimate_portable(const uint8_t *text, size_t bytes)
{
	return estimate(text, bytes);
}

uint64_t
chunk_estimate(const uint8_t *text, size_t bytes)
{
	return lang_has_avx2() ? chunk_estimate_avx2(text, bytes)
			       : chunk_estimate_portable(text, bytes);
}
