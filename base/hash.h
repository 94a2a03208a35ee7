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

/*
 * shape:  continues a hash with these bytes, eight at a time: for a checksum of
 *         much, which finds damage; not the value of hash64()
 * units:  nr: a multiple of 8
 */
static inline uint64_t
hash64_words(uint64_t hash, const void *bytes, size_t nr)
{
	const uint8_t *at = bytes;

	for (size_t i = 0; i < nr; i += sizeof(uint64_t)) {
		uint64_t word;

		memcpy(&word, at + i, sizeof(word));
		hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
		hash ^= hash >> 32;
	}
	return hash;
}

#endif
