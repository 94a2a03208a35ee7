/* SPDX-License-Identifier: MIT */
/*
 * chunk_kept.h - signatures that were derived of files, for the passes that
 *                follow: an output is made up to a few times.
 *
 * Does: keeps the signatures of files that are read in one piece, with where
 *       each begins, as long as there is room; finds those of a file whose
 *       content is the same.
 * Does not: survive the process: a replacement derives them again.
 * Invariants:
 * 1. What is found is what would be derived of the content.
 */
#ifndef CHUNK_CHUNK_KEPT_H
#define CHUNK_CHUNK_KEPT_H

#include "lang/outline.h"

#define KEPT_BYTES (512u << 10) /* of texts and places */
#define KEPT_SLOTS 2048         /* no more than half of them are used */

/* Those of a file; in the room: the text, and the places. */
struct chunk_kept_file {
	uint64_t content;  /* hash of what they are of */
	uint64_t written;  /* bytes of signatures alone */
	uint32_t file;     /* index + 1; 0: none */
	uint32_t of_bytes; /* of what they are of, */
	uint32_t line_end; /* and the line behind it */
	uint32_t off;      /* in the room */
	uint32_t bytes;
	uint32_t signature_nr;
	bool is_text;     /* the content itself is written: none is kept */
	bool is_surveyed; /* nobody knows yet whether they are written */
};

struct chunk_kept {
	struct chunk_kept_file files[KEPT_SLOTS];
	uint32_t file_nr;
	uint32_t used;
	bool is_over; /* they are too many for the room: none is kept of a survey */
	_Alignas(8) uint8_t room[KEPT_BYTES];
};

/* What signatures are of. */
struct chunk_kept_of {
	uint32_t file_idx;
	const uint8_t *content;
	size_t bytes;
};

/*
 * shape:  keeps a text of file->bytes, and where its signatures begin, if there
 *         is room. Of a survey those of all files are kept or of none
 * units:  of `file`, what is in `of`, and where it is kept, is set here
 */
void
chunk_kept_add(struct chunk_kept *kept, const struct chunk_kept_of *of,
	       const struct chunk_kept_file *file, const uint8_t *text,
	       const struct lang_signatures *signatures);

/* What is kept of a file with this content; NULL: nothing. */
const struct chunk_kept_file *
chunk_kept_find(const struct chunk_kept *kept, const struct chunk_kept_of *of);

/* The text of it, and the places to where they belong. */
const uint8_t *
chunk_kept_text(const struct chunk_kept *kept,
		const struct chunk_kept_file *file,
		struct lang_signatures *signatures);

#endif
