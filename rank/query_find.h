/* SPDX-License-Identifier: MIT */
/*
 * query_find.h - where words and their parts may begin, 64 bytes at a time.
 *
 * Does not: concern anybody but query.c and query_find*.c.
 */
#ifndef RANK_QUERY_FIND_H
#define RANK_QUERY_FIND_H

#include "base/base.h"

#define QUERY_BLOCK 64

/* A bit a byte. Bytes from 128 on are small letters. */
struct query_masks {
	uint64_t lower;
	uint64_t upper;
	uint64_t digit;
};

/* The masks of QUERY_BLOCK bytes. */
void
query_masks(const uint8_t *bytes, struct query_masks *out);

#endif
