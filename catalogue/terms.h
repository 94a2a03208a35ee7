/* SPDX-License-Identifier: MIT */
/*
 * terms.h - words of the query in chunks, by dedup; the last record belongs to
 * CHUNK_NONE.
 */
#ifndef CATALOGUE_TERMS_H
#define CATALOGUE_TERMS_H

#include "catalogue/chunks.h"

/* How often a chunk has a word of the query. A chunk may have several
 * records of a term: they add up. */
struct term_record {
	uint32_t chunk_low;
	uint16_t chunk_high;
	uint8_t term; /* index in the query */
	uint8_t times;
};

/* A record of how often a chunk has a term. */
static inline struct term_record
term_record(uint64_t chunk_idx, uint8_t term, uint8_t times)
{
	return (struct term_record){ .chunk_low = (uint32_t)chunk_idx,
				     .chunk_high = (uint16_t)(chunk_idx >> 32),
				     .term = term,
				     .times = times };
}

/* The index of its chunk. */
static inline uint64_t
term_chunk(const struct term_record *record)
{
	return record->chunk_low | (uint64_t)record->chunk_high << 32;
}

/* A record of a term, by its index. */
CATALOGUE_RECORDS(terms, term_record, 8, catalogue_term);

#endif
