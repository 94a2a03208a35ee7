/* SPDX-License-Identifier: MIT */
/*
 * query_declared.h - which names of a query a text declares.
 *
 * Does: finds the names of a query (anchor.h) in a text that has their words,
 *       and asks lang/declares.h of the lines that they stand in. So constants,
 *       macros and fields are found, of which the survey keeps no names.
 * Does not: say where else they are declared (stages/select/select_anchors.c).
 * Invariants:
 * 1. A function of the bytes alone.
 * Limits: QUERY_DECLARED_MAX names of a text, and QUERY_DECLARED_PLACES places
 *         of each.
 */
#ifndef RANK_QUERY_DECLARED_H
#define RANK_QUERY_DECLARED_H

#include <assert.h>

#include "rank/query.h"

/* A declared name is a term of a chunk as well: this is that of the first. */
#define QUERY_DECLARED QUERY_TERMS_MAX
#define QUERY_DECLARED_MAX 8
#define QUERY_DECLARED_PLACES 64

static_assert(QUERY_DECLARED + ANCHOR_NAMES_MAX <= UINT8_MAX + 1,
	      "their index has a byte");

struct query_declared {
	uint8_t name; /* index in anchors */
	uint8_t how;  /* enum lang_declares, the most that it is anywhere; where
		       * the query asks for uses, how often it is there, or
		       * how many types are derived from it */
};

/*
 * shape:  finds the words that a text must have to have a name
 * calls:  once, by who has read the anchors of the query
 */
void
query_declared_init(struct query *query);

/*
 * shape:  the names that a text declares, by index; their number
 * units:  counts: how often the text has each term, as by query_count()
 * calls:  chunk worker for each chunk
 */
uint32_t
query_declared(const struct query *query, const uint8_t *text, size_t bytes,
	       const uint8_t counts[QUERY_TERMS_MAX],
	       struct query_declared found[QUERY_DECLARED_MAX]);

#endif
