/* SPDX-License-Identifier: MIT */
/*
 * batch.h - looks up pieces in the cache, some hundred at a time.
 *
 * All entries are prefetched before the first is examined, so that the misses
 * of the processor's caches overlap. No branch depends on the text: pieces that
 * are not found are noted for later.
 *
 * Each file that includes this for its instruction set defines
 *   void batch_ask(struct batch *, const struct tokenizer_cache *,
 * 		    const uint8_t *text)
 *     makes the keys of all pieces and prefetches their entries
 *   uint64_t batch_look(struct batch *, const struct tokenizer_cache *)
 *     the tokens of the pieces that are found; notes the others
 */
#ifndef TOKENIZER_BATCH_H
#define TOKENIZER_BATCH_H

#include <immintrin.h>
#include <stdint.h>

#include "tokenizer/cache.h"

/* Pieces are looked up in batches of this size. */
#define BATCH_PIECES 256
/* A block adds up to 32 pieces, and writes as many places after them. */
#define BATCH_ROOM (BATCH_PIECES + 3 * 32)

struct batch {
	struct vocab_key keys[BATCH_ROOM] __attribute__((aligned(64)));
	uint32_t offs[2 * BATCH_ROOM]; /* of the entries, in bytes; every 2nd */
	uint32_t places[BATCH_ROOM];
	uint8_t lens[BATCH_ROOM]; /* 1 to 255, of which 15 have entries */
	/* Bit 2 i + 1 is set if piece i was not found. */
	uint64_t missed[BATCH_ROOM / 32];
	uint32_t nr;
};

/* Entries are read at once: see cache.h. */
static inline __m128i
batch_entry(const uint8_t *entry)
{
	__m128i all;

	__asm__("vmovdqa %1, %0"
		: "=x"(all)
		: "m"(*(const struct cache_short *)(const void *)entry));
	return all;
}

#endif
