/* SPDX-License-Identifier: MIT */
/*
 * code.h - finds branches, and brackets that may be those of calls.
 *
 * Does: finds both in code, 64 bytes at a time.
 * Does not: tell code from comments and strings; the scanner does.
 */
#ifndef LANG_CODE_H
#define LANG_CODE_H

#include "lang/find.h"
#include "lang/lang.h"

#define CODE_WORDS 16 /* that branch, of one language */

/* The words that branch: their first two letters, to know others at sight. */
struct lang_code {
	const struct lang *lang;
	uint32_t nr; /* 0: nothing is found in this language */
	uint32_t pair_nr;
	bool avx2;                 /* this processor has it */
	uint8_t first[CODE_WORDS]; /* of each pair */
	uint8_t second[CODE_WORDS];
	uint8_t bytes[CODE_WORDS]; /* of each word */
	const char *words[CODE_WORDS];
	uint64_t known[8]; /* a bit for what its words have in common */
};

/* The findings in 64 bytes; bit 0 is the first. */
struct lang_code_block {
	uint64_t branches;
	uint64_t brackets; /* opening, round */
};

/* The words of a language; lang may be NULL. */
void
lang_code_init(struct lang_code *code, const struct lang *lang);

/*
 * shape:  what is found at text[at], and the `nr` bytes from there on, 64 at
 *         most; words that begin there may end behind them
 */
struct lang_code_block
lang_code_find(const struct lang_code *code, const uint8_t *text, size_t at,
	       size_t nr, size_t bytes);

/*
 * shape:  the name before a bracket at text[at], its bytes; 0: no call
 * units:  *name is its offset
 */
size_t
lang_code_call(const struct lang_code *code, const uint8_t *text, size_t at,
	       size_t *name);

/*
 * shape:  of 64 bytes and one more, the positions of two letters that begin a
 *         word that branches, and of `(`, `&` and `|`;
 *         only where the processor has AVX2
 */
struct lang_code_masks {
	uint64_t pairs;
	uint64_t brackets;
	uint64_t ands;
	uint64_t ors;
};

/* Computes these masks for 64 bytes; only where the processor has AVX2. */
struct lang_code_masks
lang_code64_avx2(const struct lang_code *code, const uint8_t *bytes);

#endif
