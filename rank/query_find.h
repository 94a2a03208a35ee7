/* SPDX-License-Identifier: MIT */
/*
 * query_find.h - where words, their parts and terms may begin, 64 bytes at a
 *                time.
 *
 * Does not: concern anybody but query.c and query_find*.c.
 */
#ifndef RANK_QUERY_FIND_H
#define RANK_QUERY_FIND_H

#include "base/base.h"

#define QUERY_BLOCK 64
#define QUERY_SIEVE_PLACES 3
#define QUERY_SIEVE_GROUPS 8

/* A bit a byte. Bytes from 128 on are small letters. */
struct query_masks {
	uint64_t lower;
	uint64_t upper;
	uint64_t digit;
};

/* The masks of QUERY_BLOCK bytes. */
void
query_masks(const uint8_t *bytes, struct query_masks *out);

/* Whether the processor has AVX2. */
bool
query_has_avx2(void);

/*
 * Which bytes may occur at a place: bit i of low[place][c & 15] and of
 * high[place][c >> 4] are both set for each byte c that group i of terms may
 * have there. Other bytes may have both set, too.
 */
struct query_sieve {
	uint8_t low[QUERY_SIEVE_PLACES][16];
	uint8_t high[QUERY_SIEVE_PLACES][16];
};

/* shape: group i, of 8, may have byte c at a place */
void
query_sieve_add(struct query_sieve *sieve, uint32_t group, uint32_t place,
		uint8_t c);

/* The same of all bytes. */
void
query_sieve_add_any(struct query_sieve *sieve, uint32_t group, uint32_t place);

/*
 * shape:  the first block of a text where a term may begin, by the sieve, and
 *         the mask of its bytes; `blocks` and 0: none
 * units:  blocks of QUERY_BLOCK bytes; QUERY_SIEVE_PLACES - 1 bytes more are
 *         read
 * calls:  query_count(), only where query_has_avx2()
 * source: a search for many words by nibbles of their first bytes, as
 *         Hyperscan's Teddy (Wang et al., NSDI 2019)
 */
size_t
query_sieve_avx2(const struct query_sieve *sieve, const uint8_t *text,
		 size_t blocks, uint64_t *mask);

#endif
