/* SPDX-License-Identifier: MIT */
/*
 * count_normal.h - contents that differ in white space alone are one.
 *
 * Does: takes the fingerprint of a text without what does not matter.
 * Does not: change the text: what is packed is what was read.
 */
#ifndef COUNT_COUNT_NORMAL_H
#define COUNT_COUNT_NORMAL_H

#include "stages/count/count.h"

enum count_normal {
	COUNT_NORMAL_NONE = 0, /* byte by byte */
	/* CR LF is LF, blanks before it are not there, a last line ends */
	COUNT_NORMAL_TRAILING,
	/* words, with one blank between them */
	COUNT_NORMAL_WHITESPACE
};

/*
 * shape:  whether the text is its own normal form, so that its SHA-256 is the
 *         fingerprint
 */
bool
count_is_normal(enum count_normal how, const uint8_t *text, size_t bytes);

/* Takes a piece of the normal form; the next one follows it. */
typedef void
count_piece_fn(void *to, const uint8_t *text, size_t bytes);

/* The normal form, piece by piece. */
void
count_normal(enum count_normal how, const uint8_t *text, size_t bytes,
	     count_piece_fn *fn, void *to);

/* SHA-256 of the normal form; count_io_sha256.c */
void
count_normal_sha256(enum count_normal how, const uint8_t *text, size_t bytes,
		    uint8_t digest[SHA256_BYTES]);

#endif
