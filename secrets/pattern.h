/* SPDX-License-Identifier: MIT */
/*
 * pattern.h - regular expressions without choice: sets of bytes, each so often.
 *
 * Does: compiles "[A-Z2-7]{16}", matches in one pass.
 * Does not: go back: what a set can take it takes, as with {n,m}+ of PCRE.
 * Limits: {n,} ends after PATTERN_MOST bytes.
 */
#ifndef SECRETS_PATTERN_H
#define SECRETS_PATTERN_H

#include "base/base.h"

#define PATTERN_MOST 4096

/* A text, or as much of it as is there. */
struct secrets_text {
	const uint8_t *at;
	size_t nr;
	bool at_end; /* nothing follows */
};

struct pattern_item {
	uint64_t set[4]; /* a bit a byte */
	uint16_t least;
	uint16_t most;
};

/* Items of a table that others are in, too. */
struct pattern {
	uint16_t first;
	uint16_t nr;
};

enum pattern_result {
	PATTERN_NO = 0,
	PATTERN_YES,
	PATTERN_OPEN /* it depends on what follows the text */
};

/* Whether an item takes a byte. */
static inline bool
pattern_has(const struct pattern_item *item, uint8_t c)
{
	return item->set[c / 64] >> c % 64 & 1;
}

/*
 * shape:  how many items a pattern has, written to `items`, of which `room` are
 *         free
 * errors: a pattern that is none is our own bug
 */
uint16_t
pattern_compile(const char *text, struct pattern_item *items, size_t room);

/* Bytes that a pattern has, if that is always the same number. */
uint16_t
pattern_bytes(const struct pattern_item *items, uint16_t nr);

/*
 * shape:  whether a pattern stands at the beginning of a text, and where it
 *         ends
 */
enum pattern_result
pattern_match(const struct pattern_item *items, uint16_t nr,
	      const struct secrets_text *text, size_t *end);

#endif
