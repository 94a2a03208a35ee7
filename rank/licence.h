/* SPDX-License-Identifier: MIT */
/*
 * licence.h - the licence that a file begins with, of which no query is about.
 *
 * Does: finds, in the comments before anything else, those that tell of
 *       copyright, licence or warranty: from the line that does to the end of
 *       its comment. What a comment says before that stays, as does a comment of
 *       its own beside it.
 * Does not: know languages: what looks like a comment in one of them is one.
 * Limits: the first LICENCE_BYTES_MAX bytes.
 */
#ifndef RANK_LICENCE_H
#define RANK_LICENCE_H

#include "base/base.h"

#define LICENCE_BYTES_MAX 8192u
#define LICENCE_LINES_MAX 64u /* further down no text is one */

/*
 * shape:  bytes of the first licence from *from on; 0: there is none
 * units:  text: the beginning of a file, or what follows a licence in it
 */
size_t
licence_find(const uint8_t *text, size_t bytes, size_t *from);

#endif
