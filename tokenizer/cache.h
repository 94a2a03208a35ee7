/* SPDX-License-Identifier: MIT */
/*
 * cache.h - how many tokens a short piece has, remembered.
 *
 * An entry is 16 bytes: up to 15 bytes of the piece, zero behind its end, and
 * a last byte with the length (low four bits) and the tokens (high four). The
 * key is compared in full, so a hit is always right.
 *
 * Crash note: an entry may be torn between its two words by a writer that
 * died or is at work. The first word is stored mixed with the second, so that
 * two halves that were not written together do not look like any key.
 */
#ifndef TOKENIZER_CACHE_H
#define TOKENIZER_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tokenizer/vocab.h"

#define CACHE_KEY_BYTES 15

struct cache_entry {
	_Atomic uint64_t lo;
	_Atomic uint64_t hi;
};

struct tokenizer_cache {
	uint64_t mask;
	uint64_t pad[7];
	struct cache_entry entries[];
};

/*
 * shape:  the tokens of a piece, 0 if they are not known
 * units:  len in bytes, 1 to CACHE_KEY_BYTES
 */
uint32_t
cache_get(const struct tokenizer_cache *cache, struct vocab_key key,
	  size_t len);

/*
 * shape:  remembers the tokens of a piece in the place of another one
 * units:  len in bytes, 1 to CACHE_KEY_BYTES; tokens is 1 to len
 */
void
cache_put(struct tokenizer_cache *cache, struct vocab_key key, size_t len,
	  uint32_t tokens);

#endif
