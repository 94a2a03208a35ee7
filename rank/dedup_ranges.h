/* SPDX-License-Identifier: MIT */
/*
 * dedup_ranges.h - ranges of lines of one file that overlap.
 *
 *   overlap = lines in both / lines of the shorter
 *
 * Does: merges ranges that overlap by a threshold, or keeps the better one.
 * Does not: know files, content or tokens.
 * Limits: where ranges are merged, each is compared with the DEDUP_REACH before
 *         it that reach furthest; more than that do not overlap by less than a
 *         threshold that is of use.
 */
#ifndef RANK_DEDUP_RANGES_H
#define RANK_DEDUP_RANGES_H

#include "base/base.h"

#define DEDUP_ONE 1000000u /* a ratio of 1 */
#define DEDUP_REACH 64
#define DEDUP_GONE UINT32_MAX

struct dedup_range {
	uint64_t first; /* lines, 1-based, both included */
	uint64_t last;
	uint64_t rank; /* the greater, the better */
	uint32_t id;   /* the caller's */
	uint32_t into; /* out: index of the range it is part of now, its own if
			* it stands for itself */
	uint32_t best; /* internal: index of the range at this place by rank */
	uint32_t kept; /* internal: a Fenwick tree over the kept ranges */
};

/*
 * shape:  lines in both, in millionths of the lines of the shorter; 0 for
 *         ranges without lines
 */
uint32_t
dedup_overlap(const struct dedup_range *a, const struct dedup_range *b);

/*
 * shape:  sorts the ranges by first and last line and merges those that
 *         overlap: the first of them becomes the whole, with the best rank.
 *         With `merge` false they are chosen by rank, the first of equals, and
 *         a range that overlaps a chosen one is dropped. Returns how many were
 *         merged or dropped.
 * units:  threshold in millionths; 0: a shared line is enough
 * owner:  the caller's, in place; allocates nothing
 * source: ours; n log n, a sweep over ranges sorted by their first line; by
 *         rank, a check of the neighbours among those kept
 */
uint32_t
dedup_merge_ranges(struct dedup_range *ranges, uint32_t nr, uint32_t threshold,
		   bool merge);

#endif
