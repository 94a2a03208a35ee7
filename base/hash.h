/* SPDX-License-Identifier: MIT */
/*
 * hash.h - the FNV-1a hash.
 *
 * Does not: resist someone who searches for texts with the same hash.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <string.h>

#include "base/base.h"

/* The initial value, perhaps with a number mixed in by ^ or +. */
#define HASH32_BEGIN 2166136261u
#define HASH64_BEGIN 14695981039346656037ull

/* Continues a hash with these bytes. */
static inline uint32_t
hash32(uint32_t hash, const void *bytes, size_t nr)
{
	const uint8_t *at = bytes;

	for (size_t i = 0; i < nr; i++)
		hash = (hash ^ at[i]) * 16777619u;
	return hash;
}

/* The same with 64 bits. */
static inline uint64_t
hash64(uint64_t hash, const void *bytes, size_t nr)
{
	const uint8_t *at = bytes;

	for (size_t i = 0; i < nr; i++)
		hash = (hash ^ at[i]) * 1099511628211ull;
	return hash;
}

/* A sum of much, which finds damage: four hashes side by side, so that none has to
 * wait for the multiplication of another. */
struct checksum {
	uint64_t lanes[4];
	uint64_t word_nr; /* that were added */
};

/* The sum of nothing. */
static inline struct checksum
checksum_begin(void)
{
	return (struct checksum){ .lanes = { HASH64_BEGIN, HASH64_BEGIN + 1,
					     HASH64_BEGIN + 2,
					     HASH64_BEGIN + 3 } };
}

/* Continues a hash with a word. */
static inline uint64_t
checksum_mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 32;
}

/* Continues a sum with the next word. */
static inline void
checksum_add_word(struct checksum *sum, const void *bytes, size_t nr)
{
	uint64_t *lane = &sum->lanes[sum->word_nr++ % 4];
	uint64_t word = 0;

	memcpy(&word, bytes, nr);
	*lane = checksum_mix(*lane, word);
}

/*
 * shape:  continues a sum with these bytes, as if zeros up to a multiple of 8
 *         followed
 */
static inline void
checksum_add(struct checksum *sum, const void *bytes, size_t nr)
{
	const uint8_t *at = bytes;
	const uint8_t *end = at + nr;

	for (; sum->word_nr % 4 != 0 && end - at >= 8; at += 8)
		checksum_add_word(sum, at, 8);
	for (; end - at >= 32; at += 32) {
		uint64_t words[4];

		memcpy(words, at, sizeof(words));
		for (size_t lane = 0; lane < 4; lane++)
			sum->lanes[lane] =
				checksum_mix(sum->lanes[lane], words[lane]);
	}
	for (; end - at >= 8; at += 8)
		checksum_add_word(sum, at, 8);
	if (at < end)
		checksum_add_word(sum, at, (size_t)(end - at));
}

/* The sum of all that was added. */
static inline uint64_t
checksum_end(const struct checksum *sum)
{
	uint64_t hash = HASH64_BEGIN;

	for (size_t lane = 0; lane < 4; lane++)
		hash = checksum_mix(hash, sum->lanes[lane]);
	return hash;
}

#endif
