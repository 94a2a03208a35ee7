/* SPDX-License-Identifier: MIT */
/*
 * sieve.h - where one of many texts may begin, 64 bytes at a time.
 *
 * Does: lets through the places where the first three bytes of one of them may
 *       stand.
 * Does not: say which, or that one stands there.
 */
#ifndef BASE_SIEVE_H
#define BASE_SIEVE_H

#include "base/base.h"

#define SIEVE_BLOCK 64
#define SIEVE_PLACES 3
#define SIEVE_GROUPS 8
#define SIEVE_HALVES 2 /* of twice as many groups, where bytes are whole */

/* Whether the processor has AVX2. */
bool
sieve_has_avx2(void);

/*
 * Which bytes may occur at a place: bit i of low[place][c & 15] and of
 * high[place][c >> 4] are both set for each byte c that group i of terms may
 * have there. Other bytes may have both set, too.
 */
struct sieve {
	uint8_t low[SIEVE_PLACES][16];
	uint8_t high[SIEVE_PLACES][16];
	/* the groups of each byte of ASCII; others are taken for it */
	uint8_t whole[SIEVE_HALVES][SIEVE_PLACES][128];
};

/* shape: group i, of 16, may have byte c at a place; where bytes are looked up by
 * nibbles, groups i and i + 8 are one */
void
sieve_add(struct sieve *sieve, uint32_t group, uint32_t place, uint8_t c);

/* The same of all bytes. */
void
sieve_add_any(struct sieve *sieve, uint32_t group, uint32_t place);

/*
 * shape:  the first block of a text where a term may begin, by the sieve, and
 *         the mask of its bytes; `blocks` and 0: none
 * units:  blocks of SIEVE_BLOCK bytes; SIEVE_PLACES - 1 bytes more are
 *         read
 * calls:  sieve_next(); only where sieve_has_avx2()
 * source: a search for many words by nibbles of their first bytes, as
 *         Hyperscan's Teddy (Wang et al., NSDI 2019)
 */
size_t
sieve_next_avx2(const struct sieve *sieve, const uint8_t *text, size_t blocks,
		uint64_t *mask);

/* Whether the processor has what sieve_next_avx512() needs. */
bool
sieve_has_avx512(void);

/* The same by whole bytes and 16 groups: a third as many places pass. */
size_t
sieve_next_avx512(const struct sieve *sieve, const uint8_t *text, size_t blocks,
		  uint64_t *mask);

/*
 * shape:  the better one of the two
 * calls:  query_count(), secrets_find(); only where sieve_has_avx2()
 */
size_t
sieve_next(const struct sieve *sieve, const uint8_t *text, size_t blocks,
	   uint64_t *mask);

#endif
