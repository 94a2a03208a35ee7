/* SPDX-License-Identifier: MIT */
/*
 * phrase.h - the longest phrase of a query that a text has word for word.
 *
 * Does: remembers each three words of a line of the query that stand side by
 *       side, looks for them in a text, and joins those that follow each other.
 *       So the piece that prints a message is told from those that are about
 *       its words. Of a query that is code, remembers the lines.
 * Does not: know string literals, or case: a comment that says the same counts
 *           as well, and only the same letters.
 * Invariants:
 * 1. A function of the bytes alone.
 * Limits: the first PHRASE_WINDOWS_MAX threes of a query, of at most
 *         PHRASE_BYTES_MAX bytes each; code of PHRASE_LINES_MAX lines.
 */
#ifndef RANK_PHRASE_H
#define RANK_PHRASE_H

#include <assert.h>

#include "rank/query.h"

#define PHRASE_WORDS_MIN 4    /* three words are everywhere */
#define PHRASE_TERM UINT8_MAX /* of a chunk: its times are phrase_longest() */
#define PHRASE_LINES 128      /* more: lines of code rather than words */

static_assert(PHRASE_TERM >= QUERY_TERMS_MAX + ANCHOR_NAMES_MAX,
	      "no term of a query or of a name");

/*
 * shape:  finds the threes of a query
 * calls:  once, behind query_init()
 */
void
phrase_init(struct query *query, const uint8_t *text, size_t bytes);

/*
 * shape:  the words of the longest phrase that a text has, or PHRASE_LINES and
 *         the lines of code that it has; 0: no line, and less than
 *         PHRASE_WORDS_MIN
 * units:  counts: how often the text has each term, as by query_count()
 * calls:  chunk worker for each chunk
 */
uint8_t
phrase_longest(const struct query *query, const uint8_t *text, size_t bytes,
	       const uint8_t counts[QUERY_TERMS_MAX]);

/* Whether the longest one has half of the words of the query, or of its lines. */
bool
phrase_is_most(const struct phrases *phrases, uint32_t longest);

/* How strongly it is meant, 0 to 1: four words may be anybody's, seven are not, and
 * lines of code by how many of them there are. */
double
phrase_strength(const struct phrases *phrases, uint32_t longest);

#endif
