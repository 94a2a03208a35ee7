/* SPDX-License-Identifier: MIT */
/*
 * words.h - which words of a query a file may have, in blocks of chunks; by
 * dedup, if the survey of a query is kept.
 *
 *   words [words_block | its filter] ...  grouped by file, in the order of its
 *                                         chunks; a file has none, or those of
 *                                         all its chunks
 *
 * source: rank/query_filter.h makes the filters
 */
#ifndef CATALOGUE_WORDS_H
#define CATALOGUE_WORDS_H

#include "catalogue/catalogue.h"

/* Content of a block: it ends with the chunk that makes it so long. */
#define WORDS_BLOCK_BYTES (16u << 10)
#define WORDS_FILTER_MAX 128u /* 64-bit words of a filter: a power of two */

/* Which chunks a filter is of; it follows. */
struct words_block {
	uint32_t chunk_nr; /* side by side */
	uint32_t filter_nr;
};

static_assert(sizeof(struct words_block) == sizeof(uint64_t), "a word");

/*
 * shape:  the block at *at of `nr` words, and *at moves to the next; NULL: no
 *         more, or no block
 * units:  *at in words, 0 for the first; the filter follows the block
 */
static inline const struct words_block *
words_next(const uint64_t *words, uint64_t nr, uint64_t *at)
{
	const struct words_block *block;
	uint32_t filter_nr;

	if (*at >= nr)
		return NULL;
	block = (const void *)(words + *at);
	filter_nr = block->filter_nr;
	if (block->chunk_nr == 0 || filter_nr == 0 ||
	    filter_nr > WORDS_FILTER_MAX ||
	    (filter_nr & (filter_nr - 1)) != 0 || filter_nr > nr - *at - 1)
		return NULL;
	*at += 1 + filter_nr;
	return block;
}

/* The words of a file, side by side. */
static inline uint64_t *
catalogue_words(const struct catalogue *catalogue, uint64_t first, uint64_t nr)
{
	return table_at(&catalogue->words, first * sizeof(uint64_t),
			nr * sizeof(uint64_t));
}

#endif
