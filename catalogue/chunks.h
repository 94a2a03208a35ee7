/* SPDX-License-Identifier: MIT */
/*
 * chunks.h - chunks in canonical order, grouped by file.
 *
 *   chunks          [chunk_record ...]  by dedup
 *   signature_lines [chunk_record ...]  by dedup: of definitions that were cut,
 *                                       with a query; grouped by file
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
	union {
		/* of a chunk that begins within a definition: 1 + that of the
		 * definition, among those of the file; 0: none */
		uint32_t signature_line;
		/* of a signature line: the chunk of its file that it is in */
		uint32_t in_chunk;
	};
	uint8_t branches; /* with tiers, branches of its code; 255: or more */
	uint8_t is_estimated; /* 1: tokens were not counted, so far */
	uint8_t pad[2];
};

#define SIGNATURE_LINES_MAX UINT16_MAX /* of a file; others are not kept */

#define CHUNK_NONE ((1ull << 48) - 1)

/* A chunk, by its index among all. */
CATALOGUE_RECORDS(chunks, chunk_record, 56, catalogue_chunk);

/* A signature line, by its index among all. */
CATALOGUE_RECORDS(signature_lines, chunk_record, 56, catalogue_signature_line);

#endif
