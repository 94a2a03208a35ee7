/* SPDX-License-Identifier: MIT */
/*
 * delta.h - a text as what it has of another one, and what is new in it.
 *
 * Does: finds lines of the text in the source that it was derived of, in the
 *       order in which they stand there, whatever blanks they begin with.
 * Does not: find what stands in another order: that is new.
 * Limits: effort in proportion to the source, however little is found.
 */
#ifndef BASE_DELTA_H
#define BASE_DELTA_H

#include "base/base.h"

/* What a text was derived of. */
struct delta_source {
	const uint8_t *bytes;
	size_t nr;
};

/*
 * shape:  writes what makes the text out of the source
 * units:  bytes; returns how many were written; 0: there is no room
 */
size_t
delta_encode(const struct delta_source *source, const uint8_t *text,
	     size_t bytes, uint8_t *out, size_t room);

/*
 * shape:  makes the text out of the same source
 * units:  bytes, those of the text as it was encoded
 * errors: false: it was not encoded of these
 */
bool
delta_decode(const struct delta_source *source, const uint8_t *delta,
	     size_t delta_bytes, uint8_t *text, size_t bytes);

#endif
