/* SPDX-License-Identifier: MIT */
/*
 * sentence.h - the first sentence of a comment.
 *
 * Does not: know the language; marks of comments are what many have.
 */
#ifndef LANG_SENTENCE_H
#define LANG_SENTENCE_H

#include "base/base.h"

/* Whether there are any in text[at, end). */
bool
lang_has_letters(const uint8_t *text, size_t at, size_t end);

/* The mark that ends the comment that begins there; NULL: its line does. */
const char *
lang_closing_mark(const uint8_t *text, size_t at, size_t end);

/*
 * Where the first sentence ends that begins in the line at `at`: at a full
 * stop, the comment's end, or the end of a third line.
 */
size_t
lang_sentence_end(const uint8_t *text, size_t at, size_t end);

/* Behind the line in which the comment ends that begins in the line at `at`: line
 * comments with the same mark are one. */
size_t
lang_comment_end(const uint8_t *text, size_t at, size_t end);

/* The first line with words of the comment in text[at, end); `end`: it has none. */
size_t
lang_comment_words(const uint8_t *text, size_t at, size_t end);

#endif
