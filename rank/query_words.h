/* SPDX-License-Identifier: MIT */
/*
 * query_words.h - the words of a text, their parts, and their stems.
 *
 * Does: splits identifiers at case, digits and underscores, cuts off endings.
 * Does not: know which of them a query has (query.h).
 * Invariants:
 * 1. A word has the same stem wherever it stands.
 * Limits: parts of more than QUERY_TERM_BYTES bytes have no stem.
 */
#ifndef RANK_QUERY_WORDS_H
#define RANK_QUERY_WORDS_H

#include "base/ascii.h"
#include "base/base.h"

#define QUERY_TERM_BYTES 46

enum byte_class { NO_WORD = 0, LOWER, UPPER, DIGIT, UNDERSCORE };

/* The class of a byte; bytes of other alphabets are small letters. */
static inline enum byte_class
query_class(uint8_t c)
{
	if (ascii_is_lower(c) || c >= 0x80)
		return LOWER;
	if (ascii_is_upper(c))
		return UPPER;
	if (ascii_is_digit(c))
		return DIGIT;
	return c == '_' ? UNDERSCORE : NO_WORD;
}

/*
 * shape:  the stem of a word of small letters, in place; its length
 */
size_t
query_stem(char *word, size_t bytes);

/*
 * shape:  ending i that a stem has not, and what it has instead; false: there
 *         are no more
 */
bool
query_ending(uint32_t i, const char **text, const char **instead);

/* What a word is split into. All but text and bytes: 0 */
struct query_word {
	const uint8_t *text;
	size_t bytes;
	size_t from;    /* the part given last */
	size_t at;      /* behind it */
	uint32_t parts; /* given, and passed over, so far */
};

/* The next part, as a stem; false: there is none. Numbers give 0 bytes. */
bool
query_word_next(struct query_word *word, char stem[QUERY_TERM_BYTES],
		size_t *bytes);

/*
 * shape:  the whole word without underscores, as a stem; 0: too long, or a part
 *         of it alone
 * calls:  when all its parts have been given
 */
size_t
query_word_joined(const struct query_word *word, char stem[QUERY_TERM_BYTES]);

#endif
