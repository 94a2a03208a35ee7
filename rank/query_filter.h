/* SPDX-License-Identifier: MIT */
/*
 * query_filter.h - which words a text may have, in a few bits a word.
 *
 * Does: adds to a Bloom filter what the words of a text and their parts begin
 *       with, eight letters of each; tells whether it may have a word of a query
 *       with whatever ending. What query_count() finds in a text is in its
 *       filter.
 * Does not: count; know pairs, which are of words that it knows.
 * Invariants:
 * 1. A filter that says no is right. One that says yes is wrong for one word of
 *    a query in fifty.
 * source: Bloom, Space/time trade-offs in hash coding with allowable errors
 *         (1970)
 */
#ifndef RANK_QUERY_FILTER_H
#define RANK_QUERY_FILTER_H

#include "rank/query.h"

#define QUERY_FILTER_WORDS 128u /* of 64 bits, before it is folded */

struct query_filter {
	uint64_t bits[QUERY_FILTER_WORDS];
};

#define QUERY_SEEN_BITS 9

/* Hashes of words that were added to a filter lately, of one process. */
struct query_words {
	uint64_t seen[1 << QUERY_SEEN_BITS];
};

#define QUERY_INFLECTIONS 36u /* of a word: see query_sought_init() */

/* What words of a query begin with, with all endings, as filters know it. */
struct query_sought {
	uint32_t nr;
	uint64_t hashes[QUERY_WORDS_MAX * QUERY_INFLECTIONS];
};

/*
 * shape:  the filter that words are added to from now on is another one, or may
 *         not be as it was left
 */
void
query_filter_begin(struct query_words *words);

/*
 * shape:  adds the words of a text
 * calls:  after query_filter_begin()
 */
void
query_filter_add(struct query_filter *filter, struct query_words *words,
		 const uint8_t *text, size_t bytes);

/*
 * shape:  makes a filter as short as its words allow; how many of its 64-bit
 *         words are left: a power of two
 */
uint32_t
query_filter_fold(struct query_filter *filter);

/* The words that filters are asked for. */
void
query_sought_init(struct query_sought *sought, const struct query *query);

/*
 * shape:  whether a filter may have any of them
 * units:  nr: of its 64-bit words, a power of two
 */
bool
query_filter_may_have(const uint64_t *bits, uint32_t nr,
		      const struct query_sought *sought);

#endif
