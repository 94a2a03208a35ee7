/* SPDX-License-Identifier: MIT */
/*
 * chunk_estimate_loop.h - the loop of chunk_estimate(), for each kind of
 * processor.
 *
 * Does: is compiled once for each, behind chunk_estimate.h, with CLASSIFY a
 *       function that tells 64 bytes apart.
 */
#include <string.h>

#define BLOCK 64

/* Weights, in 1/1024 of a token: a least-squares fit of counts. */
#define WORD_BYTE 116 /* a letter or digit, */
#define FAR_BYTE 300  /* more if it follows fifteen others: encoded data */
#define NUMBER 1186   /* a run of digits */
#define MIXED 404     /* a letter and a digit side by side */
#define MARKS 1163    /* a run of other visible ASCII */
#define BLANKS 567    /* a run of blanks and control characters */
#define FOREIGN 190   /* a byte that is not ASCII */
#define WEIGHT_ONE 1024

/* The bytes of a block by their kinds; bit 0 is the first. */
struct estimate_kinds {
	uint64_t words; /* letters and digits */
	uint64_t digits;
	uint64_t blanks; /* and control characters */
	uint64_t foreign;
};

/* Tells the 64 bytes of a block apart. */
static inline struct estimate_kinds
CLASSIFY(const uint8_t *block);

/* How many bits are set. */
static inline uint64_t
ones(uint64_t mask)
{
	return (uint64_t)__builtin_popcountll(mask);
}

/* Runs of set bits that begin; one may go on from the block before. */
static inline uint64_t
runs(uint64_t mask, uint64_t *before)
{
	uint64_t first = mask & ~(mask << 1 | *before >> 63);

	*before = mask;
	return ones(first);
}

/* Set bits with fifteen set bits right below them. */
static inline uint64_t
far(uint64_t mask)
{
	mask &= mask << 1;
	mask &= mask << 2;
	mask &= mask << 4;
	return ones(mask & mask << 8);
}

/* See chunk_estimate(). */
static inline uint64_t
estimate(const uint8_t *text, size_t bytes)
{
	uint64_t before[3] = { 0 };
	uint64_t sum = 0;
	uint8_t last[BLOCK];

	for (size_t at = 0; at < bytes; at += BLOCK) {
		const uint8_t *block = text + at;
		struct estimate_kinds kinds;
		uint64_t marks;

		if (bytes - at < BLOCK) {
			/* 0xff is foreign, and weighs the least */
			memset(last, 0xff, sizeof(last));
			memcpy(last, block, bytes - at);
			block = last;
		}
		kinds = CLASSIFY(block);
		marks = ~(kinds.words | kinds.blanks | kinds.foreign);
		sum += WORD_BYTE * ones(kinds.words) +
		       FAR_BYTE * far(kinds.words) +
		       NUMBER * runs(kinds.digits, &before[0]) +
		       MIXED * ones(kinds.words & kinds.words << 1 &
				    (kinds.digits ^ kinds.digits << 1)) +
		       MARKS * runs(marks, &before[1]) +
		       BLANKS * runs(kinds.blanks, &before[2]) +
		       FOREIGN * ones(kinds.foreign);
	}
	/* what the last block was filled up with */
	sum -= FOREIGN * (-bytes % BLOCK);
	return bytes == 0 ? 0 : sum / WEIGHT_ONE + 1;
}
