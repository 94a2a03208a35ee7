/* SPDX-License-Identifier: MIT */
/*
 * query_find.h - where words and their parts begin, 64 bytes at a time.
 *
 * Does not: concern anybody but query.c and query_find*.c.
 */
#ifndef STAGES_QUERY_FIND_H
#define STAGES_QUERY_FIND_H

#include "shm/base.h"

#define QUERY_BLOCK 64

/* A bit a byte. Bytes from 128 on are small letters. */
struct query_masks {
	uint64_t lower;
	uint64_t upper;
	uint64_t digit;
};

/* shape: the masks of QUERY_BLOCK bytes; the same from both */
void
query_masks(const uint8_t *bytes, struct query_masks *out);

/* calls: only where query_has_avx2() */
void
query_masks_avx2(const uint8_t *bytes, struct query_masks *out);

bool
query_has_avx2(void);

#endif
