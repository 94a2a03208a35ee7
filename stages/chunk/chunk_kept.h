/* SPDX-License-Identifier: MIT */
/*
 * chunk_kept.h - signatures that were derived of files, for the passes that
 *                follow: an output is made up to a few times.
 *
 * Does: keeps the signatures of a text, a file or a part of a large one, with
 *       where each begins, as long as there is room, and where the scanner
 *       stands behind a part; finds those of a text that is the same and
 *       follows the same.
 * Does not: survive the process: a replacement derives them again.
 * Invariants:
 * 1. What is found is what would be derived of the text.
 */
#ifndef CHUNK_CHUNK_KEPT_H
#define CHUNK_CHUNK_KEPT_H

#include "lang/outline.h"

#define KEPT_BYTES (512u << 10) /* of texts and places */
#define KEPT_SLOTS 2048         /* no more than half of them are used */

/* What signatures are of. */
struct chunk_kept_of {
	uint32_t file_idx;
	uint32_t bytes;
	uint32_t line_first;
	uint32_t chunk_first;
	uint64_t off;  /* where it begins in its file */
	uint64_t hash; /* of it, and of the state before it */
};

/* Those of a text; in the room, encoded: the places, the text and the state. */
struct chunk_kept_text {
	struct chunk_kept_of of; /* file_idx: + 1; 0: none */
	uint64_t written;        /* bytes of signatures alone */
	uint32_t line_end;       /* the line behind what is done with, */
	uint32_t done;           /* which are so many bytes of it, */
	uint32_t chunk_next;     /* and the chunk behind that */
	uint32_t bytes;
	uint32_t signature_nr;
	uint32_t state_bytes; /* 0: nothing follows */
	uint32_t off;         /* in the room; of these so many bytes: */
	uint32_t places_bytes;
	uint32_t delta_bytes;
	bool is_text;     /* the content itself is written: none is kept */
	bool is_surveyed; /* nobody knows yet whether they are written */
};

struct chunk_kept {
	struct chunk_kept_text texts[KEPT_SLOTS];
	uint32_t text_nr;
	uint32_t used;
	bool is_over; /* they are too many for the room: none is kept of a survey */
	_Alignas(8) uint8_t room[KEPT_BYTES];
};

/* What is kept, as it is before. */
struct chunk_kept_parts {
	const uint8_t *content; /* that they are of: of->bytes */
	const uint8_t *text;
	const struct lang_signatures *signatures;
	const uint8_t *state; /* behind it */
};

/* Where it goes to. */
struct chunk_kept_out {
	uint8_t *text; /* room for its bytes */
	struct lang_signatures *signatures;
	uint8_t *state; /* as it is, where nothing follows */
};

/* The hash of a text, and of what is before it. */
uint64_t
chunk_kept_hash(const uint8_t *text, size_t bytes, const void *state,
		size_t state_bytes);

/*
 * shape:  keeps a text of text->bytes, where its signatures begin, and a state of
 *         text->state_bytes, if there is room; the text as a delta to the
 *         content. Of a survey those of all files are kept or of none
 * units:  where it is kept is set here
 */
void
chunk_kept_add(struct chunk_kept *kept, const struct chunk_kept_of *of,
	       const struct chunk_kept_text *text,
	       const struct chunk_kept_parts *parts);

/* What is kept of the same text; NULL: nothing. */
const struct chunk_kept_text *
chunk_kept_find(const struct chunk_kept *kept, const struct chunk_kept_of *of);

/* Gives its text, made out of the same content, its places, and its state. */
void
chunk_kept_get(const struct chunk_kept *kept,
	       const struct chunk_kept_text *text, const uint8_t *content,
	       const struct chunk_kept_out *out);

#endif
