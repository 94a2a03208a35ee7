/* SPDX-License-Identifier: MIT */
/*
 * delta.h - a text as what it has of another one, and what is new in it.
 *
 * Does: takes a text down piece by piece while it is derived of a source: what
 *       lies in the source is named by its place, and the rest is new.
 * Does not: search the source.
 */
#ifndef BASE_DELTA_H
#define BASE_DELTA_H

#include "base/base.h"

/* What a text is derived of. */
struct delta_source {
	const uint8_t *bytes;
	size_t nr;
};

/* A text that is taken down. */
struct delta_writer {
	struct delta_source source;
	size_t cursor;    /* in the source, behind the copy before */
	size_t copy_from; /* in the source: the copy that may still go on, */
	size_t copy_nr;   /* which is not written yet */
	uint8_t *out;
	size_t nr; /* written */
	size_t room;
	bool is_full; /* there was no room for all of it */
};

/*
 * shape:  begins a text of no bytes
 * owner:  source and out: the caller's, until delta_end()
 */
void
delta_begin(struct delta_writer *writer, const struct delta_source *source,
	    uint8_t *out, size_t room);

/* The next bytes of the text: a copy of the source if they lie there. */
void
delta_add(struct delta_writer *writer, const uint8_t *bytes, size_t nr);

/* Bytes that were written; 0: of no text, or there is no room. */
size_t
delta_end(struct delta_writer *writer);

/*
 * shape:  makes the text out of the same source
 * units:  bytes, those of the text as it was taken down
 * errors: false: it was not taken down of these
 */
bool
delta_decode(const struct delta_source *source, const uint8_t *delta,
	     size_t delta_bytes, uint8_t *text, size_t bytes);

#endif
