/* SPDX-License-Identifier: MIT */
/*
 * chunk_sign.h - a text made shorter: only its signatures, or no comments.
 *
 * Does: hands the pieces of the text that stay to a function, in order.
 * Does not: hold text; what a piece is made of lies in the source.
 */
#ifndef CHUNK_CHUNK_SIGN_H
#define CHUNK_CHUNK_SIGN_H

#include "stages/chunk/chunk_scan.h"

#define SIGN_FIRST_LINES 20 /* what a text without structure is cut to */

/* Takes one piece; the next one follows it without anything between. */
typedef void
chunk_write_fn(void *context, const uint8_t *text, size_t bytes);

/*
 * shape:  writes the heads of the definitions, a line or more each, with the
 *         blanks before them: all but functions within functions and what is
 *         private to a class; a line "imports: a, b" where imports stand.
 *         doc: the first line of words of the comment before them, too.
 *         A text without structure is written as its first lines.
 * units:  returns the bytes written
 * owner:  text is whole; write is called while this runs
 * calls:  chunk worker in gather, tests
 */
size_t
chunk_sign(uint32_t lang, const uint8_t *text, size_t bytes, bool doc,
	   chunk_write_fn *write, void *context);

/*
 * shape:  writes the text without its comments; a line that held nothing else
 *         goes with its newline, so that the lines that stay are lines of the
 *         text. A first line that begins with #! stays.
 * units:  returns the bytes written
 * owner:  as above; a language that is not known is written as it is
 */
size_t
chunk_strip(uint32_t lang, const uint8_t *text, size_t bytes,
	    chunk_write_fn *write, void *context);

/* Bytes of the first lines of a text. */
size_t
chunk_first_lines(const uint8_t *text, size_t bytes, uint32_t lines);

#endif
