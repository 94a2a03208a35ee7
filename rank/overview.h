/* SPDX-License-Identifier: MIT */
/*
 * overview.h - how an overview, made without a query, divides its budget.
 *
 *   the frame   the README and the build manifests, each in part if it is long
 *   breadth     signatures of the files of code, the best first, of each no
 *               more than its relevance is worth
 *   depth       the chunks that are changed most, for their tokens
 *
 * Does not: know files; no floating-point numbers.
 */
#ifndef RANK_OVERVIEW_H
#define RANK_OVERVIEW_H

#include "base/base.h"

/* Tokens of a README, or of a manifest, that is a part of the frame. */
uint64_t
overview_frame_tokens(uint64_t available, bool is_manifest);

/* Tokens of all of the frame. */
uint64_t
overview_frame_all(uint64_t available);

/* Of what the frame leaves, tokens for signatures: fewer with a history, which
 * tells what is worth its text. */
uint64_t
overview_breadth_tokens(uint64_t left, bool has_history);

/*
 * shape:  of these, what signatures may take at a scale: less, if the files do not
 *         have all of their shares
 */
uint64_t
overview_breadth_at(uint64_t breadth, uint32_t scale, bool has_history);

/* Tokens that a file may have, whatever is in it. */
uint64_t
overview_file_tokens(uint64_t available);

#define OVERVIEW_SCALES 19
#define OVERVIEW_LEVELS 40 /* of relevance, two for each doubling */

/*
 * shape:  tokens of the signatures of a file, at most
 * units:  relevance: in millionths, of the best file of its class; scale: how
 *         generous that is, from 0 up, of OVERVIEW_SCALES
 */
uint64_t
overview_outline_tokens(uint64_t breadth, uint32_t relevance, uint32_t scale,
			bool has_history);

/* Of files of each level of relevance: what their signatures come to at each
 * scale, how relevant they are, and what of that the signatures show. */
struct overview_sums {
	bool has_history; /* by the caller; the rest is 0 before */
	uint64_t relevance[OVERVIEW_LEVELS];
	uint64_t tokens[OVERVIEW_SCALES][OVERVIEW_LEVELS];
	uint64_t shown[OVERVIEW_SCALES][OVERVIEW_LEVELS];
};

/* Adds a file, whose signatures have so many tokens; units: as above. */
void
overview_add(struct overview_sums *sums, uint64_t breadth, uint32_t relevance,
	     uint32_t outline_tokens);

/*
 * The most generous scale that leaves room for all files: with a history 1 to
 * 3, without one, where their relevance is a guess, any. If none does, the one
 * of at most 1 that shows most: a file counts by its relevance, and once more
 * by the part of its signatures.
 */
uint32_t
overview_scale(const struct overview_sums *sums, uint64_t breadth);

/* What an overview knows of a chunk. */
struct overview_chunk {
	uint64_t heat;      /* of its lines; 0: unknown, or none */
	uint32_t relevance; /* of its file, in millionths, as above */
	uint64_t bytes;     /* not tokens, which may be estimates */
	uint8_t order;      /* of rank_section_order() */
};

/* What a chunk is worth for its size, compared with others: first its heat. */
uint32_t
overview_depth(const struct overview_chunk *chunk);

#endif
