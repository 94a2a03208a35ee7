/* SPDX-License-Identifier: MIT */
/*
 * chunk_kept.h - the signatures of a file, kept beside its names by the survey for
 *                the passes that write them, and for the next run.
 *
 * Does: encodes the text of the signatures, as a delta to the text that they are
 *       derived of, a file or a part of a large one, and where each begins; decodes
 *       them.
 * Does not: know whether the file is the same: what is made of another one is
 *           another text (chunk_derive_recall()).
 *
 *   of a file, part by part: | bytes of the rest | where it begins and ends | the
 *   numbers | places | imports | the delta
 *
 * Invariants:
 * 1. What is decoded, of the same file, is what was encoded.
 * 2. Whatever is decoded, nothing is read or written beyond what there is.
 */
#ifndef CHUNK_CHUNK_KEPT_H
#define CHUNK_CHUNK_KEPT_H

#include "base/delta.h"
#include "lang/outline.h"

/* Where a part of a file begins, and where what is done of it ends. */
struct chunk_kept_part {
	uint64_t off;
	uint32_t done;     /* bytes of it; the rest goes with the next part */
	uint32_t line_end; /* the line behind these */
};

/* The signatures of a part of a file, or all of it. */
struct chunk_kept {
	struct chunk_kept_part part;
	const uint8_t *text;
	uint32_t bytes;   /* of the text */
	uint32_t written; /* at its end, by the delta: what is before them says
			   * what is imported */
	bool is_file;     /* the file itself is written: there is no text */
	const struct lang_signatures *signatures;
	const uint8_t *delta;
	size_t delta_bytes;
};

/* Where they go to. */
struct chunk_kept_out {
	uint8_t *text;
	uint32_t room;
	struct lang_signatures *signatures; /* its list and number */
	uint32_t bytes;                     /* as above, all three */
	uint32_t written;
	bool is_file;
};

/* A part that is kept, as it is found. */
struct chunk_kept_found {
	struct chunk_kept_part part;
	const uint8_t *encoded;
	uint32_t bytes;
};

/*
 * shape:  encodes the signatures of a part
 * units:  returns the bytes written; 0: there is no room, or not all of them are
 *         known
 */
uint32_t
chunk_kept_encode(const struct chunk_kept *kept, uint8_t *out, uint32_t room);

/*
 * shape:  the part at *at of those that are kept of a file, and *at moves to the next;
 *         false: there are no more, or they are damaged
 * units:  *at in bytes, 0 for the first
 */
bool
chunk_kept_next(const uint8_t *kept, uint32_t bytes, uint32_t *at,
		struct chunk_kept_found *found);

/*
 * shape:  decodes the signatures of a part; text: the part, from its beginning
 * errors: false: they are damaged, of another file, or there is no room; then what
 *         goes out is anything
 */
bool
chunk_kept_decode(const struct chunk_kept_found *found,
		  const struct delta_source *text, struct chunk_kept_out *out);

#endif
