/* SPDX-License-Identifier: MIT */
/*
 * chunk_kept.h - the signatures of a file, kept beside its names by the survey for
 *                the passes that write them, and for the next run.
 *
 * Does: encodes the text of the signatures, as a delta to the file that they are
 *       derived of, and where each begins; decodes them.
 * Does not: know whether the file is the same: what is made of another one is
 *           another text (chunk_derive_recall()).
 * Invariants:
 * 1. What is decoded, of the same file, is what was encoded.
 * 2. Whatever is decoded, nothing is read or written beyond what there is.
 */
#ifndef CHUNK_CHUNK_KEPT_H
#define CHUNK_CHUNK_KEPT_H

#include "base/delta.h"
#include "lang/outline.h"

/* The signatures of a whole file. */
struct chunk_kept {
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

/*
 * shape:  encodes signatures
 * units:  returns the bytes written; 0: there is no room, or not all of them are
 *         known
 */
uint32_t
chunk_kept_encode(const struct chunk_kept *kept, uint8_t *out, uint32_t room);

/*
 * shape:  decodes them
 * errors: false: they are damaged, of another file, or there is no room; then text
 *         and signatures are anything
 */
bool
chunk_kept_decode(const uint8_t *encoded, uint32_t bytes,
		  const struct delta_source *file, struct chunk_kept_out *out);

#endif
