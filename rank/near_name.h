/* SPDX-License-Identifier: MIT */
/*
 * near_name.h - a name that a query has, but not as it is written.
 *
 * Does: compares names with a short query by letters and digits alone: "drop
 *       metric name" and drop_metric_name are dropMetricName; of a query of one
 *       word, names that begin or end with it, or differ by one letter.
 * Does not: concern names that are there as they are (anchor.h).
 * Invariants:
 * 1. All input is foreign: any bytes are read.
 * Limits: names and queries of NEAR_NAME_BYTES letters.
 */
#ifndef RANK_NEAR_NAME_H
#define RANK_NEAR_NAME_H

#include "base/base.h"

#define NEAR_NAME_BYTES 60

/* From worst to best. */
enum near_name_how {
	NEAR_NAME_NOT = 0,
	NEAR_NAME_END,   /* the name ends with it */
	NEAR_NAME_BEGIN, /* the name begins with it */
	NEAR_NAME_TYPO,  /* an edit apart: base/nearest.h */
	NEAR_NAME_SAME,  /* the same letters */
	NEAR_NAME_NONE   /* no name is so near */
};

/* A query by its letters; nr 0: it is too long or too short. */
struct near_name {
	char letters[NEAR_NAME_BYTES + 1]; /* small ones, and digits */
	uint8_t nr;
	bool is_one_word; /* there are no blanks */
};

/* The letters of a query, which neither begins nor ends with a blank. */
void
near_name_init(struct near_name *near, const uint8_t *text, size_t bytes);

/* How a name is like them. */
enum near_name_how
near_name_of(const struct near_name *near, const uint8_t *name, size_t bytes);

#endif
