/* SPDX-License-Identifier: MIT */
/*
 * chunks.h - chunks in canonical order, grouped by file.
 *
 *   chunks [chunk_record ...]  by dedup
 *   heads  [chunk_record ...]  by dedup: signatures of definitions that were cut,
 *                              with a query; grouped by file
 */
#ifndef CATALOGUE_CHUNKS_H
#define CATALOGUE_CHUNKS_H

#include "catalogue/catalogue.h"
#include "catalogue/desc.h"

struct chunk_record {
	uint64_t file_off;
	uint64_t bytes;
	uint32_t file_idx;
	uint32_t line_first; /* 1-based */
	uint32_t line_nr;
	uint32_t tokens;
	uint8_t fingerprint[FINGERPRINT_BYTES];
	/* of a chunk that begins within a definition: 1 + its head, of those of
	 * the file; 0: none. Of a head: the chunk of the file it begins in */
	uint32_t head;
	uint8_t branches; /* with tiers, of its code; 255 of more */
	uint8_t pad[3];
};

#define HEADS_MAX UINT16_MAX /* of a file; further ones are not kept */

#define CHUNK_NONE ((1ull << 48) - 1)

/* A chunk, by its index among all. */
CATALOGUE_RECORDS(chunks, chunk_record, 56, catalogue_chunk);

/* A record of the heads, by its index. */
CATALOGUE_RECORDS(heads, chunk_record, 56, catalogue_head);

#endif
