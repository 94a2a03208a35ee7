/* SPDX-License-Identifier: MIT */
/*
 * find.h - finds the next byte of a set, 64 bytes at a time.
 *
 * Does: turns 64 bytes into a mask of those that are in a set of ASCII bytes,
 *       and returns the set bits one by one.
 * Does not: know the meaning of the bytes.
 */
#ifndef LANG_FIND_H
#define LANG_FIND_H

#include "base/base.h"

#define FIND_BLOCK 64

/* A set of bytes below 128: bit (b >> 4) of low[b & 15]. */
struct lang_set {
	uint8_t low[16];
};

struct lang_finder {
	struct lang_set set;
	const uint8_t *text;
	size_t bytes;
	size_t block;  /* offset of the block the mask is of */
	uint64_t mask; /* the bits not yet returned */
	bool avx2;     /* this processor has it */
};

/* Adds a byte to the set. */
void
lang_set_add(struct lang_set *set, uint8_t byte);

/*
 * shape:  64 bytes -> the mask of those in the set, bit 0 the first
 * calls:  lang_finder_next()
 * source: two table look-ups by nibble, as in simdjson's classification of
 *         structural characters (Langdale, Lemire 2019)
 */
uint64_t
lang_mask64(const struct lang_set *set, const uint8_t *bytes);

/* The same; only where the processor has AVX2. */
uint64_t
lang_mask64_avx2(const struct lang_set *set, const uint8_t *bytes);

/*
 * shape:  the mask of those of 64 bytes that chunk_traits() must examine;
 *         only where the processor has AVX2
 */
uint64_t
lang_suspects64_avx2(const uint8_t *bytes);

/*
 * shape:  where "//", a byte and a dot stand next, or how far was looked: less
 *         than 35 bytes before the end; only where the processor has AVX2
 */
size_t
lang_gap_next_avx2(const uint8_t *text, size_t at, size_t bytes);

/* Whether the processor has AVX2. */
bool
lang_has_avx2(void);

/* Makes a finder over a text. */
void
lang_finder_init(struct lang_finder *finder, const struct lang_set *set,
		 const uint8_t *text, size_t bytes);

/* The mask of the block at `block`, cut at the end of the text. */
uint64_t
lang_finder_load(struct lang_finder *finder, size_t block);

/*
 * shape:  offset of the first byte of the set at or after `from`; the number of
 *         bytes if there is none
 */
static inline size_t
lang_finder_next(struct lang_finder *finder, size_t from)
{
	size_t block = from & ~(size_t)(FIND_BLOCK - 1);

	if (block != finder->block) {
		if (from >= finder->bytes)
			return finder->bytes;
		finder->block = block;
		finder->mask = lang_finder_load(finder, block);
	}
	finder->mask &= UINT64_MAX << (from - block);
	while (finder->mask == 0) {
		finder->block += FIND_BLOCK;
		if (finder->block >= finder->bytes) {
			finder->block = SIZE_MAX;
			return finder->bytes;
		}
		finder->mask = lang_finder_load(finder, finder->block);
	}
	return finder->block + (size_t)__builtin_ctzll(finder->mask);
}

#endif
