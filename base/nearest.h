/* SPDX-License-Identifier: MIT */
/*
 * nearest.h - the word that was probably meant by an unknown one.
 *
 * Does: counts typing errors, keeps the nearest of the words tried, says "did
 *       you mean".
 * Does not: know which words there are.
 */
#ifndef BASE_NEAREST_H
#define BASE_NEAREST_H

#include "base/base.h"

#define WORD_BYTES 64 /* longer words are like none we know */

/*
 * shape:  edits (insert, delete, replace, swap of neighbours) between two
 *         words; words of WORD_BYTES and more are as far apart as can be
 * calls:  for "did you mean"
 */
unsigned
edit_distance(const char *a, const char *b);

/* A search for the word that was probably meant. */
struct nearest {
	const char *word; /* the caller's */
	size_t bytes;     /* of it; 0: all */
	const char *found;
	size_t found_bytes;
	unsigned distance;
};

/* Tries one more known word; 0 bytes: all of it. */
void
nearest_try(struct nearest *nearest, const char *known, size_t bytes);

#define HINT_BYTES (WORD_BYTES + 32)

/*
 * shape:  "; did you mean X?", with `before` before X; "" if no tried word is
 *         near enough
 */
const char *
nearest_hint(const struct nearest *nearest, const char *before,
	     char out[static HINT_BYTES]);

#define HINT(nearest, before) \
	nearest_hint(nearest, before, (char[HINT_BYTES]){ 0 })

#endif
